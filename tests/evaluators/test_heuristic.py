"""Heuristics as evaluators."""

import pytest

from philidor.core.errors import UnknownNameError
from philidor.core.evaluation import Wdl
from philidor.evaluators import load_heuristic
from philidor.evaluators.heuristic import HeuristicEvaluator, win_chances
from philidor.games.chess import Position


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
