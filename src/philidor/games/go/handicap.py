"""Handicap: stones that Black, the weaker player, has on the board before White's first move (GTP 2)."""

from __future__ import annotations

from philidor.core.grid import Grid

_SMALLEST = 7
_ORDER = ("sw", "ne", "se", "nw", "w", "e", "s", "n")


def _line(side: int) -> int:
    """The distance of the star points from the edge: the fourth line from 13 up, the third below."""
    return 3 if side >= 13 else 2


def star_points(grid: Grid) -> list[int]:
    """Returns the points that boards have marked: corners, center, and from 15 up the sides; none on tiny boards."""
    if min(grid.width, grid.height) < _SMALLEST:
        return []
    columns, rows = _stars_along(grid.width), _stars_along(grid.height)
    if max(grid.width, grid.height) >= 15:
        return [row * grid.width + column for row in rows for column in columns]
    corners = [row * grid.width + column for row in (rows[0], rows[-1]) for column in (columns[0], columns[-1])]
    has_center = grid.width % 2 == 1 and grid.height % 2 == 1
    return sorted([*corners, grid.size // 2]) if has_center else corners


def _stars_along(side: int) -> list[int]:
    first = _line(side)
    return [first, side // 2, side - 1 - first] if side % 2 else [first, side - 1 - first]


def most_stones(grid: Grid) -> int:
    """Returns how many stones have fixed places: 9, or 4 on even boards and 7x7, or 0 on smaller ones."""
    if min(grid.width, grid.height) < _SMALLEST:
        return 0
    is_small = grid.width % 2 == 0 or grid.height % 2 == 0 or min(grid.width, grid.height) == _SMALLEST
    return 4 if is_small else 9


def fixed_handicap(grid: Grid, stones: int) -> list[int]:
    """Returns the usual places of two to nine stones. Raises ValueError."""
    most = most_stones(grid)
    if not 2 <= stones <= most:
        raise ValueError(f"{stones} handicap stones have no usual places on {grid.width}x{grid.height}")
    west, south = _line(grid.width), _line(grid.height)
    columns = {"w": west, "e": grid.width - 1 - west}
    rows = {"s": south, "n": grid.height - 1 - south}

    def square(name: str) -> int:
        row = next((rows[letter] for letter in name if letter in rows), grid.height // 2)
        column = next((columns[letter] for letter in name if letter in columns), grid.width // 2)
        return row * grid.width + column

    # Odd numbers from five on have a stone in the center: the others are those of the number before.
    around = stones - 1 if stones >= 5 and stones % 2 else stones
    chosen = [square(name) for name in _ORDER[:around]]
    return [*chosen, grid.size // 2] if around < stones else chosen
