"""What holds for every search of the table, and minimax and alpha-beta against each other and the solver."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from philidor.core.analysis import Score
from philidor.core.errors import ConfigError, UnknownNameError
from philidor.core.game import AnyState
from philidor.core.random import SplitMix64
from philidor.evaluators import load_heuristic
from philidor.games import load_game
from philidor.games.chess import Position
from philidor.search import SEARCHES, config_class, load_search
from philidor.search.alphabeta import AlphaBetaConfig, alphabeta
from philidor.search.limits import Limits
from philidor.search.minimax import MinimaxConfig, minimax
from philidor.search.solver import Solver
from philidor.search.trace import TraceLimit

GAMES = ["hexapawn", "hexapawn-4x4", "tictactoe", "connect4-4x3"]


def random_state(name: str, plies: int, seed: int) -> AnyState:
    """A state that is not over, at most `plies` moves from the start."""
    random = SplitMix64(seed)
    state: AnyState = load_game(name).state()
    for _ in range(plies):
        moves = state.legal_moves()
        following = state.play(moves[random.below(len(moves))])
        if following.is_over():
            break
        state = following
    return state


def strange_heuristic(state: AnyState, /) -> int:
    """Any function will do; one that depends on the key alone has no favorites."""
    return state.key % 199 - 99


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("game", GAMES)
def test_every_search_plays_a_whole_game(name: str, game: str) -> None:
    search = load_search(name)
    state = load_game(game).state()
    while not state.is_over():
        found = search(state, limits=Limits() if name == "solve" else Limits(nodes=300))
        assert found.best in state.legal_moves()
        assert found.analysis.best == state.move_text(found.best)
        state = state.play(found.best)


@pytest.mark.parametrize("name", SEARCHES)
def test_searches_have_configs(name: str) -> None:
    assert config_class(load_search(name))().__class__.__name__.endswith("Config")


def test_an_unknown_search_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match=r"no algorithm 'minmax'; did you mean 'minimax'\?"):
        load_search("minmax")


@pytest.mark.parametrize("depth", [0, -1])
def test_a_depth_below_one_is_refused(depth: int) -> None:
    with pytest.raises(ConfigError, match=f"depth must be an integer from 1 to 1000, got {depth}"):
        AlphaBetaConfig(depth=depth)


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=15, deadline=None)
@given(plies=st.integers(0, 8), seed=st.integers(0, 2**32), depth=st.integers(1, 4), quick=st.booleans())
def test_alphabeta_gives_the_move_and_score_of_minimax(
    game: str, plies: int, seed: int, depth: int, quick: bool
) -> None:
    state = random_state(game, plies, seed)
    full = minimax(state, MinimaxConfig(depth=depth, prefers_quick_wins=quick), heuristic=strange_heuristic)
    for window in ("full", "shared"):
        config = AlphaBetaConfig(depth=depth, root_window=window, prefers_quick_wins=quick)
        cut = alphabeta(state, config, heuristic=strange_heuristic)
        assert cut.best == full.best
        assert cut.analysis.score == full.analysis.score
        assert cut.analysis.nodes <= full.analysis.nodes
        if window == "full":
            assert [stats.score for stats in cut.analysis.moves] == [stats.score for stats in full.analysis.moves]
    other = alphabeta(state, AlphaBetaConfig(depth=depth, order="backwards"), heuristic=strange_heuristic)
    if not quick:
        assert other.analysis.score is not None
        assert full.analysis.score is not None
        assert other.analysis.score.cp == full.analysis.score.cp


@pytest.mark.parametrize("game", ["hexapawn", "tictactoe"])
@settings(max_examples=15, deadline=None)
@given(plies=st.integers(0, 6), seed=st.integers(0, 2**32))
def test_searching_to_the_end_is_solving(game: str, plies: int, seed: int) -> None:
    state = random_state(game, plies, seed)
    solution = Solver().solve(state)
    found = alphabeta(state, AlphaBetaConfig(depth=20, prefers_quick_wins=True))
    assert found.analysis.score is not None
    if solution.value == 0:
        assert found.analysis.score.cp == 0
    else:
        assert found.analysis.score.mate == solution.value * ((solution.plies + 1) // 2)
        assert len(found.analysis.lines[0].moves) == solution.plies


def test_quick_wins_are_preferred_only_on_demand() -> None:
    # Both rooks mate at once; this order looks at the king first, who lets them do it a move later.
    position = Position("k7/8/1K6/8/8/8/8/2R4R w - - 0 1")
    scores = [
        alphabeta(position, AlphaBetaConfig(depth=3, order="backwards", prefers_quick_wins=quick)).analysis.score
        for quick in (False, True)
    ]
    assert scores == [Score(mate=2), Score(mate=1)]


def test_black_is_seen_from_black_s_side() -> None:
    # Black mates with Qh4; scores in an Analysis are the mover's.
    position = Position().play("f2f3").play("e7e5").play("g2g4")
    found = alphabeta(position, AlphaBetaConfig(depth=2), heuristic=load_heuristic("book"))
    assert found.analysis.best == "d8h4"
    assert str(found.analysis.score) == "#1"


@pytest.mark.parametrize("name", ["minimax", "alphabeta", "uct"])
def test_node_limits_are_kept(name: str) -> None:
    found = load_search(name)(Position(), limits=Limits(nodes=150))
    assert found.analysis.nodes <= 150
    assert found.best in Position().legal_moves()


@pytest.mark.parametrize("name", ["minimax", "alphabeta", "uct"])
def test_a_stop_is_obeyed(name: str) -> None:
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 3

    search = load_search(name)
    deep: Any = {"minimax": {"depth": 50}, "alphabeta": {"depth": 50}, "uct": {"iterations": 10**9}}[name]
    found = search(Position(), replace(config_class(search)(), **deep), stop=stop)
    assert found.best in Position().legal_moves()
    assert found.analysis.nodes <= 4 * 64


def test_time_limits_are_kept() -> None:
    found = alphabeta(Position(), AlphaBetaConfig(depth=50), limits=Limits(time_s=0.2))
    assert 0.1 < found.analysis.time_s < 2
    with pytest.raises(ConfigError, match="time_s"):
        Limits(time_s=-1)


@pytest.mark.parametrize("name", ["minimax", "alphabeta"])
def test_without_any_budget_there_is_still_a_legal_move(name: str) -> None:
    found = load_search(name)(Position(), stop=lambda: True)
    assert found.best == Position().legal_moves()[0]
    assert found.analysis.score is None


def test_trees_are_kept_on_demand() -> None:
    state = load_game("tictactoe").state()
    assert minimax(state, MinimaxConfig(depth=2)).tree is None
    tree = minimax(state, MinimaxConfig(depth=2), trace=TraceLimit()).tree
    assert tree is not None
    assert tree.count() == 1 + 9 + 72
    small = minimax(state, MinimaxConfig(depth=3), trace=TraceLimit(nodes=50)).tree
    assert small is not None
    assert small.count() == 50
    shallow = minimax(state, MinimaxConfig(depth=3), trace=TraceLimit(plies=1)).tree
    assert shallow is not None
    assert shallow.count() == 10


def test_the_tree_of_minimax_is_consistent() -> None:
    state = load_game("hexapawn").state()
    tree = minimax(state, MinimaxConfig(depth=4), heuristic=strange_heuristic, trace=TraceLimit()).tree
    assert tree is not None
    nodes = [tree]
    for node in nodes:
        nodes += node.children
        if node.children:
            values = [child.value for child in node.children if child.value is not None]
            assert len(values) == len(node.children)
            assert node.value == (max(values) if node.to_move == 0 else min(values))
            assert node.ending is None
        else:
            assert node.ending is not None


def test_the_tree_of_alphabeta_shows_windows_and_cutoffs() -> None:
    state = load_game("tictactoe").state()
    found = alphabeta(state, AlphaBetaConfig(depth=4), heuristic=strange_heuristic, trace=TraceLimit())
    assert found.tree is not None
    nodes = [found.tree]
    cutoffs = 0
    for node in nodes:
        nodes += node.children
        if node.is_cutoff:
            cutoffs += 1
            assert node.skipped or node.children
            assert node.value is not None
            assert node.alpha is not None
            assert node.beta is not None
            assert node.value >= node.beta if node.to_move == 0 else node.value <= node.alpha
    assert cutoffs == found.analysis.counters["cutoffs"] > 0
    data = found.tree.to_dict()
    assert data["children"][0]["alpha"] == -99_999
    assert "window -99999..99999" in found.tree.render(plies=1)
    assert found.tree.to_json().startswith('{"to_move": 0, "value": ')
