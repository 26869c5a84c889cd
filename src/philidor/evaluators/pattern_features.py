"""What AlphaGo's linear policies see of a move, readable (book, ch. 4.1.5; Silver et al. 2016, Extended Data Table 4).

A cell of a shape is beyond the edge (0), empty (1), or a stone of the mover's (2 to 4) or of the other's (5 to 7) with
one, two or at least three liberties. A shape is its cells as octal digits, the first cell lowest; it and its images by
turning and reflecting are one pattern, known by the smallest number. cpp/evaluators/patterns is the compiled twin.
"""

from __future__ import annotations

from collections.abc import Sequence

from philidor.core.grid import EMPTY
from philidor.games.go import GoState
from philidor.games.go.board import chain, neighbors, other, place

Offset = tuple[int, int]
SQUARE: tuple[Offset, ...] = ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1))
"""The points around a move: columns to the right, rows up."""
DIAMOND: tuple[Offset, ...] = (
    *((0, -2), (-1, -1), (0, -1), (1, -1), (-2, 0), (-1, 0)),
    *((1, 0), (2, 0), (-1, 1), (0, 1), (1, 1), (0, 2)),
)
"""The twelve points that are at most two steps along the lines away."""
FARTHEST = 16
KINDS = (
    *("save atari", "neighbor", "self-atari", "distance", "earlier distance"),
    *("nakade", "square", "response", "diamond"),
)
"""In the order of the compiled core's numbers."""

Feature = tuple[str, int]
"""A kind and a number: a place, a distance, or a shape."""


def pattern_features(state: GoState, *, is_tree: bool) -> dict[int, set[Feature]]:
    """Returns the features of each legal point; the tree policy has more than the rollout policy."""
    found: dict[int, set[Feature]] = {}
    grid, captured = state.grid, just_captured(state)
    saving = _saving(state)
    # Passes are near to nothing.
    last, earlier = (*(_spot(state, move) for move in state.recent[:2]), None, None)[:2]
    for move in state.legal_moves()[:-1]:
        features = found[move] = {("square", canonical(shape_at(state, move, SQUARE), SQUARE))}
        column, row = move % grid.width, move // grid.width
        if move in saving:
            features.add(("save atari", 0))
        if move in captured:
            taken = [grid_offset in captured for grid_offset in _around(state, move)]
            features.add(("nakade", sum(1 << place for place, is_taken in enumerate(taken) if is_taken)))
        if last is not None:
            offset = (column - last[0], row - last[1])
            if offset in SQUARE:
                features.add(("neighbor", SQUARE.index(offset)))
            if offset in DIAMOND:
                cells = shape_at(state, last[1] * grid.width + last[0], DIAMOND)
                features.add(("response", canonical(cells, DIAMOND, DIAMOND.index(offset))))
            if is_tree:
                features.add(("distance", min(FARTHEST, abs(offset[0]) + abs(offset[1]))))
        if is_tree and earlier is not None:
            features.add(("earlier distance", min(FARTHEST, abs(column - earlier[0]) + abs(row - earlier[1]))))
        if is_tree:
            features.add(("diamond", canonical(shape_at(state, move, DIAMOND), DIAMOND)))
            board, _ = place(state.board, move, state.stone, grid)
            if board[move] != EMPTY and len(chain(board, move, grid)[1]) == 1:
                features.add(("self-atari", 0))
    return found


def just_captured(state: GoState) -> set[int]:
    """Returns the squares of the mover's stones that the last move took."""
    if state.parent is None:
        return set()
    before = state.parent.board
    return {square for square, now in enumerate(state.board) if now == EMPTY and before[square] == state.stone}


def shape_at(state: GoState, square: int, offsets: Sequence[Offset]) -> list[int]:
    """Returns the cells around a square."""
    grid, cells = state.grid, []
    for right, up in offsets:
        column, row = square % grid.width + right, square // grid.width + up
        if not (0 <= column < grid.width and 0 <= row < grid.height):
            cells.append(0)
            continue
        near = row * grid.width + column
        if state.board[near] == EMPTY:
            cells.append(1)
        else:
            liberties = min(3, len(chain(state.board, near, grid)[1]))
            cells.append((2 if state.board[near] == state.stone else 5) + liberties - 1)
    return cells


def canonical(cells: Sequence[int], offsets: Sequence[Offset], reply: int | None = None) -> int:
    """Returns a shape's smallest number; `reply` is the place of an answer in it, which turns with it."""
    numbers = []
    for symmetry in range(8):
        goes = [offsets.index(_turned(offset, symmetry)) for offset in offsets]
        number = sum(cell << 3 * goes[place] for place, cell in enumerate(cells))
        numbers.append(number | (0 if reply is None else goes[reply] + 1) << 3 * len(offsets))
    return min(numbers)


def _turned(offset: Offset, symmetry: int) -> Offset:
    right, up = offset if not symmetry & 1 else (offset[1], offset[0])
    return (-right if symmetry & 2 else right, -up if symmetry & 4 else up)


def _spot(state: GoState, move: int) -> tuple[int, int] | None:
    return None if move == state.pass_move else (move % state.grid.width, move // state.grid.width)


def _around(state: GoState, square: int) -> list[int | None]:
    """The squares of the diamond; None beyond the edge."""
    grid, found = state.grid, list[int | None]()
    for right, up in DIAMOND:
        column, row = square % grid.width + right, square // grid.width + up
        is_inside = 0 <= column < grid.width and 0 <= row < grid.height
        found.append(row * grid.width + column if is_inside else None)
    return found


def _saving(state: GoState) -> set[int]:
    """Returns where a stone saves an own chain in atari: by two liberties, or by taking a chain around it."""
    board, grid, found, seen = state.board, state.grid, set[int](), set[int]()
    for square, letter in enumerate(board):
        if letter != state.stone or square in seen:
            continue
        stones, liberties = chain(board, square, grid)
        seen |= stones
        if len(liberties) != 1:
            continue
        (last,) = liberties
        after, _ = place(board, last, state.stone, grid)
        if after[last] != EMPTY and len(chain(after, last, grid)[1]) > 1:
            found.add(last)
        for near in {near for stone in stones for near in neighbors(grid)[stone]}:
            ends = chain(board, near, grid)[1] if board[near] == other(state.stone) else set[int]()
            found |= ends if len(ends) == 1 else set()
    return found
