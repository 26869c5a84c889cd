"""PUCT: the book's worked example to the digit, and the invariants of every tree."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from philidor.book.chapter4.puct import BOOK, SevenTenths, figure_4_8, scores
from philidor.core.errors import ConfigError
from philidor.core.evaluation import Evaluation, Wdl
from philidor.core.game import AnyState
from philidor.core.random import SplitMix64
from philidor.games import load_game
from philidor.search.dirichlet import dirichlet
from philidor.search.puct import Node, PuctConfig, back_up, best_place, make_root, puct, select, simulate
from philidor.search.solver import Solver


class HashEvaluator:
    """Judges by the position's key: as good as random, and the same everywhere."""

    def evaluate(self, states: Sequence[AnyState], /) -> list[Evaluation[Any]]:
        return [self._one(state) for state in states]

    def _one(self, state: AnyState) -> Evaluation[Any]:
        random = SplitMix64(state.key)
        moves = state.legal_moves()
        weights = np.array([1 + random.below(1000) for _ in moves], dtype=np.float64)
        chances = np.array([1 + random.below(1000) for _ in range(3)], dtype=np.float64)
        chances = (chances / chances.sum()).astype(np.float32)
        return Evaluation(moves, (weights / weights.sum()).astype(np.float32), Wdl(*map(float, chances)))


def test_the_book_s_selection_expansion_and_back_up() -> None:
    root, right, below_left = figure_4_8()
    # At the root the book's two numbers for u lack the factor P it writes down: 0.56 is sqrt(5) / 4, 0.74 (rounded
    # down) sqrt(5) / 3. With P they are 0.056 and 0.52. The right move leads either way, and all that follows is right.
    assert [round(score, 3) for score in scores(root)] == [0.256, 0.922]
    assert 0.2 + math.sqrt(5) / 4 == pytest.approx(0.76, abs=0.005)
    assert 0.4 + math.sqrt(5) / 3 == pytest.approx(1.14, abs=0.006)
    assert select(root, BOOK, is_root=True) == 1
    assert [round(score, 2) for score in scores(right)] == [0.92, 0.89]
    assert select(right, BOOK) == 0

    path = simulate(root, BOOK, SevenTenths())
    assert path == [root, right, below_left]
    assert (below_left.visits, round(below_left.value_sum, 6), round(below_left.value, 6)) == (2, 1.2, 0.6)
    assert (right.visits, round(right.value_sum, 6), round(right.value, 6)) == (3, 1.5, 0.5)
    assert below_left.priors == pytest.approx([1 / 9] * 9)
    assert all(child is None for child in below_left.children)


def test_a_value_turns_with_the_player() -> None:
    root, right, below_left = figure_4_8()
    from philidor.search.puct import Leaf

    before = right.value_sum, below_left.value_sum
    below_left.state = load_game("tictactoe").state().play("a1").play("b1")
    back_up([root, right, below_left], Leaf(0.7, 0.0), PuctConfig(prove=False))
    # Player 0 is to move at the leaf; player 1 moved there, player 0 before that.
    assert below_left.value_sum == pytest.approx(before[1] - 0.7)
    assert right.value_sum == pytest.approx(before[0] + 0.7)


@settings(deadline=None)
@given(st.lists(st.integers(0, 8), max_size=6), st.integers(2, 200), st.booleans())
def test_visits_add_up(choices: list[int], simulations: int, prove: bool) -> None:
    state = load_game("tictactoe").state()
    for choice in choices:
        if state.is_over():
            break
        moves = state.legal_moves()
        state = state.play(moves[choice % len(moves)])
    if state.is_over():
        return
    config = PuctConfig(prove=prove)
    root = make_root(state, config, HashEvaluator())
    for _ in range(simulations):
        simulate(root, config, HashEvaluator())
    _check(root)


def _check(node: Node) -> None:
    children = [child for child in node.children if child is not None]
    below = sum(child.visits for child in children)
    # Each visit but a node's own first goes on to a child, as long as nothing is proven there.
    if node.proven is None and node.outcome is None:
        assert node.visits == 1 + below
    assert node.proven is not None or abs(node.value_sum) <= node.visits + 1e-9
    for child in children:
        _check(child)


@pytest.mark.parametrize(
    ("name", "moves"),
    [("tictactoe", "b2 a1 c3"), ("tictactoe", "a1 a2 c1"), ("hexapawn", ""), ("hexapawn-4x3", "")],
)
def test_proofs_agree_with_the_solver(name: str, moves: str) -> None:
    state = load_game(name).state()
    for move in moves.split():
        state = state.play(move)
    config = PuctConfig(simulations=30_000, c_puct=1.5)
    root = make_root(state, config, HashEvaluator())
    for _ in range(config.simulations):
        if root.proven is not None:
            break
        simulate(root, config, HashEvaluator())
    assert root.proven is not None
    solution = Solver().solve(state)
    assert -root.proven == solution.value
    chosen = root.children[best_place(root)]
    assert chosen is not None
    assert chosen.proven == solution.value


def test_a_win_in_one_is_played_and_a_loss_avoided() -> None:
    state = load_game("tictactoe").state().play("a1").play("b1").play("a2").play("b2")
    assert puct(state, PuctConfig(simulations=50), evaluator=HashEvaluator()).best == state.parse_move("a3")
    # The opponent threatens a3: only blocking does not lose.
    state = load_game("tictactoe").state().play("a1").play("b2").play("a2")
    assert puct(state, PuctConfig(simulations=500), evaluator=HashEvaluator()).best == state.parse_move("a3")


def test_noise_changes_priors_and_forced_playouts_visits() -> None:
    state = load_game("tictactoe").state()
    plain = make_root(state, PuctConfig(), HashEvaluator())
    noisy = make_root(state, PuctConfig(noise=0.25), HashEvaluator())
    assert plain.priors != noisy.priors
    assert sum(noisy.priors) == pytest.approx(1, abs=1e-6)
    again = make_root(state, PuctConfig(noise=0.25), HashEvaluator())
    assert again.priors == noisy.priors
    forced = PuctConfig(simulations=400, forced_playouts=2.0, prove=False)
    result = puct(state, forced, evaluator=HashEvaluator())
    for stats in result.analysis.moves:
        assert stats.prior is not None
        assert stats.visits is not None
        if stats.visits:
            assert stats.visits >= math.floor(math.sqrt(2.0 * stats.prior * 399)) - 1


def test_the_end_cannot_be_searched() -> None:
    state = load_game("tictactoe").state().play("a1").play("b1").play("a2").play("b2").play("a3")
    with pytest.raises(ConfigError, match="the game is over"):
        puct(state, evaluator=HashEvaluator())


def test_repetitions_inside_the_tree_are_draws() -> None:
    state = load_game("chess").state("7k/8/8/8/8/6q1/8/K7 w - - 0 1")
    root = make_root(state, PuctConfig(), HashEvaluator())
    for _ in range(3000):
        simulate(root, PuctConfig(), HashEvaluator())
    found: list[Node] = []
    todo = [root]
    while todo:
        node = todo.pop()
        found += [node] if node.outcome is not None and "tree" in node.outcome.reason else []
        todo += [child for child in node.children if child is not None]
    assert found
    assert all(node.proven == 0.0 for node in found)


@given(st.integers(1, 60), st.floats(0.01, 20), st.integers(0, 2**63))
def test_dirichlet_shares_sum_to_one(count: int, alpha: float, seed: int) -> None:
    shares = dirichlet(alpha, count, SplitMix64(seed))
    assert len(shares) == count
    assert all(share >= 0 for share in shares)
    assert sum(shares) == pytest.approx(1)


def test_dirichlet_has_the_right_moments() -> None:
    alpha, count, draws = 0.3, 5, 20_000
    random = SplitMix64(7)
    shares = np.array([dirichlet(alpha, count, random) for _ in range(draws)])
    mean, total = 1 / count, alpha * count
    variance = mean * (1 - mean) / (total + 1)
    assert shares.mean(axis=0) == pytest.approx([mean] * count, abs=5 * math.sqrt(variance / draws))
    assert shares.var(axis=0) == pytest.approx([variance] * count, rel=0.06)
