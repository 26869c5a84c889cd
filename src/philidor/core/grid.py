"""Boards of squares: names such as "b3", one-line texts and drawings, shared by the small games.

A square's number is row * width + column, row 0 at the bottom. A board's text is its rows from the top,
separated by "/", one character a square.
"""

import re
from dataclasses import dataclass
from string import ascii_lowercase

from philidor.core.errors import FenError

_SQUARE = re.compile(r"([a-z])([1-9][0-9]?)")
EMPTY = "."


@dataclass(frozen=True, slots=True)
class Grid:
    """The shape of a board; columns have letters, so there are at most 26."""

    width: int
    height: int
    letters: str = ascii_lowercase
    """Of the columns, from the left."""

    def __post_init__(self) -> None:
        if not (1 <= self.width <= len(self.letters) and 1 <= self.height <= 99):
            most = len(self.letters)
            raise ValueError(f"a board is 1 to {most} wide and 1 to 99 high, got {self.width}x{self.height}")

    @property
    def size(self) -> int:
        """The number of squares."""
        return self.width * self.height

    def name(self, square: int) -> str:
        """Writes a square: "a1" is 0."""
        row, column = divmod(square, self.width)
        return f"{self.letters[column]}{row + 1}"

    def square(self, name: str) -> int | None:
        """Reads a square; None if there is no such square."""
        match = _SQUARE.fullmatch(name)
        if match is None:
            return None
        column, row = self.letters.find(match[1]), int(match[2]) - 1
        return row * self.width + column if 0 <= column < self.width and row < self.height else None

    def mirrored(self, square: int) -> int:
        """Returns the square with left and right exchanged."""
        row, column = divmod(square, self.width)
        return row * self.width + self.width - 1 - column

    def text(self, squares: str) -> str:
        """Writes the board, given one character a square in the order of their numbers."""
        rows = [squares[start : start + self.width] for start in range(0, self.size, self.width)]
        return "/".join(reversed(rows))

    def parse(self, text: str, pieces: str) -> str:
        """Reads what `text` wrote; raises FenError unless it has our shape and only `pieces` and empty squares."""
        rows = text.split("/")
        if len(rows) != self.height:
            raise FenError(f"the board must have {self.height} rows between '/', got {len(rows)} in {text!r}")
        for row in rows:
            if len(row) != self.width:
                raise FenError(f"a row must have {self.width} squares, got {row!r} in {text!r}")
            for character in row:
                if character not in pieces + EMPTY:
                    raise FenError(f"a square must be one of '{pieces}{EMPTY}', got {character!r} in {text!r}")
        return "".join(reversed(rows))

    def draw(self, squares: str) -> str:
        """Draws the board over several lines, with the names of rows and columns."""
        margin = len(str(self.height))
        lines = []
        for row in reversed(range(self.height)):
            cells = " ".join(squares[row * self.width : (row + 1) * self.width])
            lines.append(f"{row + 1:>{margin}} {cells}")
        return "\n".join([*lines, f"{'':{margin}} {' '.join(self.letters[: self.width])}"])


def board_rows(text: str) -> tuple[str, ...] | None:
    """Reads the rows, from the top, from a state's text; None for a game whose text shows no board of squares.

    A board is the first word: rows between "/", one character a square, a digit for so many empty ones, as in FEN.
    """
    fields = text.split()
    if not fields:
        return None
    expanded = "".join(EMPTY * int(c) if c in "123456789" else c for c in fields[0])
    rows = tuple(expanded.split("/"))
    is_board = 1 < len(rows) <= 99 and len({len(row) for row in rows}) == 1 and 1 < len(rows[0]) <= 26
    return rows if is_board else None


def side_of(piece: str) -> int:
    """Returns whose piece a board's character is: capitals are the first player's, but for the O that plays X."""
    return 0 if piece.isupper() and piece != "O" else 1
