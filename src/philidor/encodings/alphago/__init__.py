"""AlphaGo's planes for Go, readable (book, ch. 4.1.2; Silver et al. 2016, Extended Data Table 2).

Stones (own, other, empty), ones, turns since a stone was put, liberties, what a move would take, the size of the own
chain that it would put in atari, its liberties then, working ladders, sensible moves, zeros: 48 planes, all seen by the
player to move. Where a number has eight planes, the last stands for "this many or more". The first 4, 12 or 20 planes
are the smaller inputs of the paper's Extended Data Table 3; a 49th, for its value network, says whether Black is to
move. cpp/encodings/alphago.cpp is the compiled twin.

AlphaGo's networks have no output for the pass. Moves have the game's own numbers here, the pass among them, because
searches ask for every legal move; `NetworkConfig.policy = "points"` is the head that answers for the points alone.
"""

from __future__ import annotations

from collections.abc import Iterable

from philidor.core.errors import EncodingError
from philidor.core.game import FIRST, AnyGame
from philidor.core.grid import EMPTY
from philidor.encodings.encoding import ReadableEncoding, Shape
from philidor.games.go import Go, GoState
from philidor.games.go.board import chain, is_eye, other, place
from philidor.games.go.ladders import ladder_captures, ladder_escapes

ALPHAGO_PLANES = 48
SIZES = (4, 12, 20, ALPHAGO_PLANES, ALPHAGO_PLANES + 1)
_MOST = 8


class AlphaGoEncoding(ReadableEncoding[GoState]):
    """AlphaGo's planes, one state at a time."""

    shows_squares = True

    def __init__(self, game: AnyGame, planes: int = ALPHAGO_PLANES) -> None:
        """Raises EncodingError for another game, and for a number of planes that the paper has not."""
        if not isinstance(game, Go):
            raise EncodingError(f"AlphaGo's planes are for Go, got {game.name!r}")
        if planes not in SIZES:
            raise EncodingError(f"AlphaGo's inputs have {', '.join(map(str, SIZES))} planes, got {planes}")
        self.name = f"alphago-{planes}"
        self._packed = min(planes, ALPHAGO_PLANES)
        self.shape = Shape(
            self._packed, planes - self._packed, game.grid.height, game.grid.width, policy_size=game.action_count
        )
        self.example = game.state()
        self.twin = ("alphago", (planes,))

    def planes(self, state: GoState) -> tuple[list[int], list[float]]:
        """Returns the planes in the paper's order, and for the value network 1 if Black is to move."""
        planes = alphago_planes(state)[: self._packed]
        return planes, [float(state.to_move == FIRST)] * self.shape.scalar_planes

    def policy_index(self, state: GoState, move: int) -> int:
        """Returns the square's number; that of a pass is the last."""
        return move


def alphago_planes(state: GoState) -> list[int]:
    """Returns the 48 planes; square i is bit i."""
    board, grid, every = state.board, state.grid, range(state.grid.size)
    legal = set(state.legal_moves()) - {state.pass_move}
    colors = [_bits(s for s in every if board[s] == letter) for letter in (state.stone, other(state.stone), EMPTY)]
    stones = [square for square in every if board[square] != EMPTY]
    age = {square: turns for turns, square in reversed(list(enumerate(state.recent, start=1)))}
    captured, self_atari, liberties_after = dict[int, int](), dict[int, int](), dict[int, int]()
    for square in legal:
        after, taken = place(board, square, state.stone, grid)
        captured[square] = 1 + sum(board[each] == other(state.stone) for each in taken)
        if after[square] != EMPTY:  # no suicide
            own, liberties = chain(after, square, grid)
            liberties_after[square] = len(liberties)
            self_atari[square] = len(own) if len(liberties) == 1 else 0
    return [
        *colors,
        _bits(every),
        *_counted({square: age.get(square, _MOST) for square in stones}),
        *_counted({square: len(chain(board, square, grid)[1]) for square in stones}),
        *_counted(captured),
        *_counted(self_atari),
        *_counted(liberties_after),
        _bits(legal.intersection(ladder_captures(state))),
        _bits(legal.intersection(ladder_escapes(state))),
        _bits(square for square in legal if not is_eye(board, square, state.stone, grid)),
        0,
    ]


def _bits(squares: Iterable[int]) -> int:
    return sum(1 << square for square in squares)


def _counted(numbers: dict[int, int]) -> list[int]:
    """Returns planes for 1 to 7, and for 8 or more; a square with 0 is on none."""
    return [
        _bits(square for square, number in numbers.items() if min(number, _MOST) == plane)
        for plane in range(1, _MOST + 1)
    ]
