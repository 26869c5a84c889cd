"""The native UCT and games are the twins of the Python ones, and behave as a search in a thread must."""

import threading
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from philidor.core.errors import ConfigError
from philidor.core.game import AnyState
from philidor.core.random import SplitMix64
from philidor.games import load_game
from philidor.search import config_class, load_search, native
from philidor.search.limits import Limits
from philidor.search.solver import solve
from philidor.search.trace import TraceLimit
from philidor.search.uct import UctConfig, uct

TASKS = Path("/proc/self/task")
SMALL_GAMES = [
    *("tictactoe", "connect4", "connect4-4x4", "connect4-1x9", "hexapawn", "hexapawn-4x5", "hexapawn-1x4"),
    "gomoku-5x5",
]
LARGE_GAMES = ["gomoku-8x8", "gomoku-9x9", "gomoku-13x5", "gomoku", "gomoku-19x19"]
MATE_IN_ONE = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4"
CHESS_POSITIONS = [
    None,
    MATE_IN_ONE,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 97 90",
    "7k/8/6K1/8/8/8/8/R7 b - - 98 80",
]


def walk(state: AnyState, choices: list[int]) -> AnyState:
    """Plays the chosen moves, but stops before the game is over."""
    for choice in choices:
        moves = state.legal_moves()
        following = state.play(moves[choice % len(moves)])
        if following.is_over():
            break
        state = following
    return state


@pytest.mark.parametrize("name", SMALL_GAMES)
@given(choices=st.lists(st.integers(min_value=0, max_value=1000), max_size=45))
@settings(max_examples=60, deadline=None)
def test_native_small_games_follow_the_same_rules(name: str, choices: list[int]) -> None:
    assert_same_rules(load_game(name).state(), choices, depths=(1, 2, 3))


@pytest.mark.parametrize("name", LARGE_GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_native_large_boards_follow_the_same_rules(name: str, seed: int) -> None:
    random = SplitMix64(seed)
    assert_same_rules(load_game(name).state(), [random.below(2**20) for _ in range(361)], depths=(1, 2))


def assert_same_rules(state: AnyState, choices: list[int], depths: tuple[int, ...]) -> None:
    """Both twins, walked side by side, must agree on everything."""
    twin = native.native_root(state)
    for choice in choices:
        outcome = state.outcome()
        assert twin.to_move == state.to_move, state.text()
        assert twin.ending == (None if outcome is None else -1 if outcome.winner is None else outcome.winner)
        moves = state.legal_moves()
        assert twin.count_moves() == len(moves), state.text()
        if not moves:
            break
        place = choice % len(moves)
        state, twin = state.play(moves[place]), twin.play(place)
        # Read afresh from the Python state, the native one must be the one that was played to.
        fresh = native.native_root(state)
        assert [fresh.perft(depth) for depth in depths] == [twin.perft(depth) for depth in depths], state.text()


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("tictactoe", [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]),
        ("connect4", [7, 49, 343, 2401, 16807, 117649, 823536]),
        ("hexapawn", [3, 10, 28, 56, 70, 64]),
        ("hexapawn-4x4", [4, 16, 66, 280, 1170, 4548]),
        ("hexapawn-3x4", [3, 9, 28, 88, 256, 650]),
        ("gomoku", [225, 225 * 224, 225 * 224 * 223]),
    ],
)
def test_native_perft_is_the_published_one(name: str, counts: list[int]) -> None:
    root = native.native_root(load_game(name).state())
    assert [root.perft(depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize("name", SMALL_GAMES)
@given(
    choices=st.lists(st.integers(min_value=0, max_value=1000), max_size=30),
    seed=st.integers(min_value=0, max_value=2**63 - 1),
    iterations=st.integers(min_value=1, max_value=300),
    exploration=st.floats(min_value=0.0, max_value=3.0),
    playout_limit=st.sampled_from([1, 5, 10_000]),
)
@settings(max_examples=25, deadline=None)
def test_native_uct_grows_the_same_tree(
    name: str, choices: list[int], seed: int, iterations: int, exploration: float, playout_limit: int
) -> None:
    config = UctConfig(iterations=iterations, exploration=exploration, seed=seed, playout_limit=playout_limit)
    assert_twins_agree(walk(load_game(name).state(), choices), config)


@pytest.mark.parametrize(("name", "iterations"), [("gomoku-9x9", 120), ("gomoku-19x19", 400)])
def test_native_uct_grows_the_same_tree_on_large_boards(name: str, iterations: int) -> None:
    # On 19x19 more simulations than moves, so that the first children have children; their playouts are cut short.
    state = load_game(name).state().play("e5").play("e6")
    config = UctConfig(iterations=iterations, seed=5, playout_limit=10_000 if iterations < 361 else 8)
    assert_twins_agree(state, config)


@pytest.mark.parametrize("fen", CHESS_POSITIONS)
@given(
    choices=st.lists(st.integers(min_value=0, max_value=1000), max_size=40),
    seed=st.integers(min_value=0, max_value=2**63 - 1),
)
@settings(max_examples=3, deadline=None)
def test_native_uct_grows_the_same_tree_on_chess(fen: str | None, choices: list[int], seed: int) -> None:
    position = walk(load_game("chess").state(fen), choices)
    assert_twins_agree(position, UctConfig(iterations=60, seed=seed))


def test_native_uct_knows_the_repetitions_before_its_root() -> None:
    position = load_game("chess").state()
    for move in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"]:
        position = position.play(move)
    config = UctConfig(iterations=100, seed=3)
    assert_twins_agree(position, config)
    # Going home with the knight is the third occurrence of the start position: always a draw.
    found = native.uct(position, config).analysis
    home = next(stats for stats in found.moves if stats.move == "f6g8")
    assert home.value == 0.0
    assert home.visits is not None
    assert home.visits > 1


def assert_twins_agree(state: AnyState, config: UctConfig) -> None:
    """All that both searches say must be the same, to the last digit."""
    reference, twin = uct(state, config), native.uct(state, config)
    assert twin.best == reference.best, (state.text(), config)
    expected, found = reference.analysis.to_dict(), twin.analysis.to_dict()
    del expected["time_s"], found["time_s"]
    assert found == expected, (state.text(), config)


def test_two_hundred_simulations_prefer_the_mate_of_figure_3_1() -> None:
    position = load_game("chess").state(MATE_IN_ONE)
    for seed in range(20):
        found = native.uct(position, UctConfig(iterations=200, seed=seed)).analysis
        assert found.best == "h5f7", seed
        assert found.lines[0].moves == ("h5f7",)


@pytest.mark.parametrize(
    ("name", "iterations"), [("tictactoe", 300_000), ("hexapawn", 50_000), ("hexapawn-4x4", 500_000)]
)
def test_values_converge_to_the_solver_s(name: str, iterations: int) -> None:
    state = load_game(name).state()
    found = native.uct(state, UctConfig(iterations=iterations)).analysis
    best = next(stats for stats in found.moves if stats.move == found.best)
    assert best.value == pytest.approx(solver_value(state), abs=0.1)


def solver_value(state: AnyState) -> float:
    """Reads 1, 0 or -1 for the side to move off the solver's score."""
    score = solve(state).analysis.score
    assert score is not None
    mate = score.mate
    return 0.0 if mate is None else 1.0 if mate > 0 else -1.0


def last_event(search: native.UctSearch) -> native.UctProgress:
    while (event := search.next_event(60.0)) is not None:
        if event.end is not None:
            return event
    raise AssertionError("no event within a minute")


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "hexapawn-4x4", "gomoku-19x19", "chess"])
def test_a_stopped_search_ends_within_ten_milliseconds(name: str) -> None:
    delays = []
    for _ in range(5):
        search = native.UctSearch(load_game(name).state(), UctConfig(iterations=1_000_000_000))
        search.start(report_every_s=0.001)
        assert search.next_event(60.0) is not None  # it runs
        asked = time.perf_counter()
        search.stop()
        assert last_event(search).end == "stopped"
        delays.append(time.perf_counter() - asked)
    # The best of five: a busy machine may hold up any one.
    assert min(delays) < 0.010


def test_time_and_simulations_are_limits_and_a_search_goes_on() -> None:
    search = native.UctSearch(load_game("connect4").state(), UctConfig(iterations=1_000_000_000))
    search.start(Limits(nodes=1000))
    event = last_event(search)
    assert (event.end, event.result.analysis.nodes) == ("simulations", 1000)
    assert search.next_event(60.0) is None
    search.start(Limits(nodes=500))
    assert last_event(search).result.analysis.nodes == 1500
    search.start(Limits(time_s=0.01))
    assert last_event(search).end == "time"
    search.start(Limits(time_s=0.0))
    assert last_event(search).end == "time"


def test_a_full_memory_ends_the_search() -> None:
    search = native.UctSearch(load_game("connect4").state(), UctConfig(iterations=1_000_000_000), memory_mb=1)
    search.start()
    assert last_event(search).end == "memory"


def test_searches_in_threads_do_not_disturb_each_other() -> None:
    state, config = load_game("connect4").state(), UctConfig(iterations=50_000, seed=9)
    alone = native.uct(state, config).analysis
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(native.uct(state, config).analysis)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [analysis.moves for analysis in found] == [alone.moves] * 3


def test_the_stop_callback_ends_a_blocking_search() -> None:
    asked = iter([False, False, True])
    config = UctConfig(iterations=1_000_000_000)
    found = native.uct(load_game("chess").state(), config, stop=lambda: next(asked, True))
    assert 0 < found.analysis.nodes < config.iterations


@pytest.mark.skipif(not TASKS.exists(), reason="counts threads in /proc")
def test_a_search_that_nobody_waits_for_ends_with_its_object() -> None:
    before = len(list(TASKS.iterdir()))
    search = native.UctSearch(load_game("tictactoe").state(), UctConfig(iterations=1_000_000_000))
    search.start()
    assert len(list(TASKS.iterdir())) == before + 1
    del search
    assert len(list(TASKS.iterdir())) == before


def test_what_the_compiled_core_cannot_search_is_refused_in_one_line() -> None:
    with pytest.raises(ConfigError, match="use the search 'uct'"):
        native.uct(load_game("connect4-9x9").state())
    with pytest.raises(ConfigError, match="use the search 'uct'"):
        native.uct(load_game("hexapawn-9x9").state())
    with pytest.raises(ConfigError, match="trace"):
        native.uct(load_game("tictactoe").state(), trace=TraceLimit())
    with pytest.raises(ValueError, match="over"):
        native.uct(load_game("tictactoe").state("XXX/OO./..."))
    search = native.UctSearch(load_game("chess").state())
    search.start()
    with pytest.raises(RuntimeError, match="running"):
        search.start()


def test_the_table_of_searches_names_it() -> None:
    assert load_search("uct-native") is native.uct
    assert config_class(load_search("uct-native")) is UctConfig
