"""The solver: distances, perfect lines, and what it refuses."""

from fractions import Fraction
from itertools import pairwise

import pytest

from philidor.core.analysis import Score
from philidor.core.errors import SolveError
from philidor.games import load_game
from philidor.games.chess import Position
from philidor.games.enumeration import reachable
from philidor.search.limits import Limits
from philidor.search.orders import backwards
from philidor.search.solver import Solution, Solver, SolverConfig, game_value, solve
from philidor.search.trace import TraceLimit


def test_solutions_are_ordered_from_bad_to_good() -> None:
    ordered = [Solution.of(-1, 2), Solution.of(-1, 8), Solution.of(0, 3), Solution.of(1, 9), Solution.of(1, 1)]
    assert all(worse < better for worse, better in pairwise(ordered))
    assert Solution.of(-1, 2).before() == Solution.of(1, 3)


def test_hexapawn_is_won_by_the_second_player_in_six_plies() -> None:
    found = solve(load_game("hexapawn").state(), trace=TraceLimit())
    assert found.analysis.score == Score(mate=-3)
    assert found.analysis.depth == 6
    assert found.analysis.value == -1.0
    assert len(found.analysis.lines[0].moves) == 6
    assert found.tree is not None
    assert [child.value for child in found.tree.children] == [-1, -1, -1]


@pytest.mark.parametrize("game", ["hexapawn", "tictactoe"])
def test_every_position_follows_from_its_successors(game: str) -> None:
    solver = Solver()
    for number, state in enumerate(reachable(load_game(game).state())):
        solution = solver.solve(state)
        outcome = state.outcome()
        if outcome is not None:
            assert (solution.value, solution.plies) == (outcome.value_for(state.to_move), 0)
        else:
            assert solution == max(solver.best_moves(state).values())
        if number % 20:
            continue
        assert game_value(state) == solution.value
        assert game_value(state, order=backwards, symmetries=load_game(game).symmetries) == solution.value
    line = solver.line(load_game(game).state())
    if game == "hexapawn":
        assert len(line) == 6


def test_too_large_a_game_is_refused() -> None:
    with pytest.raises(SolveError, match="more than 1,000 positions"):
        solve(load_game("connect4").state(), SolverConfig(max_positions=1_000))
    with pytest.raises(SolveError, match="not solved after 500 positions"):
        solve(load_game("connect4").state(), limits=Limits(nodes=500))


def test_a_game_that_repeats_is_refused() -> None:
    with pytest.raises(SolveError, match="can repeat"):
        Solver().solve(Position("4k3/8/8/8/8/8/8/4K2R w - - 0 1"))


def test_fractions_of_random_play_are_exact() -> None:
    from philidor.games.enumeration import random_play

    odds = random_play(load_game("tictactoe").state())
    assert sum(odds.values()) == 1
    assert all(isinstance(chance, Fraction) for chance in odds.values())
    # Known from the 255,168 games weighted by their chances: X 58.5 %, O 28.8 %, draws 12.7 %.
    assert [round(float(odds[result]), 3) for result in (0, 1, None)] == [0.585, 0.288, 0.127]
