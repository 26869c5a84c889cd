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
from philidor.search.puct import Node, PuctConfig, best_place, make_root, puct_result, simulate
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
    "self-play": PuctConfig(noise=0.4, noise_alpha=0.3, forced_playouts=2.0, seed=99),
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
@pytest.mark.parametrize(
    ("name", "visits"), [("tictactoe", 700), ("hexapawn", 700), ("connect4", 700), ("gomoku-9x9", 150)]
)
def test_python_games_are_the_same_tree(name: str, visits: int, config: PuctConfig) -> None:
    state = load_game(name).state()
    search = PuctSearch(state, config)
    search.run(HashEvaluator(), visits)
    _assert_same(_reference(state, config, visits), search)


def test_a_tree_of_a_large_board_keeps_its_memory_limit() -> None:
    search = PuctSearch(load_game("gomoku-19x19").state(), memory_mb=1)
    done = search.run(HashEvaluator(), 10_000, batch=16)
    # 12 bytes for each of 361 edges, 64 for a node, and the last batch may still come.
    assert 100 < done < 2**20 // (12 * 340) + 16
    assert sum(row.visits for row in search.moves()) == done - 1


class MovesLeftEvaluator(HashEvaluator):
    """Thinks that the first player is winning, and tells by the key how long that takes."""

    def _one(self, state: AnyState) -> Evaluation[Any]:
        wdl = Wdl(0.95, 0.04, 0.01) if state.to_move == 0 else Wdl(0.01, 0.04, 0.95)
        moves_left = float(state.key % 97)
        return dataclasses.replace(super()._one(state), wdl=wdl, moves_left=moves_left)


@pytest.mark.parametrize("name", ["chess", "connect4", "hexapawn"])
@pytest.mark.parametrize(
    "config",
    [
        PuctConfig(),
        PuctConfig(moves_left_threshold=0.0, moves_left_constant=0.3),
        PuctConfig(moves_left_max_effect=0.0),
    ],
    ids=["lc0", "all", "none"],
)
def test_moves_left_count_the_same_in_both(name: str, config: PuctConfig) -> None:
    state = load_game(name).state()
    evaluator = MovesLeftEvaluator()
    root = make_root(state, config, evaluator)
    while root.visits < 500 and root.proven is None:
        simulate(root, config, evaluator)
    search = PuctSearch(state, config)
    search.run(evaluator, 500)
    _assert_same(root, search)
    assert root.knows_moves_left
    assert search.moves_left == root.moves_left
    for row, child in zip(search.moves(), root.children, strict=True):
        if child is not None and child.visits:
            assert row.moves_left == child.moves_left
            assert row.own_value == pytest.approx(-child.own_value)
    assert puct_result(root, config, 0.0).analysis.moves == search.result().analysis.moves
    if name == "chess":
        assert any(m for _, _, m in search.scores()) == (config.moves_left_max_effect > 0)


def test_moves_left_change_what_is_searched() -> None:
    state = load_game("chess").state()
    trees = [
        PuctSearch(state, PuctConfig(moves_left_max_effect=effect, moves_left_slope=0.01)) for effect in (0.0, 0.5)
    ]
    for tree in trees:
        tree.run(MovesLeftEvaluator(), 600)
    without, with_effect = ([row.visits for row in tree.moves()] for tree in trees)
    assert without != with_effect


def test_a_judge_without_moves_left_counts_none() -> None:
    search = PuctSearch(load_game("chess").state())
    search.run(HashEvaluator(), 100)
    assert search.moves_left is None
    assert all(row.moves_left is None for row in search.moves())
    assert all(m == 0.0 for _, _, m in search.scores())


def test_a_proven_result_knows_its_distance() -> None:
    mate_in_two = load_game("chess").state("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1")
    search = PuctSearch(mate_in_two)
    search.run(MovesLeftEvaluator(), 3_000)
    proven = [row for row in search.moves() if row.proven == 1]
    assert proven
    for row in proven:
        assert row.moves_left in (0.0, 2.0, 4.0), "who wins moves last"


def test_only_some_moves_may_be_searched() -> None:
    state = load_game("chess").state()
    allowed = [state.parse_move("h2h4"), state.parse_move("a2a3")]
    search = PuctSearch(state, root_moves=allowed)
    search.run(HashEvaluator(), 200)
    assert [state.move_text(move) for move in search.root_moves] == ["a2a3", "h2h4"]
    rows = search.moves()
    assert sum(row.visits for row in rows) == 199
    everything = HashEvaluator().evaluate([state])[0]
    places = [list(state.legal_moves()).index(move) for move in search.root_moves]
    assert [row.prior for row in rows] == [float(everything.priors[place]) for place in places]
    assert search.result().best in allowed
    assert {stats.move for stats in search.result().analysis.moves} == {"a2a3", "h2h4"}
    assert search.line_after(1)[0] == "h2h4"
    with pytest.raises(RuntimeError, match="only some of its moves"):
        search.advance(allowed[0])
    with pytest.raises(ConfigError, match="only in chess"):
        PuctSearch(load_game("tictactoe").state(), root_moves=[load_game("tictactoe").state().legal_moves()[0]])


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


@pytest.mark.parametrize("noise", [0.0, 0.25])
@pytest.mark.parametrize("name", ["chess", "connect4"])
def test_the_improved_policy_of_puct_leaves_noise_out(name: str, noise: float) -> None:
    state, config = load_game(name).state(), PuctConfig(simulations=90, noise=noise, prove=False)
    root = make_root(state, config, HashEvaluator())
    while root.visits < config.simulations:
        simulate(root, config, HashEvaluator())
    root.priors = [float(prior) for prior in HashEvaluator().evaluate([state])[0].priors]
    search = PuctSearch(state, config)
    search.run(HashEvaluator(), config.simulations)
    for c_scale in (0.3, 2.0):
        assert search.improved_policy(c_scale) == improved_policy(root, GumbelConfig(c_scale=c_scale))


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


def test_virtual_loss_spreads_a_batch() -> None:
    visits = []
    for loss in (0.0, 1.0, 4.0):
        search = PuctSearch(load_game("chess").state(), virtual_loss=loss)
        search.run(HashEvaluator(), 200, batch=16)
        visits.append(sorted((row.visits for row in search.moves()), reverse=True))
    assert visits[0][0] > visits[1][0] > visits[2][0]


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
