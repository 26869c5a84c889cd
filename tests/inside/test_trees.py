"""The trees that are shown are the trees that the searches built."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import philidor
from philidor.core.errors import ConfigError
from philidor.evaluators import default_heuristic
from philidor.evaluators.heuristic import HeuristicEvaluator
from philidor.games import load_game
from philidor.games.chess import Position
from philidor.inside import alphabeta_tree, grow_tree
from philidor.nets.leela.files import save_leela
from philidor.search.minimax import MinimaxConfig, minimax
from philidor.search.native import uct as native_uct
from philidor.search.puct import PuctConfig
from philidor.search.trees.native import PuctSearch
from philidor.search.uct import UctConfig
from tests.nets.leela_nets import residual_net

ITALIAN = Position("r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R b KQkq - 0 5")
MATE_IN_TWO = Position("7k/8/5K2/8/8/8/8/R7 w - - 0 1")


@pytest.fixture(scope="module")
def net(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("nets") / "small.pb.gz"
    save_leela(residual_net(), path)
    return path


# --- Monte Carlo ------------------------------------------------------------------------------------------------


def test_counts_and_values_are_those_of_the_engine(net: Path) -> None:
    tree = grow_tree(ITALIAN, net, 80)
    engine = PuctSearch(ITALIAN, PuctConfig())
    engine.run(philidor.load_net(net), 80)
    rows, own = tree.moves(), engine.moves()
    assert [row["N"] for row in rows] == [move.visits for move in own]
    for row, move in zip(rows, own, strict=True):
        assert row["P"] == move.prior
        if move.visits:
            assert row["Q"] == pytest.approx(move.value, abs=1e-12)
            assert row["V"] == move.own_value
    stats = {each.move: each for each in engine.result().analysis.moves}
    for legal, row in zip(ITALIAN.legal_moves(), rows, strict=True):
        assert row["U"] == pytest.approx(stats[ITALIAN.move_text(legal)].exploration)
    assert len(tree.nodes) == engine.nodes


@pytest.mark.parametrize("name", ["tictactoe", "hexapawn", "connect4"])
def test_playouts_are_counted_as_the_compiled_search_counts_them(name: str) -> None:
    state = load_game(name).state()
    tree = grow_tree(state, None, 400, config=UctConfig(seed=5))
    found = native_uct(state, UctConfig(iterations=400, seed=5)).analysis
    rows = [row for row in tree.moves() if row["N"]]
    assert [row["N"] for row in rows] == [move.visits for move in found.moves]
    for row, move in zip(rows, found.moves, strict=True):
        assert 2 * row["Q"] - 1 == pytest.approx(move.value)
        assert row["U"] == pytest.approx(move.exploration)
    assert len(tree.nodes) == found.counters["tree_nodes"]


@pytest.mark.parametrize("by", ["network", "playouts"])
def test_each_simulation_goes_where_the_numbers_lead(by: str, net: Path) -> None:
    state = ITALIAN if by == "network" else load_game("tictactoe").state()
    tree = grow_tree(state, net if by == "network" else None, 60)
    for number in range(2, len(tree) + 1):
        done = tree.simulation(number)
        for choice in done["selection"]:
            best = max(choice["moves"], key=lambda row: row["score"])
            assert best["node"] == choice["chosen"] or (best["node"] is None and choice["chosen"] == done["expansion"])
        for row in done["backup"]:
            assert row["N"] == row["N_before"] + 1
            assert abs(row["W"] - row["W_before"]) <= 1
        assert done["backup"][0]["W"] - done["backup"][0]["W_before"] == pytest.approx(done["evaluation"]["value"])


def test_every_moment_can_be_looked_at(net: Path) -> None:
    tree = grow_tree(ITALIAN, net, 50)
    for step in (0, 1, 7, 50):
        again = grow_tree(ITALIAN, net, step) if step else None
        assert tree.node(0, step)["N"] == step
        if again is not None:
            assert [row["N"] for row in tree.moves(0, step)] == [row["N"] for row in again.moves()]
            assert [row["Q"] for row in tree.moves(0, step)] == [row["Q"] for row in again.moves()]
            assert tree.subtree(0, step, plies=9, most=99) == again.subtree(0, plies=9, most=99)


def test_visits_add_up_in_the_whole_tree(net: Path) -> None:
    tree = grow_tree(ITALIAN, net, 70)

    def check(node: dict[str, Any]) -> int:
        below = sum(child["N"] for child in node["children"])
        assert node["N"] == 1 + below
        return 1 + sum(map(check, node["children"]))

    assert check(tree.subtree(plies=99, most=99)) == len(tree.nodes)


def test_a_proven_mate_ends_the_search_as_in_the_engine() -> None:
    judge = HeuristicEvaluator(lambda _: 0)
    tree = grow_tree(MATE_IN_TWO, judge, 2_000)
    engine = PuctSearch(MATE_IN_TWO, PuctConfig())
    engine.run(judge, 2_000)
    assert [row["N"] for row in tree.moves()] == [move.visits for move in engine.moves()]
    assert [row["Q"] for row in tree.moves() if row["N"]] == pytest.approx(
        [move.value for move in engine.moves() if move.visits]
    )
    assert tree.node(0)["proven"] is not None


def test_a_search_that_is_stopped_says_so() -> None:
    state, asked = load_game("connect4").state(), iter(range(100))
    tree = grow_tree(state, None, 50, stop=lambda: next(asked) >= 7)
    assert (len(tree), tree.is_whole) == (7, False)
    assert grow_tree(state, None, 7).is_whole


def test_trees_have_figures_and_plain_data(net: Path) -> None:
    tree = grow_tree(ITALIAN, net, 30)
    for step in (None, 1, 12):
        ElementTree.fromstring(tree.svg(step))
    assert "N 30" in tree.svg()
    assert len(json.loads(json.dumps(tree.to_dict()))["simulations"]) == 30


@pytest.mark.parametrize(
    ("wishes", "problem"),
    [
        ({"simulations": 0}, "simulations must be from 1 to 100000, got 0"),
        ({"config": PuctConfig()}, "PUCT needs a network"),
        ({"net": "human-1", "config": UctConfig()}, "UCT plays at random"),
        ({"net": "philidor-4"}, "has no policy"),
    ],
)
def test_growing_refuses_what_cannot_be(wishes: dict[str, Any], problem: str) -> None:
    with pytest.raises(ConfigError, match=problem):
        grow_tree(ITALIAN, **wishes)
    with pytest.raises(ConfigError, match="the game is over"):
        grow_tree(Position("7k/8/5KQ1/8/8/8/8/8 b - - 0 1"))
    tree = grow_tree(load_game("tictactoe").state(), None, 5)
    with pytest.raises(ConfigError, match="steps are from 0 to 5, got 6"):
        tree.node(0, 6)
    with pytest.raises(ConfigError, match="nodes are from 0 to 5, got -1"):
        tree.moves(-1)
    with pytest.raises(ConfigError, match="simulations are from 1 to 5, got 0"):
        tree.simulation(0)


# --- Alpha-beta -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "depth"), [("hexapawn", 6), ("tictactoe", 5), ("connect4", 5), ("chess", 2)])
def test_windows_and_cutoffs_are_those_of_the_search(name: str, depth: int) -> None:
    game = load_game(name)
    tree = alphabeta_tree(game.state(), depth=depth)
    counters = tree.analysis.counters
    assert len(tree.nodes) == 1 + counters["root_moves"] + tree.analysis.nodes
    assert sum(node.is_cutoff for node in tree.nodes) == counters["cutoffs"]
    kinds = Counter(node.ending == "evaluated" for node in tree.nodes)
    assert kinds[True] == counters["evaluations"]
    state = game.state()
    plain = minimax(state, MinimaxConfig(depth=depth), heuristic=default_heuristic(state)).analysis
    assert tree.analysis.score == plain.score


def test_a_cutoff_happens_where_the_window_closes() -> None:
    tree = alphabeta_tree(load_game("hexapawn").state(), depth=6)
    seen = 0
    for number in range(1, len(tree.nodes)):
        node = tree.node(number)
        if not node["is_cutoff"]:
            continue
        seen += 1
        # The side to move has found a move that the other side would not allow.
        bound = node["beta"] if node["to_move"] == 0 else node["alpha"]
        assert node["value"] >= bound if node["to_move"] == 0 else node["value"] <= bound
        legal = len(tree.state_at(number).legal_moves())
        assert len(node["skipped"]) + node["below"] == legal
    assert seen == tree.analysis.counters["cutoffs"]


def test_the_tree_of_a_step_has_what_was_visited_by_then() -> None:
    tree = alphabeta_tree(load_game("hexapawn").state(), depth=4)

    def numbers(node: dict[str, Any]) -> list[int]:
        return [node["id"], *(number for child in node["children"] for number in numbers(child))]

    for step in (0, 3, 10, len(tree.nodes) - 1):
        assert numbers(tree.subtree(0, step, plies=99)) == list(range(step + 1))
        assert tree.node(step, step)["is_done"] == (tree.children(step) == [])
    assert tree.line(tree.children(tree.children(0)[1])[0])[0] == 0


def test_a_large_tree_is_shown_in_parts() -> None:
    tree = alphabeta_tree(load_game("connect4").state(), depth=10)
    assert len(tree.nodes) == 100_000
    assert not tree.is_whole
    part = tree.subtree(0, plies=1)
    assert len(part["children"]) == part["below"]
    largest = max(part["children"], key=lambda child: child["size"])
    assert largest["size"] > 1_000
    assert tree.subtree(largest["id"], plies=1)["children"][0]["parent"] == largest["id"]
    ElementTree.fromstring(tree.svg(99_000))


def test_alphabeta_refuses_what_cannot_be() -> None:
    with pytest.raises(ConfigError, match="the game is over"):
        alphabeta_tree(load_game("tictactoe").state("XXX/OO./..."))
    tree = alphabeta_tree(load_game("tictactoe").state(), depth=1)
    with pytest.raises(ConfigError, match="nodes are from 0 to 9, got 10"):
        tree.children(10)
    ElementTree.fromstring(tree.svg())
    assert json.loads(json.dumps(tree.to_dict()))["counters"]["root_moves"] == 9
