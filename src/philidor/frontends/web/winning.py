"""The squares of a winning row, in games that rows of stones decide; boards mark them."""

from __future__ import annotations

from philidor.core.grid import EMPTY

_DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


def winning_row(cells: str, width: int, length: int) -> list[int]:
    """Returns the squares of all unbroken rows of at least `length` equal stones; `cells` has the bottom row first."""
    height, found = len(cells) // width, set[int]()
    for row in range(height):
        for column in range(width):
            for right, up in _DIRECTIONS:
                stone, squares, x, y = cells[row * width + column], list[int](), column, row
                while 0 <= x < width and 0 <= y < height and cells[y * width + x] == stone != EMPTY:
                    squares.append(y * width + x)
                    x, y = x + right, y + up
                if len(squares) >= length:
                    found.update(squares)
    return sorted(found)
