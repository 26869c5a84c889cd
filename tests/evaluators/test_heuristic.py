"""The book's evaluation against its listing, and heuristics as evaluators."""

import chess
import pytest

from philidor.core.errors import UnknownNameError
from philidor.core.evaluation import Wdl
from philidor.core.random import SplitMix64
from philidor.evaluators import load_heuristic
from philidor.evaluators.heuristic import HeuristicEvaluator, win_chances
from philidor.games.chess import Position

# Listings 3.1 and 3.2 as printed, but for the ten branches, which are a table here.
LISTING_3_1 = [
    [-50, -40, -30, -30, -30, -30, -40, -50],
    [-40, -20, 0, 0, 0, 0, -20, -40],
    [-30, 0, 10, 15, 15, 10, 0, -30],
    [-30, 5, 15, 20, 20, 15, 5, -30],
    [-30, 0, 15, 20, 20, 15, 0, -30],
    [-30, 5, 10, 15, 15, 10, 5, -30],
    [-40, -20, 0, 5, 5, 0, -20, -40],
    [-50, -40, -30, -30, -30, -30, -40, -50],
]


def listing_3_2(board: chess.Board) -> int:
    values = {"p": 100, "n": 310, "b": 320, "r": 500, "q": 900}
    white = black = 0
    for i in range(8):
        for j in range(8):
            piece = str(board.piece_at(chess.square(i, j)))
            if piece.lower() in values:
                value = values[piece.lower()] + LISTING_3_1[i][j]
                white, black = (white + value, black) if piece.isupper() else (white, black + value)
    return white - black


def test_the_evaluation_is_the_listing_s() -> None:
    evaluate, random = load_heuristic("book"), SplitMix64(11)
    for _ in range(20):
        position = Position()
        while not position.is_over() and position.ply < 150:
            assert evaluate(position) == listing_3_2(chess.Board(position.fen())), position.fen()
            moves = position.legal_moves()
            position = position.play(moves[random.below(len(moves))])


def test_chances_follow_the_elo_curve() -> None:
    assert win_chances(0) == Wdl(0.5, 0.0, 0.5)
    assert win_chances(400).win == pytest.approx(10 / 11)
    assert win_chances(-400) == pytest.approx(win_chances(400).flipped())


def test_both_sides_see_the_same_position_from_their_side() -> None:
    evaluator = HeuristicEvaluator(load_heuristic("book"))
    placement = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
    white, black = evaluator.evaluate([Position(f"{placement} {side} KQkq - 0 1") for side in "wb"])
    assert white.value > 0.9
    assert black.value == pytest.approx(-white.value)
    assert len(white.policy) == 20


def test_finished_games_are_known() -> None:
    evaluator = HeuristicEvaluator(load_heuristic("book"))
    mate = Position().play("f2f3").play("e7e5").play("g2g4").play("d8h4")
    stalemate = Position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    assert [found.wdl for found in evaluator.evaluate([mate, stalemate])] == [Wdl(0, 0, 1), Wdl(0, 1, 0)]


def test_heuristics_are_found_by_name_or_by_place() -> None:
    assert load_heuristic("philidor.evaluators.book:evaluate") is load_heuristic("book")
    with pytest.raises(UnknownNameError, match=r"did you mean 'book'\?"):
        load_heuristic("boko")
