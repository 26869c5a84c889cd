"""The toy ending of Figures 3.2 to 3.4 has the moves and values of the text."""

from typing import Any

import pytest

from philidor.book.chapter3.pawn_ending import Corner, evaluate, figure_3_2
from philidor.search.alphabeta import AlphaBetaConfig, alphabeta
from philidor.search.minimax import MinimaxConfig, minimax
from philidor.search.trace import TraceLimit


@pytest.fixture
def start() -> Corner:
    return figure_3_2()


def moves(state: Any) -> list[str]:
    return [state.move_text(move) for move in state.legal_moves()]


def test_the_moves_are_those_of_the_text(start: Corner) -> None:
    # Left pawn forward, left takes, right takes, right forward.
    assert moves(start) == ["a1a2", "a1b2", "c1b2", "c1c2"]
    # Middle pawn forward, the right pawn captured, the left pawn captured.
    assert moves(start.play("a1a2")) == ["b2b1", "b2c1", "b3a2"]
    assert moves(start.play("c1b2")) == ["a3a2", "a3b2"]


def test_the_left_pawn_s_step_is_worth_10_and_all_else_0(start: Corner) -> None:
    assert [evaluate(start.play(move)) for move in moves(start)] == [10, 0, 0, 0]
    assert [evaluate(start.play("a1a2").play(reply)) for reply in ("b2b1", "b2c1", "b3a2")] == [10, 10, 10]
    assert [evaluate(start.play("c1b2").play(reply)) for reply in ("a3a2", "a3b2")] == [0, 0]


def test_minimax_and_alphabeta_choose_the_step(start: Corner) -> None:
    full = minimax(start, MinimaxConfig(depth=2), heuristic=evaluate)
    cut = alphabeta(start, AlphaBetaConfig(depth=2, root_window="shared"), heuristic=evaluate, trace=TraceLimit())
    assert (full.analysis.best, full.analysis.nodes) == ("a1a2", 11)
    # All below the first move, and one reply to each of the others.
    assert (cut.analysis.best, cut.analysis.nodes) == ("a1a2", 6)
    assert cut.tree is not None
    assert [len(child.skipped) for child in cut.tree.children] == [0, 1, 1, 3]
