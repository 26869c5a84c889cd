"""A light playout (book, ch. 3.5.2).

The twin of cpp/games/go/playout.h: with the same generator both play the same game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from philidor.core.grid import EMPTY
from philidor.core.random import SplitMix64
from philidor.games.go.board import STONES, is_eye, is_suicide, ko_after, place

if TYPE_CHECKING:
    from philidor.games.go.state import GoState


def play_out(state: GoState, random: SplitMix64, most: int) -> tuple[str, int]:
    """Plays evenly among the legal moves that fill no eye of the mover's until both pass; at most so many moves.

    Returns the last board and how many moves there were, passes too. Repetitions beyond the simple ko are not looked
    for: they are rare, and the end is near.
    """
    grid, board, ko, passes, stone = state.grid, state.board, state.ko, state.passes, state.stone
    moves = 0
    while passes < 2 and moves < most:
        # 1. Draw a square; one that will not do is out, and the next is drawn from the others.
        candidates = [square for square in range(grid.size) if board[square] == EMPTY]
        chosen = None
        while candidates and chosen is None:
            square = candidates.pop(random.below(len(candidates)))
            if square != ko and not is_eye(board, square, stone, grid) and not is_suicide(board, square, stone, grid):
                chosen = square
        # 2. Play there, or pass.
        if chosen is None:
            passes, ko = passes + 1, None
        else:
            following, taken = place(board, chosen, stone, grid)
            board, ko, passes = following, ko_after(board, chosen, stone, taken, grid), 0
        stone = STONES[1 - STONES.index(stone)]
        moves += 1
    return board, moves
