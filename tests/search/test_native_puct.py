"""The compiled PUCT grows the reference's tree, visit for visit, and keeps its invariants when it batches."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from philidor.core.errors import ConfigError, GameError
from philidor.core.evaluation import Evaluation, Wdl
from philidor.core.game import AnyState
from philidor.games import load_game
from philidor.search.gumbel import GumbelConfig, GumbelRoot, improved_policy
from philidor.search.gumbel import simulate as gumbel_simulate
from philidor.search.puct import Node, PuctConfig, best_place, make_root, simulate
from philidor.search.trees.native import PuctSearch, puct
from tests.search.test_puct import HashEvaluator

CHESS = {
    "start": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "mate in one": "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 4",
    "few pieces": "8/8/8/3k4/8/8/4Q3/4K3 w - - 0 1",
    "near fifty moves": "8/8/8/3k4/8/8/4R3/4K3 w - - 96 90",
}
CONFIGS = {
    "lc0": PuctConfig(),
    "plain": PuctConfig(c_puct=1.5, c_factor=0.0, prove=False, two_fold=False),
    "absolute": PuctConfig(fpu="absolute", fpu_value=-0.2),
    "self-play": PuctConfig(noise=0.25, noise_alpha=0.3, forced_playouts=2.0, seed=99),
}


def _reference(state: AnyState, config: PuctConfig, simulations: int) -> Node:
    evaluator = HashEvaluator()
    root = make_root(state, config, evaluator)
    while root.visits < simulations and root.proven is None:
        simulate(root, config, evaluator)
    return root


def _assert_same(root: Node, search: PuctSearch) -> None:
    assert search.visits == root.visits
    rows = search.moves()
    assert [row.prior for row in rows] == root.priors
    assert [row.visits for row in rows] == [0 if child is None else child.visits for child in root.children]
    values = [None if child is None or not child.visits else child.value for child in root.children]
    assert [row.value for row in rows] == values
    best = root.state.legal_moves()[best_place(root)]
    assert search.result().best == best


@pytest.mark.parametrize("config", CONFIGS.values(), ids=list(CONFIGS))
@pytest.mark.parametrize("fen", CHESS.values(), ids=list(CHESS))
def test_chess_is_the_same_tree(fen: str, config: PuctConfig) -> None:
    state = load_game("chess").state(fen)
    search = PuctSearch(state, config)
    search.run(HashEvaluator(), 400)
    _assert_same(_reference(state, config, 400), search)


@pytest.mark.parametrize("config", CONFIGS.values(), ids=list(CONFIGS))
@pytest.mark.parametrize("name", ["tictactoe", "hexapawn", "connect4"])
def test_python_games_are_the_same_tree(name: str, config: PuctConfig) -> None:
    state = load_game(name).state()
    search = PuctSearch(state, config)
    search.run(HashEvaluator(), 700)
    _assert_same(_reference(state, config, 700), search)


@pytest.mark.parametrize(
    "config",
    [GumbelConfig(), GumbelConfig(simulations=200, considered=5, seed=3), GumbelConfig(gumbel_scale=0.0, prove=False)],
)
@pytest.mark.parametrize("name", ["chess", "tictactoe", "hexapawn", "connect4"])
def test_gumbel_search_is_the_same_tree(name: str, config: GumbelConfig) -> None:
    state = load_game(name).state()
    root = GumbelRoot(state, config, HashEvaluator())
    while root.node.visits < config.simulations and root.node.proven is None:
        gumbel_simulate(root, HashEvaluator())
    search = PuctSearch(state, config)
    search.run(HashEvaluator(), config.simulations)
    rows = search.moves()
    assert [row.visits for row in rows] == [0 if child is None else child.visits for child in root.node.children]
    assert search.result().best == state.legal_moves()[root.best()]
    assert search.improved_policy() == improved_policy(root.node, config)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 200), max_size=40), st.integers(1, 120))
def test_any_chess_position_is_the_same_tree(choices: list[int], simulations: int) -> None:
    state = load_game("chess").state()
    for choice in choices:
        moves = state.legal_moves()
        following = state.play(moves[choice % len(moves)])
        if following.is_over():
            break
        state = following
    search = PuctSearch(state)
    search.run(HashEvaluator(), simulations)
    _assert_same(_reference(state, PuctConfig(), simulations), search)


@pytest.mark.parametrize("name", ["chess", "connect4"])
def test_batches_visit_as_often_and_forget_nothing(name: str) -> None:
    sizes: list[int] = []

    class Counting(HashEvaluator):
        def evaluate(self, states: Sequence[AnyState], /) -> list[Evaluation[Any]]:
            sizes.append(len(states))
            return super().evaluate(states)

    state = load_game(name).state()
    search = PuctSearch(state)
    assert search.run(Counting(), 1000, batch=16) == 1000
    assert search.visits == 1000 == 1 + sum(row.visits for row in search.moves())
    assert max(sizes) == 16
    assert sum(sizes) / len(sizes) > 3


def test_the_tree_moves_along_with_the_game() -> None:
    for name in ("chess", "connect4"):
        search = PuctSearch(load_game(name).state(), PuctConfig(two_fold=False))
        search.run(HashEvaluator(), 500)
        best = search.result().best
        below = max(row.visits for row in search.moves())
        search.advance(best)
        assert search.visits == below
        assert search.run(HashEvaluator(), 100) == 100
        assert search.visits == below + 100 == 1 + sum(row.visits for row in search.moves())
        # What follows is searched in the right position: every move can be played.
        for row, move in zip(search.moves(), search.state.legal_moves(), strict=True):
            assert row.visits >= 0
            search.state.play(move)
        assert search.result().analysis.lines[0].moves


def test_an_unvisited_move_can_be_played() -> None:
    search = PuctSearch(load_game("chess").state())
    search.advance("a2a3")
    assert search.visits == 0
    assert search.run(HashEvaluator(), 10) == 10


def test_a_full_tree_ends_the_search() -> None:
    search = PuctSearch(load_game("chess").state(), memory_mb=1)
    done = search.run(HashEvaluator(), 1_000_000)
    assert 500 < done < 100_000
    assert search.result().analysis.best


class _Broken(HashEvaluator):
    def __init__(self, what: str) -> None:
        self.what = what
        self.calls = 0

    def evaluate(self, states: Sequence[AnyState], /) -> list[Evaluation[Any]]:
        self.calls += 1
        found = super().evaluate(states)
        if self.calls < 20:
            return found
        if self.what == "dies":
            raise RuntimeError("the network is gone")
        bad = found[0]
        if self.what == "nan":
            return [dataclasses.replace(bad, wdl=Wdl(float("nan"), 0.0, 0.0)), *found[1:]]
        return [dataclasses.replace(bad, priors=np.full_like(bad.priors, np.nan)), *found[1:]]


@pytest.mark.parametrize("what", ["dies", "nan", "nan priors"])
@pytest.mark.parametrize("name", ["chess", "tictactoe"])
def test_a_broken_network_leaves_the_tree_usable(name: str, what: str) -> None:
    search = PuctSearch(load_game(name).state(), PuctConfig(prove=False))
    with pytest.raises(RuntimeError if what == "dies" else ConfigError):
        search.run(_Broken(what), 1000, batch=4)
    before = search.visits
    assert search.run(HashEvaluator(), 100, batch=4) == 100
    assert search.visits == before + 100 == 1 + sum(row.visits for row in search.moves())


def test_a_game_without_moves_that_is_not_over_is_named() -> None:
    class Stuck:
        """Two plies deep there is nothing to play, and nobody has won."""

        to_move, key = 0, 1

        def __init__(self, ply: int = 0) -> None:
            self.ply, self.to_move, self.key = ply, ply % 2, ply

        def legal_moves(self) -> Sequence[int]:
            return () if self.ply == 2 else (1, 2)

        def play(self, move: int) -> Stuck:
            return Stuck(self.ply + 1)

        def outcome(self) -> None:
            return None

        def text(self) -> str:
            return f"ply {self.ply}"

        def move_text(self, move: int) -> str:
            return str(move)

    state: Any = Stuck()
    with pytest.raises(GameError, match="no legal move and is not over: 'ply 2'"):
        puct(state, evaluator=HashEvaluator())


def test_the_end_cannot_be_searched() -> None:
    state = load_game("tictactoe").state().play("a1").play("b1").play("a2").play("b2").play("a3")
    with pytest.raises(ConfigError, match="the game is over"):
        PuctSearch(state)
