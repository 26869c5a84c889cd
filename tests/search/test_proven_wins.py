"""Of several proven wins the search plays the shortest, of several proven losses the longest; both twins alike."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from philidor.core.evaluation import Evaluation
from philidor.core.game import AnyState
from philidor.games import load_game
from philidor.search.gumbel import GumbelConfig, GumbelRoot
from philidor.search.gumbel import simulate as gumbel_simulate
from philidor.search.puct import Node, PuctConfig, best_place, make_root, simulate
from philidor.search.trees.native import PuctSearch
from tests.search.test_puct import HashEvaluator


class BlindEvaluator(HashEvaluator):
    """Has no prior for moves that end the game from the root, so that longer wins are proven before them."""

    def __init__(self, root: AnyState) -> None:
        self._key = root.key

    def _one(self, state: AnyState) -> Evaluation[Any]:
        found = super()._one(state)
        if state.key != self._key:
            return found
        goes_on = [state.play(move).outcome() is None for move in state.legal_moves()]
        return dataclasses.replace(found, priors=found.priors * np.array(goes_on, dtype=np.float32))


# Three in a row with both ends open: whatever is played instead, one end is left.
OPEN_THREE = "open three"
WON_AT_ONCE = ["7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", "k7/8/1K6/8/8/8/8/1QR5 w - - 0 1", OPEN_THREE]


def _won_at_once(text: str) -> AnyState:
    state: AnyState = load_game("chess").state(text) if text != OPEN_THREE else load_game("connect4").state()
    for column in "ccddee" if text == OPEN_THREE else "":
        state = state.play(column)
    return state


def _same_visits(root: Node, search: PuctSearch) -> bool:
    counts = [0 if child is None else child.visits for child in root.children]
    return search.visits == root.visits and [row.visits for row in search.moves()] == counts


@pytest.mark.parametrize("text", WON_AT_ONCE)
@pytest.mark.parametrize("batch", [1, 8])
def test_a_win_at_once_is_played_where_a_longer_one_was_proven_first(text: str, batch: int) -> None:
    state = _won_at_once(text)
    config, evaluator = PuctConfig(), BlindEvaluator(state)
    search = PuctSearch(state, config)
    search.run(evaluator, 20_000, batch=batch)
    assert max(row.distance or 0 for row in search.moves() if row.proven == 1) > 0, "the longer win came first"
    assert state.play(search.result().best).is_over()
    assert len(search.result().analysis.lines[0].moves) == 1
    if batch == 1:
        root = make_root(state, config, evaluator)
        while root.proven is None:
            simulate(root, config, evaluator)
        assert state.play(state.legal_moves()[best_place(root)]).is_over()
        assert _same_visits(root, search)


@pytest.mark.parametrize("text", WON_AT_ONCE)
def test_gumbel_search_plays_it_too(text: str) -> None:
    state = _won_at_once(text)
    config, evaluator = GumbelConfig(simulations=2_000), BlindEvaluator(state)
    root = GumbelRoot(state, config, evaluator)
    while root.node.proven is None and root.node.visits < config.simulations:
        gumbel_simulate(root, evaluator)
    assert root.node.proven is not None
    search = PuctSearch(state, config)
    search.run(evaluator, config.simulations)
    assert _same_visits(root.node, search)
    assert state.play(state.legal_moves()[root.best()]).is_over()
    assert state.play(search.result().best).is_over()


def test_a_tree_that_is_carried_along_looks_again() -> None:
    """The reply leads to a root that is proven already, by a longer win than the rules allow."""
    start = load_game("chess").state("8/7k/5K2/6Q1/8/8/8/8 b - - 0 1")
    search = PuctSearch(start, PuctConfig(two_fold=False))
    search.run(BlindEvaluator(start.play("h7h8")), 20_000)
    search.advance("h7h8")
    assert search.is_proven
    assert search.state.play(search.result().best).is_over()


class SharpEvaluator(HashEvaluator):
    """The same with priors that differ more."""

    def _one(self, state: AnyState) -> Evaluation[Any]:
        found = super()._one(state)
        return dataclasses.replace(found, priors=found.priors**2)


# The choices are such that a move that loses sooner has as many visits.
@pytest.mark.parametrize(
    ("config", "evaluator"),
    [(PuctConfig(c_puct=3.0), HashEvaluator()), (GumbelConfig(simulations=3_000), SharpEvaluator())],
    ids=["puct", "gumbel"],
)
def test_of_lost_moves_the_longest_is_played(config: PuctConfig | GumbelConfig, evaluator: HashEvaluator) -> None:
    """Who begins hexapawn loses, by every move but not equally soon."""
    state = load_game("hexapawn").state()
    search = PuctSearch(state, config)
    search.run(evaluator, 3_000)
    rows = search.moves()
    assert [row.proven for row in rows] == [-1] * len(rows)
    longest = max(row.distance or 0 for row in rows)
    assert rows[search.best].distance == longest
    assert any(row.distance != longest and row.visits >= rows[search.best].visits for row in rows), "visits mislead"
    if isinstance(config, PuctConfig):
        root = make_root(state, config, evaluator)
        while root.proven is None:
            simulate(root, config, evaluator)
        assert best_place(root) == search.best
    else:
        gumbel = GumbelRoot(state, config, evaluator)
        while gumbel.node.proven is None:
            gumbel_simulate(gumbel, evaluator)
        assert gumbel.best() == search.best
