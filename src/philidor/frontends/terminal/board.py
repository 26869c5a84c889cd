"""Draws a board of squares: colors and chess figures where the terminal has them, letters where it has not."""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_lowercase

from rich.style import Style
from rich.text import Text

from philidor.core.abilities import TellsCheck
from philidor.core.descriptor import GridDrawing, Piece, descriptor_of
from philidor.core.game import FIRST, AnyState
from philidor.core.grid import EMPTY, board_rows, side_of
from philidor.frontends.terminal import sprites
from philidor.frontends.terminal.colors import Palette

# With colors the same filled figures for both sides: the outlined ones are hard to see on colored squares.
_FILLED = str.maketrans("♔♕♖♗♘♙", "♚♛♜♝♞♟")


@dataclass(frozen=True)
class Look:
    """What the terminal can show."""

    has_unicode: bool = True
    palette: Palette | None = None
    """None for a terminal without colors."""
    is_big: bool = False
    """Whether there is room for pieces of several lines; they need color and Unicode."""

    @property
    def width(self) -> int:
        """Of a square, in characters."""
        return sprites.WIDTH if self.is_big else 3

    @property
    def height(self) -> int:
        """Of a square, in lines."""
        return sprites.HEIGHT if self.is_big else 1


@dataclass(frozen=True)
class Board:
    """The squares of a position: one character each, rows from the top."""

    rows: tuple[str, ...]
    marked: frozenset[tuple[int, int]] = frozenset()
    """(row from the top, column) of squares that the last move changed."""
    checked: tuple[int, int] | None = None
    """Where a king stands in check."""
    drawing: GridDrawing | None = None
    """How the game says that it is drawn."""

    @classmethod
    def of(cls, state: AnyState, before: AnyState | None = None) -> Board | None:
        """Reads the board of a state; None for a game that has no board of squares in its text."""
        rows = board_rows(state.text())
        if rows is None:
            return None
        old = board_rows(before.text()) if before is not None else None
        marked = _changes(old, rows) if old is not None else frozenset()
        return cls(rows, marked, _checked_square(state, rows), descriptor_of(state).drawing)

    @property
    def has_facing_sides(self) -> bool:
        """Whether the players sit at opposite ends, so that the board may be turned.

        Of a game that does not say, each side then has letters of a case.
        """
        if self.drawing is not None:
            return self.drawing.has_facing_sides
        return any(character.islower() for row in self.rows for character in row)

    def draw(self, look: Look, *, is_flipped: bool = False) -> Text:
        """Returns the drawing, with the names of rows and columns."""
        height, width = len(self.rows), len(self.rows[0])
        rows = range(height - 1, -1, -1) if is_flipped else range(height)
        columns = range(width - 1, -1, -1) if is_flipped else range(width)
        margin = len(str(height)) + 1
        drawing = Text()
        for row in rows:
            for line in range(look.height):
                is_middle = line == look.height // 2
                label = str(height - row) if is_middle else ""
                drawing.append(f"{label:>{margin - 1}} ", style="bright_black")
                for column in columns:
                    drawing.append(self._line(row, column, line, look), style=self._style(row, column, look))
                drawing.append("\n")
        names = ascii_lowercase if self.drawing is None else self.drawing.columns
        letters = "".join(names[column].center(look.width) for column in columns)
        drawing.append(" " * margin + letters, style="bright_black")
        return drawing

    def _line(self, row: int, column: int, line: int, look: Look) -> str:
        """Returns one line of a square."""
        if look.is_big and (sprite := sprites.SPRITES.get(self.rows[row][column].upper())):
            return sprite[line]
        glyph = self._glyph(row, column, look) if line == look.height // 2 else " "
        if look.palette is None and (row, column) in self.marked:
            return f"({glyph})"
        return glyph.center(look.width)

    def _glyph(self, row: int, column: int, look: Look) -> str:
        piece = self.rows[row][column]
        if piece == EMPTY:
            return EMPTY if look.palette is None else " "
        known = self._piece(piece)
        if look.has_unicode and known is not None and known.glyph is not None:
            return known.glyph if look.palette is None else known.glyph.translate(_FILLED)
        return piece

    def _piece(self, letter: str) -> Piece | None:
        return None if self.drawing is None else self.drawing.pieces.get(letter)

    def _style(self, row: int, column: int, look: Look) -> Style:
        palette = look.palette
        if palette is None:
            return Style.null()
        is_light = (row + column + len(self.rows)) % 2 == 0
        square = palette.light if is_light else palette.dark
        if (row, column) in self.marked:
            square = palette.light_marked if is_light else palette.dark_marked
        if (row, column) == self.checked:
            square = palette.check
        known = self._piece(self.rows[row][column])
        is_first = (side_of(self.rows[row][column]) if known is None else known.side) == FIRST
        return Style(color=palette.first if is_first else palette.second, bgcolor=square, bold=True)


def _changes(old: tuple[str, ...], new: tuple[str, ...]) -> frozenset[tuple[int, int]]:
    pairs = zip(old, new, strict=True)
    return frozenset(
        (row, column)
        for row, (before, after) in enumerate(pairs)
        for column, (a, b) in enumerate(zip(before, after, strict=True))
        if a != b
    )


def _checked_square(state: AnyState, rows: tuple[str, ...]) -> tuple[int, int] | None:
    square = state.checked_square() if isinstance(state, TellsCheck) else None
    if square is None:
        return None
    row, column = divmod(square, len(rows[0]))
    return len(rows) - 1 - row, column
