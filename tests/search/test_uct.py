"""UCT: its statistics, its formula, its convergence."""

import math

import pytest

from philidor.core.game import AnyState
from philidor.core.random import SplitMix64
from philidor.games import load_game
from philidor.games.enumeration import reachable
from philidor.search.solver import Solver
from philidor.search.trace import TraceLimit
from philidor.search.uct import Node, UctConfig, playout, simulate, uct


def tree(state: AnyState, config: UctConfig) -> Node:
    root, random = Node(state), SplitMix64(config.seed)
    for _ in range(config.iterations):
        simulate(root, config, random)
    return root


def all_nodes(root: Node) -> list[Node]:
    nodes = [root]
    for node in nodes:
        nodes += node.children
    return nodes


@pytest.mark.parametrize("game", ["tictactoe", "hexapawn", "connect4-5x4"])
def test_visits_add_up(game: str) -> None:
    root = tree(load_game(game).state(), UctConfig(iterations=500))
    assert root.visits == 500
    for node in all_nodes(root):
        below = sum(child.visits for child in node.children)
        # A node's own playout is the one visit that went no further; the root has none, a finished game only such.
        if node is root:
            assert below == node.visits
        elif node.outcome is None:
            assert below == node.visits - 1
        assert 0 <= node.half_points <= 2 * node.visits
        # Between them the two players share two half points a visit.
        if node.children and node is root:
            assert sum(child.half_points for child in node.children) == 2 * node.visits - node.half_points


def test_children_are_tried_in_canonical_order() -> None:
    state = load_game("tictactoe").state()
    for iterations in range(1, 10):
        root = tree(state, UctConfig(iterations=iterations))
        assert [child.state for child in root.children] == [state.play(move) for move in range(iterations)]


def test_the_formula_prefers_what_was_visited_less() -> None:
    node = Node(load_game("tictactoe").state())
    node.visits, node.half_points = 4, 6
    # M + c * sqrt(log(V_parent) / V), not the printed sqrt(log(V) / V_parent).
    assert node.score(20, 1.4142) == 0.75 + 1.4142 * math.sqrt(math.log(20) / 4)
    scores = []
    for visits in (1, 2, 4, 8):
        node.visits, node.half_points = visits, visits
        scores.append(node.score(20, 1.4142))
    assert scores == sorted(scores, reverse=True)


def test_wins_draws_and_losses_pay_the_mover() -> None:
    # X wins at once on c1, and c1 is the last empty square.
    state = load_game("tictactoe").state("OXO/OXX/XO.")
    root = tree(state, UctConfig(iterations=3))
    assert state.to_move == 0
    assert [(child.visits, child.half_points) for child in root.children] == [(3, 3)]
    win = load_game("tictactoe").state("OO./XX./...")
    stats = {m.move: m for m in uct(win, UctConfig(iterations=100)).analysis.moves}
    assert stats["c2"].value == 1.0


def test_the_same_seed_gives_the_same_search() -> None:
    state = load_game("connect4").state()
    first, second, other = (uct(state, UctConfig(iterations=200, seed=seed)).analysis for seed in (5, 5, 6))
    assert first.moves == second.moves
    assert first.moves != other.moves


def test_uct_finds_the_winning_moves_of_hexapawn() -> None:
    solver = Solver()
    for state in reachable(load_game("hexapawn").state()):
        if state.is_over():
            continue
        best = uct(state, UctConfig(iterations=600)).best
        solutions = solver.best_moves(state)
        assert solutions[best].value == max(solution.value for solution in solutions.values()), state.text()


def test_endless_playouts_are_draws() -> None:
    outcome = playout(load_game("connect4").state(), 5, SplitMix64(1))
    assert (outcome.winner, outcome.reason) == (None, "playout limit")


def test_an_end_at_the_limit_counts() -> None:
    state = load_game("tictactoe").state("OO./XX./...")
    outcomes = {playout(state.play("c2"), limit, SplitMix64(1)).winner for limit in (0, 1)}
    assert outcomes == {0}


def test_the_tree_has_the_statistics() -> None:
    found = uct(load_game("tictactoe").state(), UctConfig(iterations=100), trace=TraceLimit(nodes=40))
    assert found.tree is not None
    assert found.tree.count() == 40
    data = found.tree.to_dict()
    assert data["N"] == 100
    assert sum(child["N"] for child in data["children"]) == 100
    child = data["children"][0]
    assert child["Q"] == child["W"] / child["N"]
    assert "N 100" in found.tree.render(0)


def test_the_exploration_is_the_rest_of_the_score() -> None:
    analysis = uct(load_game("tictactoe").state(), UctConfig(iterations=100)).analysis
    for stats in analysis.moves:
        assert stats.visits is not None
        assert stats.exploration == pytest.approx(1.4142 * math.sqrt(math.log(100) / stats.visits))
    assert sum(analysis.policy.values()) == pytest.approx(1)
