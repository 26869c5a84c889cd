"""Stones on a Go board: chains, liberties, captures and area, as plain functions over a string (book, ch. 3.5.1).

A board is one character a square, row by row from the bottom: "X" black, "O" white, "." empty.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from philidor.core.grid import EMPTY, Grid

STONES = "XO"
LETTERS = "abcdefghjklmnopqrstuvwxyz"
"""Columns: there is no "i", which looks like a one."""


def go_grid(width: int, height: int) -> Grid:
    """Returns a board's shape with the columns named as Go players do."""
    return Grid(width, height, LETTERS)


def other(stone: str) -> str:
    """Returns the other color."""
    return "O" if stone == "X" else "X"


@cache
def neighbors(grid: Grid) -> tuple[tuple[int, ...], ...]:
    """Returns the two to four squares beside each square."""
    return tuple(_beside(grid, square, ((-1, 0), (0, -1), (0, 1), (1, 0))) for square in range(grid.size))


@cache
def diagonals(grid: Grid) -> tuple[tuple[int, ...], ...]:
    """Returns the squares that touch each square at a corner."""
    return tuple(_beside(grid, square, ((-1, -1), (-1, 1), (1, -1), (1, 1))) for square in range(grid.size))


def _beside(grid: Grid, square: int, steps: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    row, column = divmod(square, grid.width)
    places = ((row + up, column + right) for up, right in steps)
    return tuple(r * grid.width + c for r, c in places if 0 <= r < grid.height and 0 <= c < grid.width)


def flood(board: str, square: int, grid: Grid) -> tuple[set[int], set[int]]:
    """Returns the connected squares that look like `square`, and all other squares beside them."""
    beside, inside, border = neighbors(grid), {square}, set[int]()
    waiting = [square]
    while waiting:
        for near in beside[waiting.pop()]:
            if board[near] != board[square]:
                border.add(near)
            elif near not in inside:
                inside.add(near)
                waiting.append(near)
    return inside, border


def chain(board: str, square: int, grid: Grid) -> tuple[set[int], set[int]]:
    """Returns the stones of a chain and its liberties."""
    stones, border = flood(board, square, grid)
    return stones, {near for near in border if board[near] == EMPTY}


def put(board: str, squares: Iterable[int], letter: str) -> str:
    """Returns the board with this letter on some squares."""
    letters = list(board)
    for square in squares:
        letters[square] = letter
    return "".join(letters)


def place(board: str, square: int, stone: str, grid: Grid) -> tuple[str, set[int]]:
    """Puts a stone on an empty square and takes off chains without liberties, its own last (suicide).

    Returns the board and the squares of the stones that were taken.
    """
    board = put(board, [square], stone)
    taken = set[int]()
    for near in neighbors(grid)[square]:
        if board[near] == other(stone) and near not in taken:
            stones, liberties = chain(board, near, grid)
            taken |= set() if liberties else stones
    if not taken:
        stones, liberties = chain(board, square, grid)
        taken = set() if liberties else stones
    return put(board, taken, EMPTY), taken


def is_suicide(board: str, square: int, stone: str, grid: Grid) -> bool:
    """Says whether a stone would be off the board at once."""
    return board[square] == EMPTY and square in place(board, square, stone, grid)[1]


def ko_after(board: str, square: int, stone: str, taken: set[int], grid: Grid) -> int | None:
    """Returns where the other side may not take back at once: a single stone was taken from inside its own eye."""
    is_inside = all(board[near] == other(stone) for near in neighbors(grid)[square])
    return next(iter(taken)) if is_inside and len(taken) == 1 else None


def is_eye(board: str, square: int, stone: str, grid: Grid) -> bool:
    """Says whether an empty point is an eye that no playout should fill.

    All neighbors are the mover's, and at most one diagonal the other's; none at the edge. Two connected points are no
    such eye, and neither is a false one (book, Figs. 3.7 to 3.10).
    """
    if any(board[near] != stone for near in neighbors(grid)[square]):
        return False
    corners = diagonals(grid)[square]
    enemies = sum(board[corner] == other(stone) for corner in corners)
    return enemies + (len(corners) < 4) < 2


def ownership(board: str, grid: Grid) -> tuple[int, ...]:
    """Returns each square's owner by area: 1 for Black, -1 for White, 0 for nobody.

    Stones belong to their color; an empty region belongs to the only color that it touches.
    """
    owners = [{"X": 1, "O": -1}.get(letter, 0) for letter in board]
    left = {square for square in range(grid.size) if board[square] == EMPTY}
    while left:
        region, border = flood(board, left.pop(), grid)
        left -= region
        colors = {board[near] for near in border}
        if len(colors) == 1:
            for square in region:
                owners[square] = 1 if colors == {"X"} else -1
    return tuple(owners)
