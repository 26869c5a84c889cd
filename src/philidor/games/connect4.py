"""Connect four on any board: stones fall in columns, four in a line win (book, ch. 3.1: any such game will do).

The stones are bits, column by column from the bottom, with one bit more per column that stays empty, so that a
line cannot run from one column's top into the next column (Tromp's layout).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Self, SupportsIndex

from philidor.core.abilities import HasTwin, StonesOnGrid
from philidor.core.descriptor import Descriptor, GridDrawing, Piece, Sizes
from philidor.core.errors import ArgumentError, FenError, IllegalMoveError, checked_text
from philidor.core.game import FIRST, IDENTITY, SECOND, Outcome, Symmetry
from philidor.core.grid import EMPTY, Grid
from philidor.core.stones import StonesInTurn, check_turns
from philidor.core.zobrist import zobrist_numbers

_STONES = "XO"

CONNECT4 = Descriptor(
    name="connect4",
    title="Connect four",
    rules=(
        "X and O take turns dropping a stone into a column, where it falls onto the stones below; X begins. Whoever "
        "first has four stones in a line, across, up or on a diagonal, wins. A full board without such a line is a "
        "draw."
    ),
    sides=("X", "O"),
    sizes=Sizes(usual=(7, 6), width=(4, 12), height=(4, 12)),
    native="connect4",
    drawing=GridDrawing(pieces={"X": Piece("X", FIRST), "O": Piece("O", SECOND)}, art="discs"),
    winning_row=4,
)


@dataclass(frozen=True)
class Connect4State(StonesInTurn, StonesOnGrid, HasTwin):
    """A position: the stones of both players as bits. A move is the number of its column."""

    descriptor = CONNECT4

    grid: Grid
    stones: tuple[int, int]

    @cached_property
    def key(self) -> int:
        """A hash of the position, the same in every process."""
        count = self.grid.width * (self.grid.height + 1)
        numbers = zobrist_numbers("connect4", 2 * count)
        key = 0
        for player in (FIRST, SECOND):
            for bit in range(count):
                if self.stones[player] >> bit & 1:
                    key ^= numbers[2 * bit + player]
        return key

    @property
    def board_bits(self) -> tuple[int, int]:
        """Both players' stones row by row: bit row * width + column."""
        places = [(1 << square, 1 << _bit_of(self.grid, square)) for square in range(self.grid.size)]
        x, o = (sum(bit for bit, place in places if stones & place) for stones in self.stones)
        return x, o

    def twin(self) -> tuple[int, int, int, int]:
        """Returns width, height and both players' stones."""
        return self.grid.width, self.grid.height, *self.stones

    def legal_moves(self) -> list[int]:
        """Returns the columns with room, from the left."""
        return [] if self._has_won else self._open_columns()

    def play(self, move: int | str, /) -> Self:
        """Returns the position after a stone was dropped into a column with room."""
        if isinstance(move, str):
            move = self.parse_move(move)
        elif type(move) is not int and not isinstance(move, SupportsIndex):
            raise ArgumentError("the number of a column, or its text", move)
        elif move not in self.legal_moves():
            raise IllegalMoveError(f"no legal move {move!r} in {self.text()!r}")
        x, o = self.stones
        # Adding a column's lowest bit to its filled bits carries up to the first empty one.
        bottom = 1 << move * (self.grid.height + 1)
        column = bottom * ((1 << self.grid.height) - 1)
        stone = ((x | o) & column) + bottom
        return type(self)(self.grid, (x | stone, o) if self.to_move == FIRST else (x, o | stone))

    def outcome(self) -> Outcome | None:
        """Says who has four in a line; a full board without is a draw."""
        if self._has_won:
            return Outcome(1 - self.to_move, "four in a line")
        return Outcome(None, "board full") if self.ply == self.grid.size else None

    def is_over(self) -> bool:
        """Says whether there is a line or no room."""
        return self._has_won or self.ply == self.grid.size

    def move_text(self, move: int, /) -> str:
        """Writes a column: "a" is the leftmost."""
        return chr(ord("a") + move)

    def parse_move(self, text: str, /) -> int:
        """Reads a column with room: its letter, or its number from 1."""
        plain = checked_text(text).strip().lower()
        for move in self.legal_moves():
            if plain in (self.move_text(move), str(move + 1)):
                return move
        raise IllegalMoveError(f"no legal move {text!r} in {self.text()!r}")

    def text(self) -> str:
        """Writes the rows from the top, as ".../.../.O./XXO" on a board of 3x4."""
        return self.grid.text(self._squares())

    def __str__(self) -> str:
        return f"{self.grid.draw(self._squares())}\n{_STONES[self.to_move]} to move"

    def mirrored(self) -> Self:
        """Returns the position with left and right exchanged."""
        stride = self.grid.height + 1
        column = (1 << stride) - 1
        x, o = (
            sum((stones >> c * stride & column) << (self.grid.width - 1 - c) * stride for c in range(self.grid.width))
            for stones in self.stones
        )
        return type(self)(self.grid, (x, o))

    @cached_property
    def _has_won(self) -> bool:
        """Whether the player who just moved has four in a line."""
        return _has_four(self.stones[1 - self.to_move], self.grid.height + 1)

    def _open_columns(self) -> list[int]:
        stride = self.grid.height + 1
        taken = self.stones[0] | self.stones[1]
        return [c for c in range(self.grid.width) if not taken >> c * stride + self.grid.height - 1 & 1]

    def _squares(self) -> str:
        x, o = self.stones
        squares = []
        for square in range(self.grid.size):
            bit = _bit_of(self.grid, square)
            squares.append("X" if x >> bit & 1 else "O" if o >> bit & 1 else EMPTY)
        return "".join(squares)


class Connect4:
    """The game on one size of board; the usual one is 7x6."""

    descriptor = CONNECT4
    repetition_matters = False

    def __init__(self, width: int = 7, height: int = 6) -> None:
        self.grid = Grid(width, height)
        self.name = CONNECT4.full_name(width=width, height=height)
        self.action_count = width
        self.max_plies = self.grid.size
        self.symmetries = (
            IDENTITY,
            Symmetry[Connect4State, int](
                "mirror",
                Connect4State.mirrored,
                lambda move: width - 1 - move,
                squares=tuple(map(self.grid.mirrored, range(self.grid.size))),
                actions=tuple(reversed(range(width))),
            ),
        )

    def __repr__(self) -> str:
        return f"load_game({self.name!r})"

    def state(self, text: str | None = None, /) -> Connect4State:
        """Returns the empty board, or reads one: its rows from the top, separated by "/"."""
        if text is None:
            return Connect4State(self.grid, (0, 0))
        squares = self.grid.parse(checked_text(text).strip(), _STONES)
        x, o = (
            sum(1 << _bit_of(self.grid, square) for square in range(self.grid.size) if squares[square] == stone)
            for stone in _STONES
        )
        self._check(x, o, squares, text)
        return Connect4State(self.grid, (x, o))

    def action_index(self, state: Connect4State, move: int, /) -> int:
        """A move's number is its column's."""
        return move

    def _check(self, x: int, o: int, squares: str, text: str) -> None:
        """Refuses boards that falling stones in turn cannot make, as far as counting tells."""
        check_turns(x, o, text)
        for square in range(self.grid.width, self.grid.size):
            if squares[square] != EMPTY and squares[square - self.grid.width] == EMPTY:
                raise FenError(f"the stone on {self.grid.name(square)} hangs in the air in {text!r}")
        to_move = (x | o).bit_count() % 2
        if _has_four((x, o)[to_move], self.grid.height + 1):
            raise FenError(f"{_STONES[to_move]} is to move but has four in a line already in {text!r}")


def _bit_of(grid: Grid, square: int) -> int:
    row, column = divmod(square, grid.width)
    return column * (grid.height + 1) + row


def _has_four(stones: int, stride: int) -> bool:
    """Says whether four stones lie on a line: up, across, or on a diagonal."""
    for step in (1, stride - 1, stride, stride + 1):
        pairs = stones & stones >> step
        if pairs & pairs >> 2 * step:
            return True
    return False
