"""Gumbel search: its schedule, its draw and that it improves on the priors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from philidor.core.evaluation import Evaluation, Wdl
from philidor.core.game import AnyState
from philidor.games import load_game
from philidor.search.gumbel import (
    GumbelConfig,
    GumbelRoot,
    gumbel_search,
    improved_policy,
    mixed_value,
    simulate,
    visit_schedule,
)
from philidor.search.solver import Solver
from tests.search.test_puct import HashEvaluator


class Knowing:
    """Knows the value of every position, and nothing about moves."""

    def __init__(self) -> None:
        self.solver = Solver()

    def evaluate(self, states: Sequence[AnyState], /) -> list[Evaluation[Any]]:
        return [Evaluation.uniform(state, self._judge(state)) for state in states]

    def _judge(self, state: AnyState) -> Wdl:
        value = self.solver.solve(state).value
        return Wdl(float(value == 1), float(value == 0), float(value == -1))


def test_sequential_halving() -> None:
    # Sixteen simulations, four moves: two rounds of eight, so two visits each, then four more for the better two.
    assert visit_schedule(4, 16) == [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    assert visit_schedule(1, 3) == [0, 1, 2]
    assert visit_schedule(3, 2) == [0, 0]


@given(st.integers(1, 40), st.integers(0, 300))
def test_the_schedule_has_a_turn_for_every_simulation(considered: int, simulations: int) -> None:
    schedule = visit_schedule(considered, simulations)
    assert len(schedule) == simulations
    # Whoever has n visits had n - 1 before.
    counts = Counter(schedule)
    assert all(counts[n] <= counts[n - 1] for n in counts if n > 0)


def test_considered_moves_are_visited_and_no_others() -> None:
    state = load_game("connect4").state()
    for seed in range(20):
        config = GumbelConfig(simulations=33, considered=4, seed=seed, prove=False)
        root = GumbelRoot(state, config, HashEvaluator())
        drawn = sorted(range(7), key=lambda place: -root.scores()[place])[:4]
        for _ in range(32):
            simulate(root, HashEvaluator())
        visits = {place: child.visits for place, child in enumerate(root.node.children) if child is not None}
        assert set(visits) == set(drawn)
        assert sorted(visits.values()) == [4, 4, 12, 12]
        assert visits[root.best()] == 12


def test_the_draw_follows_the_priors() -> None:
    state = load_game("connect4").state()
    priors = HashEvaluator().evaluate([state])[0].priors

    class NoOpinion(HashEvaluator):
        def evaluate(self, states: Sequence[AnyState], /) -> list[Evaluation[Any]]:
            return [
                Evaluation(state.legal_moves(), evaluation.priors, Wdl(0.0, 1.0, 0.0))
                for state, evaluation in zip(states, super().evaluate(states), strict=True)
            ]

    draws = 4_000
    best = Counter(
        GumbelRoot(state, GumbelConfig(simulations=1, seed=seed), NoOpinion()).best() for seed in range(draws)
    )
    shares = np.array([best[place] / draws for place in range(7)])
    assert shares == pytest.approx(np.asarray(priors), abs=4 * 0.5 / draws**0.5)


@pytest.mark.parametrize("name", ["tictactoe", "hexapawn"])
def test_it_improves_on_the_priors(name: str) -> None:
    """With right values, the improved policy is at least as good as the priors, wherever there is a choice."""
    knowing = Knowing()
    todo: list[AnyState] = [load_game(name).state()]
    seen: set[AnyState] = set()
    while todo and len(seen) < 120:
        state = todo.pop()
        if state in seen or state.is_over():
            continue
        seen.add(state)
        todo += [state.play(move) for move in state.legal_moves()]
        values = [solution.value for solution in knowing.solver.best_moves(state).values()]
        # One visit for every move, so that Q is the true value.
        config = GumbelConfig(simulations=len(values) + 1, considered=len(values), seed=len(seen), prove=False)
        root = GumbelRoot(state, config, knowing)
        for _ in values:
            simulate(root, knowing)
        policy = improved_policy(root.node, config)
        assert sum(policy) == pytest.approx(1)
        before = sum(values) / len(values)
        assert sum(p * v for p, v in zip(policy, values, strict=True)) >= before - 1e-9
        assert values[root.best()] == max(values)


def test_the_guess_for_unvisited_moves() -> None:
    root = GumbelRoot(load_game("tictactoe").state(), GumbelConfig(prove=False), HashEvaluator())
    assert mixed_value(root.node) == root.node.own_value
    simulate(root, HashEvaluator())
    (child,) = [child for child in root.node.children if child is not None]
    assert mixed_value(root.node) == pytest.approx((root.node.own_value + child.value) / 2)


def test_a_win_in_one_is_played() -> None:
    state = load_game("tictactoe").state().play("a1").play("b1").play("a2").play("b2")
    found = gumbel_search(state, GumbelConfig(simulations=12), evaluator=HashEvaluator())
    assert found.best == state.parse_move("a3")
    assert found.analysis.best == state.move_text(found.best)
