"""A review says what each move was worth; its numbers are the formulas', and its engine's."""

import io
import json
from pathlib import Path
from typing import Any

import chess.pgn
import pytest

import philidor
from philidor.core.analysis import Score
from philidor.core.errors import ArgumentError, ConfigError, PgnError
from philidor.games.chess import Position
from philidor.reviews import formulas
from philidor.reviews.assembling import assemble, turning_point
from philidor.reviews.config import ReviewConfig
from philidor.reviews.judging import Judge, Verdict, blocks
from philidor.reviews.people import People
from philidor.reviews.sheets import BrokenGame, parse_sheets, read_sheets, sheet_of
from tests.reviews.reviewed import SHORT_GAME, SHORT_VERDICTS, given_review, verdicts

SCHOLARS_MATE = "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0"


def percent(cp: int) -> float:
    return formulas.win_percent(cp)


def test_each_move_has_what_it_lost() -> None:
    review = given_review()
    assert [move.san for move in review.moves] == ["e4", "e5", "Qh5", "Nc6", "Nc3", "Nf6", "Qxf7+", "Kxf7"]
    assert [move.loss_cp for move in review.moves] == [0, 5, 55, 10, 20, 0, 770, 0]
    queen = review.moves[6]
    assert queen.loss_percent == pytest.approx(percent(-30) - percent(-800))
    assert queen.accuracy == pytest.approx(formulas.move_accuracy(percent(-30), percent(-800)))
    assert [move.judgment for move in review.moves] == [None, None, "?!", None, None, None, "??", None]
    assert (queen.number, queen.best, queen.best_line) == ("4.", "Qh4", ("Qh4", "Nd4"))
    assert queen.reply_line == ("Kxf7",)
    assert review.moves[1].number == "1..."


def test_the_first_move_is_measured_from_the_usual_fifteen_centipawns() -> None:
    review = given_review(given=[(400, "e4 e5"), *SHORT_VERDICTS[1:]])
    assert review.start_percent == pytest.approx(percent(15))
    assert (review.moves[0].loss_cp, review.moves[0].judgment) == (0, None)


def test_the_engine_s_own_move_is_never_judged() -> None:
    given = [*SHORT_VERDICTS[:6], (-30, "Qxf7+ Kxf7"), *SHORT_VERDICTS[7:]]
    assert given_review(given=given).moves[6].judgment is None


def test_sides_have_their_own_numbers() -> None:
    review = given_review()
    white = review.white
    assert (white.name, white.inaccuracies, white.mistakes, white.blunders) == ("Ann", 1, 0, 1)
    assert white.average_loss == pytest.approx((0 + 55 + 20 + 770) / 4)
    percents = [review.start_percent, *(move.white_percent for move in review.moves)]
    weights = formulas.volatility_weights(percents)[::2]
    assert white.accuracy == formulas.game_accuracy([move.accuracy for move in review.moves[::2]], weights)
    assert white.phases["opening"].moves == 4
    assert white.phases["opening"].average_loss == white.average_loss
    assert (review.black.name, review.black.blunders) == ("Bob", 0)


def test_the_turning_point_is_the_move_that_lost_the_game() -> None:
    assert given_review().turning_point == 6
    assert given_review(SHORT_GAME.replace("0-1", "1/2-1/2")).turning_point == 6  # its only blunder
    assert given_review(SHORT_GAME.replace("0-1", "1-0")).turning_point is None  # Black lost on time, say


def test_a_loser_s_move_that_was_seen_late_is_the_turning_point() -> None:
    moves = given_review().moves
    percents = [50, 50, 50, 35, 28, 20, 10, 10, 10]  # White's third ply lost 15 points, the crossing comes a ply later
    assert moves[2].loss_percent >= 5
    assert turning_point("0-1", percents, moves) == 2


def test_a_mate_counts_for_its_winner() -> None:
    sheet = sheet_of(SCHOLARS_MATE)
    judge = Judge(ReviewConfig(nodes=500))
    final = judge.judge(sheet.positions[-1])
    assert (final.score, final.bounded_cp) == (Score(mate=0), 1000)
    assert judge.judge(sheet.positions[-2]).score.mate == 1
    drawn = judge.judge(Position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"))
    assert (drawn.score, drawn.line) == (Score(cp=0), ())


def test_a_review_by_search_finds_the_blunder_and_its_refutation() -> None:
    told: list[tuple[int, int]] = []
    review = philidor.review(SCHOLARS_MATE, nodes=3000, progress=lambda done, all_: told.append((done, all_)))
    blunder = review.moves[5]
    assert (blunder.san, blunder.judgment, blunder.reply_line) == ("Nf6", "??", ("Qxf7#",))
    assert review.moves[6].accuracy == 100
    assert review.turning_point == 5
    assert review.opening == "C23 Bishop's Opening" or "Opening" in str(review.opening)
    assert told[-1] == (8, 8)


def test_verdicts_do_not_depend_on_what_was_judged_before() -> None:
    sheet = sheet_of(SHORT_GAME)
    config = ReviewConfig(nodes=2000)
    judge = Judge(config)
    (block,) = blocks(sheet.positions)
    first = judge.judge_block(*block)
    assert judge.judge_block(*block) == first == Judge(config).judge_block(*block)
    assert first is not None
    assert [Verdict.from_dict(json.loads(json.dumps(each.to_dict()))) for each in first] == first


def test_a_judge_that_is_told_to_stop_has_no_answer() -> None:
    sheet = sheet_of(SHORT_GAME)
    assert Judge(ReviewConfig(nodes=2000), lambda: True).judge_block(*next(blocks(sheet.positions))) is None


def test_people_are_compared_with_the_engine() -> None:
    sheet = sheet_of(SHORT_GAME)
    people = [None] * 6 + [People({"h5f7": 0.5, "h5h4": 0.3, "h5e5": 0.2}, {"h5e5": -500.0})] + [None] * 2
    given = [
        verdicts([position], [one], each)[0]
        for position, one, each in zip(sheet.positions, SHORT_VERDICTS, people, strict=True)
    ]
    found = assemble(sheet, given, ReviewConfig(human=1500)).moves[6].people
    assert found is not None
    assert (found.played, found.best) == (0.5, 0.3)
    assert [choice.san for choice in found.usual] == ["Qxf7+", "Qh4", "Qxe5+"]
    losses = [choice.loss_percent for choice in found.usual]
    assert losses == pytest.approx([percent(-30) - percent(-800), 0, percent(-30) - percent(-500)])
    assert [choice.san for choice in found.traps] == ["Qxf7+", "Qxe5+"]


def test_a_review_with_people_asks_the_network() -> None:
    review = philidor.review(SCHOLARS_MATE, nodes=200, human=1100)
    first, last = review.moves[0].people, review.moves[6].people
    assert first is not None
    assert first.played > 0.3  # 1. e4
    assert last is not None
    assert last.best is not None
    assert last.best > 0.5  # mate in one


def test_a_game_may_come_in_any_shape(tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    path.write_text(SHORT_GAME, encoding="utf-8")
    tree = chess.pgn.read_game(io.StringIO(SHORT_GAME))
    assert tree is not None
    board = tree.end().board()
    shapes: list[Any] = [SHORT_GAME, path, tree, board, Position.from_board(board)]
    assert len({sheet_of(shape).positions[-1].fen() for shape in shapes}) == 1
    for wrong in (5, None, b"1. e4"):
        with pytest.raises(ArgumentError, match="expected a game: PGN text"):
            sheet_of(wrong)  # type: ignore[arg-type]


def test_chess960_castling_is_read() -> None:
    start = '[Variant "Chess960"]\n[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/8/5KR1 w G - 0 1"]\n\n1. O-O Kd7 *'
    assert sheet_of(start).positions[1].fen().startswith("4k3/8/8/8/8/8/8/5RK1")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "there is no game in this PGN"),
        ('[White "Ann"]\n\n*', "the game has no moves"),
        ("1. e4 e5 2. Ke3 d5 *", "the game cannot be read: illegal san: 'Ke3'"),
        ('[FEN "nonsense"]\n[SetUp "1"]\n\n1. e4 *', "the game cannot be read"),
        ('[Variant "Crazyhouse"]\n\n1. e4 *', "only chess can be reviewed, got the variant 'crazyhouse'"),
        ("1. e4 -- 2. d4 *", "0000"),
        ("1. e4 e9 *", "syntax e9"),
    ],
)
def test_a_game_that_cannot_be_read_says_why(text: str, problem: str) -> None:
    with pytest.raises(PgnError, match=problem):
        sheet_of(text)


def test_a_broken_game_does_not_hide_the_next(tmp_path: Path) -> None:
    games = list(parse_sheets(f"1. e4 e9 *\n\n{SHORT_GAME}"))
    assert isinstance(games[0], BrokenGame)
    assert games[0].number == 1
    assert not isinstance(games[1], BrokenGame)
    assert len(games[1].positions) == 9
    empty = tmp_path / "empty.pgn"
    empty.write_bytes(b"")
    with pytest.raises(PgnError, match="there is no game in"):
        list(read_sheets(empty))


def test_an_illegal_variation_costs_only_itself() -> None:
    sheet = sheet_of("1. e4 (1. d4 d5 2. Kd3 $4 {lost} (2. Nf3 Nf6) 2... e5) (1. c4 c5) 1... e5 {kept} *")
    assert len(sheet.positions) == 3
    assert "illegal san: 'Kd3'" in sheet.problems[0]
    assert len(sheet.problems) == 1
    exporter = chess.pgn.StringExporter(columns=None, headers=False)
    assert sheet.tree.accept(exporter) == "1. e4 ( 1. d4 d5 ) ( 1. c4 c5 ) 1... e5 { kept } *"


def test_latin_1_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "old.pgn"
    path.write_bytes('[White "Réti"]\n\n1. Nf3 *'.encode("latin-1"))
    (game,) = read_sheets(path)
    assert not isinstance(game, BrokenGame)
    assert game.headers["White"] == "Réti"


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"engine": "human"}, "human does not search by nodes or depth"),
        ({"engine": "random"}, "'random' cannot review games; these can: nnue"),
        ({"engine": "classic", "net": Path("x.nnue")}, "net would be ignored: classic has no network"),
        ({"nodes": 0}, "nodes"),
        ({"human": 100}, "human"),
        ({"human_net": Path("maia.pb.gz")}, "human_net would be ignored"),
        ({"node": 5}, "nodes"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, object], problem: str) -> None:
    with pytest.raises(ConfigError, match=problem):
        philidor.review(SHORT_GAME, **settings)  # type: ignore[arg-type]


def test_a_review_is_plain_data() -> None:
    data = json.loads(given_review().to_json())
    assert data["moves"][6]["judgment"] == "??"
    assert data["moves"][6]["score"] == {"cp": -800}
    assert data["white"]["blunders"] == 1
    assert "sheet" not in data


def test_a_notebook_shows_the_graph_and_the_mistakes() -> None:
    shown = given_review(SHORT_GAME.replace("Ann", "<b>Ann"))._repr_html_()
    assert "<b>" not in shown
    assert "4. Qxf7+??" in shown
    assert "Qh4 Nd4" in shown
    assert shown.count("data-ply") == 8
