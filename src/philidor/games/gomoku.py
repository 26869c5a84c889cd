"""Gomoku by the free rules: five stones or more in a row win; the board may have more squares than a word has bits.

Book: ch. 3.1 and 4.3.3, where any such game will do. This is the smallest set of rules that wants a board of Go's size.
"""

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from typing import Self

from philidor.core.abilities import HasTwin, StonesOnGrid, words
from philidor.core.descriptor import Descriptor, GridDrawing, Piece, Sizes
from philidor.core.errors import FenError, IllegalMoveError, checked_text
from philidor.core.game import FIRST, IDENTITY, SECOND, Outcome, Symmetry
from philidor.core.grid import EMPTY, Grid
from philidor.core.stones import StonesInTurn, check_turns
from philidor.core.zobrist import zobrist_numbers

_STONES = "XO"
_SIDES = range(5, 20)

GOMOKU = Descriptor(
    name="gomoku",
    title="Gomoku",
    rules=(
        "X and O take turns putting a stone on an empty point; X begins. Whoever first has five or more stones in an "
        "unbroken row, across, up or on a diagonal, wins. A full board without such a row is a draw."
    ),
    sides=("X", "O"),
    sizes=Sizes(usual=(15, 15), width=(5, 19), height=(5, 19)),
    native="gomoku",
    drawing=GridDrawing(pieces={"X": Piece("X", FIRST), "O": Piece("O", SECOND)}, style="points", art="marked-stones"),
    winning_row=5,
)


@dataclass(frozen=True)
class GomokuState(StonesInTurn, StonesOnGrid, HasTwin):
    """A position: the stones of both players as bits, row by row from the bottom. A move is its square's number."""

    descriptor = GOMOKU

    grid: Grid
    stones: tuple[int, int]

    @cached_property
    def key(self) -> int:
        """A hash of the position, the same in every process."""
        numbers = zobrist_numbers("gomoku", 2 * self.grid.size)
        key = 0
        for player in (FIRST, SECOND):
            for square in _squares_of(self.stones[player]):
                key ^= numbers[2 * square + player]
        return key

    @property
    def board_bits(self) -> tuple[int, int]:
        """Both players' stones: bit row * width + column."""
        return self.stones

    def twin(self) -> tuple[int, int, list[int], list[int]]:
        """Returns width, height and both players' stones."""
        x, o = (words(stones, self.grid.size) for stones in self.stones)
        return self.grid.width, self.grid.height, x, o

    def legal_moves(self) -> list[int]:
        """Returns the empty squares."""
        return [] if self._has_won else _squares_of(self._empty)

    def play(self, move: int | str, /) -> Self:
        """Returns the position after a stone was put on an empty square."""
        if isinstance(move, str):
            move = self.parse_move(move)
        elif not self._is_legal(move):
            raise IllegalMoveError(f"no legal move {move!r} in {self.text()!r}")
        x, o = self.stones
        return type(self)(self.grid, (x | 1 << move, o) if self.to_move == FIRST else (x, o | 1 << move))

    def outcome(self) -> Outcome | None:
        """Says who has five in a row; a full board without is a draw."""
        if self._has_won:
            return Outcome(1 - self.to_move, "five in a row")
        return Outcome(None, "board full") if self.ply == self.grid.size else None

    def is_over(self) -> bool:
        """Says whether there is a row of five or no room."""
        return self._has_won or self.ply == self.grid.size

    def move_text(self, move: int, /) -> str:
        """Writes a move: "h8" is the center of the usual board."""
        return self.grid.name(move)

    def parse_move(self, text: str, /) -> int:
        """Reads a legal move."""
        square = self.grid.square(checked_text(text).strip().lower())
        if square is None or not self._is_legal(square):
            raise IllegalMoveError(f"no legal move {text!r} in {self.text()!r}")
        return square

    def text(self) -> str:
        """Writes the rows from the top, one character a square, separated by "/"."""
        return self.grid.text(self._squares())

    def __str__(self) -> str:
        return f"{self.grid.draw(self._squares())}\n{_STONES[self.to_move]} to move"

    @cached_property
    def _has_won(self) -> bool:
        """Whether the player who just moved has five in a row."""
        return _has_five(self.stones[1 - self.to_move], self.grid)

    @property
    def _empty(self) -> int:
        return ((1 << self.grid.size) - 1) & ~(self.stones[0] | self.stones[1])

    def _is_legal(self, move: int) -> bool:
        return 0 <= move < self.grid.size and bool(self._empty >> move & 1) and not self._has_won

    def _squares(self) -> str:
        squares = [EMPTY] * self.grid.size
        for stones, letter in zip(self.stones, _STONES, strict=True):
            for square in _squares_of(stones):
                squares[square] = letter
        return "".join(squares)


class Gomoku:
    """The game on one size of board, from 5x5 to 19x19; the usual one is 15x15."""

    descriptor = GOMOKU
    repetition_matters = False

    def __init__(self, width: int = 15, height: int = 15) -> None:
        if width not in _SIDES or height not in _SIDES:
            raise ValueError(f"gomoku is played on 5x5 to 19x19, got {width}x{height}")
        self.grid = Grid(width, height)
        self.name = GOMOKU.full_name(width=width, height=height)
        self.action_count = self.grid.size
        self.max_plies = self.grid.size
        self.symmetries = tuple(_symmetries(self.grid))

    def __repr__(self) -> str:
        return f"load_game({self.name!r})"

    def state(self, text: str | None = None, /) -> GomokuState:
        """Returns the empty board, or reads one: its rows from the top, separated by "/"."""
        if text is None:
            return GomokuState(self.grid, (0, 0))
        squares = self.grid.parse(checked_text(text).strip(), _STONES)
        # The first square is the lowest bit, so the digits of the number begin with the last one.
        x, o = (int("".join("01"[square == stone] for square in reversed(squares)), 2) for stone in _STONES)
        check_turns(x, o, text)
        state = GomokuState(self.grid, (x, o))
        if _has_five(state.stones[state.to_move], self.grid):
            raise FenError(f"{_STONES[state.to_move]} is to move but has five in a row already in {text!r}")
        return state

    def action_index(self, state: GomokuState, move: int, /) -> int:
        """A move's number is its square's."""
        return move


def _squares_of(bits: int) -> list[int]:
    """Returns the numbers of the set bits in order."""
    return [square for square, digit in enumerate(reversed(f"{bits:b}")) if digit == "1"]


def _has_five(stones: int, grid: Grid) -> bool:
    """Says whether five stones lie in a row: across, up, or on a diagonal."""
    for step, starts in _lines(grid):
        pairs = stones & stones >> step
        if pairs & pairs >> 2 * step & stones >> 4 * step & starts:
            return True
    return False


@cache
def _lines(grid: Grid) -> tuple[tuple[int, int], ...]:
    """Returns each direction's step, and the squares where a row of five can begin without leaving the board."""

    def starts(columns: range) -> int:
        return sum(1 << row * grid.width + column for row in range(grid.height) for column in columns)

    right, left, all_columns = range(grid.width - 4), range(4, grid.width), range(grid.width)
    return (
        (1, starts(right)),
        (grid.width, starts(all_columns)),
        (grid.width + 1, starts(right)),
        (grid.width - 1, starts(left)),
    )


def _symmetries(grid: Grid) -> list[Symmetry[GomokuState, int]]:
    """Builds the reflections and turns of the board, the identity first: eight on a square, four on a rectangle."""
    transpositions = (False, True) if grid.width == grid.height else (False,)
    ways = product(transpositions, (False, True), (False, True))
    return [IDENTITY, *(_symmetry(grid, *way) for way in ways if any(way))]


def _symmetry(grid: Grid, is_transposed: bool, is_flipped: bool, is_mirrored: bool) -> Symmetry[GomokuState, int]:
    """Exchanges rows and columns, then top and bottom, then left and right, as far as asked for."""
    parts = (("transpose", is_transposed), ("flip", is_flipped), ("mirror", is_mirrored))

    def place(square: int) -> int:
        row, column = divmod(square, grid.width)
        row, column = (column, row) if is_transposed else (row, column)
        row = grid.height - 1 - row if is_flipped else row
        column = grid.width - 1 - column if is_mirrored else column
        return row * grid.width + column

    places = tuple(place(square) for square in range(grid.size))

    def permute(stones: int) -> int:
        return sum(1 << places[square] for square in _squares_of(stones))

    return Symmetry(
        " and ".join(name for name, is_done in parts if is_done),
        lambda state: GomokuState(state.grid, (permute(state.stones[0]), permute(state.stones[1]))),
        lambda move: places[move],
        squares=places,
        actions=places,
    )
