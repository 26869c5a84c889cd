"""The native connect four solver: the reference's answers, the published values, and limits that hold."""

import dataclasses
import threading
from functools import cache
from typing import Any

import pytest

from philidor._native._ext import Connect4, Connect4Solver, connect4_plies
from philidor.core.analysis import Score
from philidor.core.errors import SolveError
from philidor.core.game import AnyState
from philidor.core.random import SplitMix64
from philidor.games import load_game
from philidor.search import load_search
from philidor.search import solver as reference
from philidor.search.limits import Limits, OutOfBudgetError
from philidor.search.native import NativeSolver, solve
from philidor.search.solver import Solution, Solver, SolverConfig
from philidor.search.trace import TraceLimit

# Boards, the fewest stones on them that leave the reference little to do, and how many positions to compare.
BOARDS = [
    ("4x4", 4, 150),
    ("5x4", 10, 150),
    ("4x5", 10, 150),
    ("5x5", 15, 60),
    ("7x6", 31, 60),
    # Narrow, flat and high ones, and those that fill all 64 bits.
    ("1x9", 0, 10),
    ("1x63", 50, 10),
    ("3x5", 0, 40),
    ("2x7", 0, 20),
    ("8x2", 6, 40),
    ("26x1", 19, 20),
    ("16x3", 40, 20),
    ("8x7", 47, 30),
    ("4x15", 50, 20),
]


@cache
def start(size: str) -> AnyState:
    state: AnyState = load_game(f"connect4-{size}").state()
    return state


def random_state(size: str, stones: int, random: SplitMix64) -> AnyState:
    """A position with at least so many stones that is not over; many games end sooner, so it may take some."""
    while True:
        state = start(size)
        target = stones + random.below(4)
        while state.ply < target and not state.is_over():
            moves = state.legal_moves()
            state = state.play(moves[random.below(len(moves))])
        if not state.is_over():
            return state


def whole(solutions: dict[Any, Solution]) -> list[tuple[Any, int, int]]:
    """Value and length of each; solutions themselves compare without the length of a draw."""
    return [(move, solution.value, solution.plies) for move, solution in solutions.items()]


@pytest.mark.parametrize(("size", "stones", "count"), BOARDS)
def test_random_positions_are_solved_as_the_reference_solves_them(size: str, stones: int, count: int) -> None:
    random, twin, solver = SplitMix64(7), NativeSolver(SolverConfig(table_mb=4)), Solver()
    for _ in range(count):
        state = random_state(size, stones, random)
        assert whole(twin.best_moves(state)) == whole(solver.best_moves(state)), state.text()
        assert whole({None: twin.solve(state)}) == whole({None: solver.solve(state)}), state.text()
        assert twin.line(state) == solver.line(state), state.text()


def test_the_first_moves_on_4x4_and_their_answers_are_right() -> None:
    twin, solver = NativeSolver(SolverConfig(table_mb=1)), Solver()
    states = [start("4x4")]
    for _ in range(3):
        for state in states:
            assert whole(twin.best_moves(state)) == whole(solver.best_moves(state)), state.text()
        states = [state.play(move) for state in states for move in state.legal_moves()]
    assert all(solution == Solution.of(0, 16) for solution in twin.best_moves(start("4x4")).values())


def test_a_search_s_result_is_the_reference_s() -> None:
    for moves in ("b b b", "a b a b a"):
        state = start("4x4")
        for move in moves.split():
            state = state.play(move)
        found, expected = (search(state, trace=TraceLimit()) for search in (solve, reference.solve))
        assert found.best == expected.best
        same: dict[str, Any] = {"nodes": 0, "time_s": 0.0}
        assert dataclasses.replace(found.analysis, **same) == dataclasses.replace(expected.analysis, **same)
        assert found.tree == expected.tree


# Value and length of the whole game; the values are in agreement with two other solvers.
@pytest.mark.parametrize(
    ("size", "solution", "scores"),
    [
        ("5x4", (0, 20), [-1, 0, 0, 0, -1]),
        ("4x5", (0, 20), [0, 0, 0, 0]),
        ("5x5", (0, 25), [0, 0, 0, 0, 0]),
        ("4x6", (0, 24), [0, 0, 0, 0]),
        ("6x4", (-1, 24), [-1, -1, -1, -1, -1, -1]),
        ("5x6", (0, 30), [0, 0, 0, 0, 0]),
        ("6x5", (0, 30), [0, 0, 0, 0, 0, 0]),
    ],
)
def test_small_boards_have_their_known_values(size: str, solution: tuple[int, int], scores: list[int]) -> None:
    solver = NativeSolver(SolverConfig(table_mb=64))
    assert list(solver.move_scores(start(size)).values()) == scores
    found = solver.solve(start(size))
    assert (found.value, found.plies) == solution


@pytest.mark.slow
def test_connect_four_is_won_by_the_first_player_in_the_center_on_move_41() -> None:
    solver = NativeSolver()
    assert list(solver.move_scores(start("7x6")).values()) == [-2, -1, 0, 1, 0, -1, -2]
    assert solver.solve(start("7x6")) == Solution.of(1, 41)


# Columns from 1; the scores are Pons' own (blog.gamesolver.org, part 2 and the set Test_L3_R1).
@pytest.mark.parametrize(
    ("played", "score"),
    [
        ("4455", 18),
        ("44455554221", -15),
        ("2252576253462244111563365343671351441", -1),
        ("7422341735647741166133573473242566", 1),
    ],
)
def test_scores_are_those_of_pons(played: str, score: int) -> None:
    state = start("7x6")
    for column in played:
        state = state.play(column)
    assert NativeSolver().score(state) == score


def test_a_table_of_any_size_gives_the_same_scores() -> None:
    scores = [NativeSolver(SolverConfig(table_mb=mb)).move_scores(start("5x5")) for mb in (1, 3, 64)]
    assert scores[0] == scores[1] == scores[2]


def test_a_solver_may_be_asked_about_boards_of_different_sizes() -> None:
    solver = NativeSolver(SolverConfig(table_mb=2))
    for size, value in [("6x4", -1), ("4x6", 0), ("6x4", -1)]:
        assert solver.solve(start(size)).value == value


def test_the_same_questions_take_the_same_work() -> None:
    nodes = []
    for _ in range(2):
        solver = NativeSolver()
        solver.move_scores(start("5x4"))
        nodes.append(solver.budget.visited)
    assert nodes[0] == nodes[1] > 0


def test_a_finished_game_is_solved_already() -> None:
    lost = start("4x4")
    for move in ["a", "b", "a", "b", "a", "b", "a"]:
        lost = lost.play(move)
    assert NativeSolver().solve(lost) == Solution.of(-1, 0)
    with pytest.raises(ValueError, match="the game is over"):
        NativeSolver().score(lost)


@pytest.mark.parametrize("nodes", [1, 500, 9_999, 10_000, 10_001, 200_000])
def test_node_limits_are_kept_exactly(nodes: int) -> None:
    with pytest.raises(SolveError, match=f"not solved after {nodes:,} positions"):
        solve(start("7x6"), limits=Limits(nodes=nodes))
    with pytest.raises(SolveError, match=f"more than {nodes:,} positions"):
        solve(start("7x6"), SolverConfig(max_positions=nodes))


def test_time_limits_and_stops_are_obeyed_and_the_solver_lives_on() -> None:
    solver = NativeSolver(limits=Limits(time_s=0.05))
    with pytest.raises(OutOfBudgetError):
        solver.score(start("7x6"))
    assert solver.budget.time_s < 5
    assert solver.solve(start("4x4").play("a")).value == 0
    asked = threading.Event()

    def stop() -> bool:
        asked.set()
        return True

    with pytest.raises(SolveError, match="not solved"):
        solve(start("7x6"), stop=stop)
    assert asked.is_set()


def test_threads_may_share_a_solver() -> None:
    solver, answers = Connect4Solver(4), []
    boards = [Connect4(5, 4, 0, 0), Connect4(4, 5, 0, 0)] * 3
    threads = [threading.Thread(target=lambda b=board: answers.append(solver.score(b))) for board in boards]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [0] * len(boards)


def test_the_native_solver_refuses_a_table_of_no_size() -> None:
    with pytest.raises(ValueError, match="memory_mb must be at least 1, got 0"):
        Connect4Solver(0)


def test_scores_tell_the_length() -> None:
    empty = Connect4(7, 6, 0, 0)
    assert [connect4_plies(empty, score) for score in (18, 2, 1, 0, -1, -2, -18)] == [7, 39, 41, 42, 42, 40, 8]
    assert [connect4_plies(Connect4(5, 5, 0, 0), score) for score in (1, 0, -1)] == [25, 25, 24]


def test_the_table_s_solver_is_the_native_one_where_it_knows_the_game() -> None:
    found = load_search("solve")(start("5x5")).analysis
    assert found.score == Score(cp=0)
    assert found.depth == 25
    hexapawn = load_search("solve")(load_game("hexapawn").state()).analysis
    assert hexapawn.score == Score(mate=-3)
    # A board of more than 64 bits has no compiled twin; the reference does what it can.
    with pytest.raises(SolveError, match="more than 100 positions"):
        load_search("solve")(load_game("connect4-9x9").state(), SolverConfig(max_positions=100))
