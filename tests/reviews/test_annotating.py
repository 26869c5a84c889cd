"""The annotated PGN keeps what was there, and says what the review found, as python-chess reads it."""

import dataclasses
import io

import chess.pgn
import pytest

from philidor.core.errors import ArgumentError
from philidor.reviews.annotating import annotated
from philidor.reviews.review import GameReview
from philidor.reviews.sheets import sheet_of
from tests.reviews.reviewed import SHORT_GAME, SHORT_VERDICTS, Given, given_review


def read(review: GameReview) -> chess.pgn.Game:
    game = chess.pgn.read_game(io.StringIO(review.pgn()))
    assert game is not None
    assert game.errors == []
    return game


def test_every_move_has_its_evaluation() -> None:
    nodes = list(read(given_review()).mainline())
    evals = [node.eval() for node in nodes]
    assert [score.white().score() for score in evals if score is not None] == [worth for worth, _ in SHORT_VERDICTS[1:]]


def test_mistakes_have_nags_words_and_both_lines() -> None:
    nodes = list(read(given_review()).mainline())
    queen = nodes[6]
    assert queen.nags == {chess.pgn.NAG_BLUNDER}
    assert nodes[2].nags == {chess.pgn.NAG_DUBIOUS_MOVE}
    assert "Blunder. Qh4 was best." in queen.comment
    assert queen.parent is not None
    assert [node.san() for node in queen.parent.variations] == ["Qxf7+", "Qh4"]
    # The inaccuracy's refutation begins as the game went on, so the game shows it; the blunder's too.
    assert [node.san() for node in nodes[2].variations] == ["Nc6", "Nf6"]


def test_a_refutation_that_was_not_played_is_a_variation() -> None:
    given = [*SHORT_VERDICTS[:3], (-20, "Nh6 Bc4"), *SHORT_VERDICTS[4:]]
    nodes = list(read(given_review(given=given)).mainline())
    assert [node.san() for node in nodes[2].variations] == ["Nc6", "Nf6", "Nh6"]


def test_what_was_there_stays() -> None:
    nodes = list(read(given_review()).mainline())
    assert nodes[2].comment.startswith("too early")
    gambit = nodes[2].variations[1]
    assert (gambit.san(), gambit.comment) == ("Nf6", "a gambit")
    assert [node.san() for node in gambit.mainline()] == ["Qxe5+"]


def test_somebody_s_own_judgment_is_left_alone() -> None:
    nodes = list(read(given_review(SHORT_GAME.replace("4. Qxf7+", "4. Qxf7+ $3"))).mainline())
    assert nodes[6].nags == {chess.pgn.NAG_BRILLIANT_MOVE}


def test_a_game_that_is_reviewed_again_does_not_grow() -> None:
    once = given_review()
    again = given_review(once.pgn())
    assert again.pgn() == once.pgn()


def test_the_game_that_was_read_is_not_changed() -> None:
    review = given_review()
    assert review.sheet is not None
    before = str(review.sheet.tree)
    annotated(review)
    assert str(review.sheet.tree) == before


def test_a_line_never_makes_the_game_longer() -> None:
    pgn = SHORT_GAME.replace(" Kxf7 0-1", " 0-1")
    review = given_review(pgn, SHORT_VERDICTS[:-1])
    nodes = list(read(review).mainline())
    assert len(nodes) == 7
    assert "Refuted by Kxf7." in nodes[-1].comment


def test_mates_are_written_as_mates() -> None:
    pgn = "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0"
    given: list[Given] = [
        (30, "e4"),
        (30, "e5"),
        (20, "Nf3"),
        (10, "Nf6"),
        (10, "Nf3"),
        (0, "g6 Qf3"),
        ("#1", "Qxf7#"),
        ("#0", ""),
    ]
    review = given_review(pgn, given)
    nodes = list(read(review).mainline())
    assert "[%eval #1]" in nodes[5].comment
    assert nodes[6].comment == ""


def test_a_review_without_its_sheet_cannot_be_written() -> None:
    with pytest.raises(ArgumentError):
        dataclasses.replace(given_review(), sheet=None).pgn()


def test_a_hostile_tag_stays_a_tag() -> None:
    review = given_review(SHORT_GAME.replace("Ann", 'x\\"] [Event \\"y'))
    assert read(review).headers["White"] == review.headers["White"]
    assert read(review).headers["Event"] == "Test"
    assert len(list(sheet_of(review.pgn()).tree.mainline())) == 8
