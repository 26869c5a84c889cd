"""Exact numbers that others have published: positions, games, move sequences, values."""

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction

import pytest

from philidor.core.game import AnyState
from philidor.games import load_game
from philidor.games.enumeration import count_games, perft, positions_by_ply, random_play, reachable
from philidor.games.gomoku import GomokuState
from philidor.search.solver import Solver, game_value


def start(name: str) -> AnyState:
    state: AnyState = load_game(name).state()
    return state


def orbit(name: str, state: AnyState) -> AnyState:
    """One representative of all images of a state."""
    images = [symmetry.state(state) for symmetry in load_game(name).symmetries]
    return min(images, key=lambda image: image.text())


def test_tictactoe_has_255168_games() -> None:
    assert count_games(start("tictactoe")) == {0: 131_184, 1: 77_904, None: 46_080}


def test_tictactoe_has_5478_positions() -> None:
    positions = list(reachable(start("tictactoe")))
    assert len(positions) == 5_478
    assert sum(position.is_over() for position in positions) == 958


def test_tictactoe_has_765_positions_up_to_symmetry() -> None:
    orbits = {orbit("tictactoe", position) for position in reachable(start("tictactoe"))}
    assert len(orbits) == 765
    assert sum(position.is_over() for position in orbits) == 138


def test_tictactoe_move_sequences() -> None:
    counts = [perft(start("tictactoe"), depth) for depth in range(1, 10)]
    assert counts == [9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872]


def test_tictactoe_is_drawn() -> None:
    assert Solver().solve(start("tictactoe")).value == 0


def test_hexapawn_has_135_positions_of_which_70_go_on() -> None:
    positions = list(reachable(start("hexapawn")))
    assert len(positions) == 135
    assert sum(not position.is_over() for position in positions) == 70


def test_the_books_walk_of_hexapawn_visits_252_nodes_of_which_118_go_on() -> None:
    """The book (5.3) prints 188 positions: its dictionary counts objects."""

    def walk(state: AnyState) -> Iterator[AnyState]:
        yield state
        if not state.is_over():
            for move in state.legal_moves():
                yield from walk(state.play(move))

    nodes = list(walk(start("hexapawn")))
    assert len(nodes) == 252
    assert sum(not node.is_over() for node in nodes) == 118


def test_hexapawn_games_and_move_sequences() -> None:
    assert count_games(start("hexapawn")) == {0: 64, 1: 70}
    assert [perft(start("hexapawn"), depth) for depth in range(1, 7)] == [3, 10, 28, 56, 70, 64]
    assert [perft(start("hexapawn-3x4"), depth) for depth in range(1, 7)] == [3, 9, 28, 88, 256, 650]


def test_hexapawn_4x4() -> None:
    positions = list(reachable(start("hexapawn-4x4")))
    assert len(positions) == 20_286
    assert sum(position.is_over() for position in positions) == 8_866
    assert count_games(start("hexapawn-4x4")) == {0: 1_391_458, 1: 938_898}
    assert [perft(start("hexapawn-4x4"), depth) for depth in range(1, 7)] == [4, 16, 66, 280, 1_170, 4_548]


def test_random_players_of_hexapawn_score_59_95_to_40_05() -> None:
    # Table 5.1's sample of a hundred games has 62 to 38.
    odds = random_play(start("hexapawn"))
    assert odds == {0: Fraction(259, 432), 1: Fraction(173, 432)}
    assert round(100 * float(odds[0]), 2) == 59.95


# (width, height): value for White and plies to the end under perfect play.
HEXAPAWN = {
    (1, 3): (1, 1),
    (2, 3): (-1, 2),
    (3, 3): (-1, 6),
    (4, 3): (1, 5),
    (5, 3): (1, 7),
    (6, 3): (-1, 8),
    (7, 3): (1, 9),
    (1, 4): (-1, 2),
    (2, 4): (-1, 6),
    (3, 4): (-1, 8),
    (4, 4): (1, 11),
    (5, 4): (-1, 14),
    (6, 4): (-1, 16),
    (1, 5): (1, 3),
    (2, 5): (-1, 6),
    (3, 5): (1, 11),
    (4, 5): (-1, 16),
    (1, 6): (-1, 4),
    (2, 6): (-1, 10),
    (3, 6): (-1, 14),
    (4, 6): (1, 21),
    (2, 7): (-1, 10),
    (3, 7): (1, 19),
    (2, 8): (-1, 14),
    (3, 8): (-1, 22),
}
LARGE = {(5, 4), (6, 4), (4, 5), (4, 6)}


@pytest.mark.parametrize(
    ("size", "solution"),
    [pytest.param(size, HEXAPAWN[size], marks=[pytest.mark.slow] if size in LARGE else []) for size in HEXAPAWN],
    ids=str,
)
def test_hexapawn_is_solved(size: tuple[int, int], solution: tuple[int, int]) -> None:
    found = Solver().solve(start(f"hexapawn-{size[0]}x{size[1]}"))
    assert (found.value, found.plies) == solution


def test_connect_four_move_sequences_and_positions() -> None:
    assert [perft(start("connect4"), depth) for depth in range(1, 8)] == [7, 49, 343, 2_401, 16_807, 117_649, 823_536]
    assert positions_by_ply(start("connect4"), 6) == [1, 7, 49, 238, 1_120, 4_263, 16_422]


def test_gomoku_positions_and_rows() -> None:
    # Before the ninth stone nobody can have five: x stones of X and o of O stand anywhere on 25 squares.
    sizes = [(0, 0), (1, 0), (1, 1), (2, 1)]
    assert positions_by_ply(start("gomoku-5x5"), 3) == [math.comb(25, x) * math.comb(25 - x, o) for x, o in sizes]
    # Every row of five on a board: of w across in h rows, w upright, and on both diagonals.
    for width, height in [(5, 5), (6, 5), (9, 7), (15, 15), (19, 19)]:
        rows = (width - 4) * height + width * (height - 4) + 2 * (width - 4) * (height - 4)
        assert winning_rows(width, height) == rows


def winning_rows(width: int, height: int) -> int:
    """Counts the sets of five squares, each from the next by the same step, that the rules call a win."""
    game, size = load_game(f"gomoku-{width}x{height}"), width * height
    wins = 0
    for first in range(size):
        for step in range(1, (size - 1 - first) // 4 + 1):
            five = range(first, first + 5 * step, step)
            four = [square for square in range(9) if square not in five][:4]
            wins += GomokuState(game.state().grid, (bits(five), bits(four))).is_over()
    return wins


def bits(squares: Iterable[int]) -> int:
    return sum(1 << square for square in squares)


@pytest.mark.slow
def test_connect_four_move_sequences_and_positions_further_on() -> None:
    assert [perft(start("connect4"), depth) for depth in (8, 9)] == [5_673_234, 39_394_572]
    assert positions_by_ply(start("connect4"), 9)[7:] == [54_859, 184_275, 558_186]


def test_connect_four_4x4_has_161029_positions() -> None:
    assert sum(1 for _ in reachable(start("connect4-4x4"))) == 161_029


@pytest.mark.parametrize(
    ("size", "value"),
    [
        ("4x4", 0),
        ("4x5", 0),
        ("5x4", 0),
        pytest.param("4x6", 0, marks=pytest.mark.slow),
        pytest.param("6x4", -1, marks=pytest.mark.slow),
    ],
)
def test_small_boards_of_connect_four_are_solved(size: str, value: int) -> None:
    game = load_game(f"connect4-{size}")

    def center_first(state: AnyState) -> list[int]:
        return sorted(state.legal_moves(), key=lambda column: abs(2 * column - game.action_count + 1))

    assert game_value(game.state(), order=center_first, symmetries=game.symmetries) == value
