"""Draws a board of squares: colors and chess figures where the terminal has them, letters where it has not."""

from __future__ import annotations

from dataclasses import dataclass

from rich.style import Style
from rich.text import Text

from philidor.core.game import FIRST, AnyState
from philidor.core.grid import EMPTY, board_rows, side_of
from philidor.frontends.terminal import sprites
from philidor.frontends.terminal.colors import Palette

# The same filled figures for both sides, told apart by color: the outlined ones are hard to see on colored squares.
_FILLED = dict(zip("KQRBNP", "♚♛♜♝♞♟", strict=True))
_OUTLINED = dict(zip("KQRBNP", "♔♕♖♗♘♙", strict=True))


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

    @classmethod
    def of(cls, state: AnyState, before: AnyState | None = None) -> Board | None:
        """Reads the board of a state; None for a game that has no board of squares in its text."""
        rows = board_rows(state.text())
        if rows is None:
            return None
        old = board_rows(before.text()) if before is not None else None
        marked = _changes(old, rows) if old is not None else frozenset()
        return cls(rows, marked, _king_in_check(state, rows))

    @property
    def has_facing_sides(self) -> bool:
        """Whether the players sit at opposite ends, so that the board may be turned: each has letters of a case."""
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
        letters = "".join(chr(ord("a") + column).center(look.width) for column in columns)
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
        if look.has_unicode and piece.upper() in _FILLED and self.has_facing_sides:
            is_outlined = piece.isupper() and look.palette is None
            return (_OUTLINED if is_outlined else _FILLED)[piece.upper()]
        return piece

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
        is_first = side_of(self.rows[row][column]) == FIRST
        return Style(color=palette.first if is_first else palette.second, bgcolor=square, bold=True)


def _changes(old: tuple[str, ...], new: tuple[str, ...]) -> frozenset[tuple[int, int]]:
    pairs = zip(old, new, strict=True)
    return frozenset(
        (row, column)
        for row, (before, after) in enumerate(pairs)
        for column, (a, b) in enumerate(zip(before, after, strict=True))
        if a != b
    )


def _king_in_check(state: AnyState, rows: tuple[str, ...]) -> tuple[int, int] | None:
    is_check = getattr(state, "is_check", None)
    if is_check is None or not is_check():
        return None
    king = "Kk"[state.to_move]
    return next((row, line.index(king)) for row, line in enumerate(rows) if king in line)
