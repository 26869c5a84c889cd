"""Tic-tac-toe: three in a row wins; the smallest game with all that a search needs (book, ch. 3.1)."""

from dataclasses import dataclass
from functools import cached_property
from typing import Self, SupportsIndex

from philidor.core.abilities import HasTwin, StonesOnGrid
from philidor.core.descriptor import Descriptor, GridDrawing, Piece
from philidor.core.errors import ArgumentError, FenError, IllegalMoveError, checked_text
from philidor.core.game import FIRST, IDENTITY, SECOND, Outcome, Symmetry
from philidor.core.grid import EMPTY, Grid
from philidor.core.stones import StonesInTurn, check_turns
from philidor.core.zobrist import zobrist_numbers

_GRID = Grid(3, 3)
_STONES = "XO"
_FULL = 0b111_111_111
_LINES = (
    *(0b000_000_111, 0b000_111_000, 0b111_000_000),  # rows
    *(0b001_001_001, 0b010_010_010, 0b100_100_100),  # columns
    *(0b100_010_001, 0b001_010_100),  # diagonals
)

TICTACTOE = Descriptor(
    name="tictactoe",
    title="Tic-tac-toe",
    rules=(
        "X and O take turns marking an empty square; X begins. Whoever first has three marks in a row, across, up or "
        "on a diagonal, wins. A full board without such a row is a draw."
    ),
    sides=("X", "O"),
    native="tictactoe",
    drawing=GridDrawing(pieces={"X": Piece("X", FIRST), "O": Piece("O", SECOND)}, art="strokes"),
    winning_row=3,
)


@dataclass(frozen=True)
class TicTacToeState(StonesInTurn, StonesOnGrid, HasTwin):
    """A position: the squares of X and of O as bits. A move is the number of its square, 0 for a1 to 8 for c3."""

    descriptor = TICTACTOE
    grid = _GRID

    stones: tuple[int, int]

    @cached_property
    def key(self) -> int:
        """A hash of the position, the same in every process."""
        numbers = zobrist_numbers("tictactoe", 18)
        key = 0
        for player in (FIRST, SECOND):
            for square in range(9):
                if self.stones[player] >> square & 1:
                    key ^= numbers[2 * square + player]
        return key

    @property
    def board_bits(self) -> tuple[int, int]:
        """Both players' stones: bit row * width + column."""
        return self.stones

    def twin(self) -> tuple[int, int]:
        """Returns both players' stones."""
        return self.stones

    def legal_moves(self) -> list[int]:
        """Returns the empty squares."""
        if self.is_over():
            return []
        taken = self.stones[0] | self.stones[1]
        return [square for square in range(9) if not taken >> square & 1]

    def play(self, move: int | str, /) -> Self:
        """Returns the position after a legal move."""
        if isinstance(move, str):
            move = self.parse_move(move)
        elif type(move) is not int and not isinstance(move, SupportsIndex):
            raise ArgumentError("the number of a square, or its text", move)
        elif move not in self.legal_moves():
            raise IllegalMoveError(f"no legal move {move!r} in {self.text()!r}")
        x, o = self.stones
        return type(self)((x | 1 << move, o) if self.to_move == FIRST else (x, o | 1 << move))

    def outcome(self) -> Outcome | None:
        """Says who has three in a row; a full board without is a draw."""
        for player in (FIRST, SECOND):
            if _has_line(self.stones[player]):
                return Outcome(player, "three in a row")
        return Outcome(None, "board full") if self.ply == 9 else None

    def is_over(self) -> bool:
        """Says whether there is a line or no room."""
        x, o = self.stones
        return x | o == _FULL or _has_line(x) or _has_line(o)

    def move_text(self, move: int, /) -> str:
        """Writes a move: "b2" is the center."""
        return _GRID.name(move)

    def parse_move(self, text: str, /) -> int:
        """Reads a legal move."""
        square = _GRID.square(checked_text(text).strip().lower())
        if square is None or square not in self.legal_moves():
            raise IllegalMoveError(f"no legal move {text!r} in {self.text()!r}")
        return square

    def text(self) -> str:
        """Writes the rows from the top, as "X.O/.X./..."."""
        return _GRID.text(self._squares())

    def __str__(self) -> str:
        return f"{_GRID.draw(self._squares())}\n{_STONES[self.to_move]} to move"

    def _squares(self) -> str:
        x, o = self.stones
        return "".join("X" if x >> square & 1 else "O" if o >> square & 1 else EMPTY for square in range(9))


class TicTacToe:
    """The game."""

    descriptor = TICTACTOE
    name = TICTACTOE.full_name()
    action_count = 9
    max_plies = 9
    repetition_matters = False

    def __init__(self) -> None:
        self.symmetries = tuple(_symmetries())

    def __repr__(self) -> str:
        return f"load_game({self.name!r})"

    def state(self, text: str | None = None, /) -> TicTacToeState:
        """Returns the empty board, or reads one such as "X.O/.X./..."."""
        if text is None:
            return TicTacToeState((0, 0))
        squares = _GRID.parse(checked_text(text).strip(), _STONES)
        x, o = (sum(1 << square for square in range(9) if squares[square] == stone) for stone in _STONES)
        state = TicTacToeState((x, o))
        check_turns(x, o, text)
        if _has_line(state.stones[state.to_move]):
            raise FenError(f"{_STONES[state.to_move]} is to move but has three in a row already in {text!r}")
        return state

    def action_index(self, state: TicTacToeState, move: int, /) -> int:
        """A move's number is its square's."""
        return move


def _has_line(stones: int) -> bool:
    return any(stones & line == line for line in _LINES)


def _symmetries() -> list[Symmetry[TicTacToeState, int]]:
    """Builds the eight turns and reflections of the square, the identity first."""
    symmetries: list[Symmetry[TicTacToeState, int]] = [IDENTITY]
    for is_mirrored in (False, True):
        for quarter_turns in range(4):
            if is_mirrored or quarter_turns:
                places = tuple(_image(square, quarter_turns, is_mirrored) for square in range(9))
                name = f"turn {90 * quarter_turns}" + (" and mirror" if is_mirrored else "")
                symmetries.append(_symmetry(name, places))
    return symmetries


def _symmetry(name: str, places: tuple[int, ...]) -> Symmetry[TicTacToeState, int]:
    def permute(stones: int) -> int:
        return sum(1 << places[square] for square in range(9) if stones >> square & 1)

    return Symmetry(
        name,
        lambda state: TicTacToeState((permute(state.stones[0]), permute(state.stones[1]))),
        lambda move: places[move],
        squares=places,
        actions=places,
    )


def _image(square: int, quarter_turns: int, is_mirrored: bool) -> int:
    row, column = divmod(square, 3)
    for _ in range(quarter_turns):
        row, column = column, 2 - row
    return 3 * row + (2 - column if is_mirrored else column)
