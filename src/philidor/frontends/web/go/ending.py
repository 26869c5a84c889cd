"""The end of a game of Go: the board is counted at once, and the person may say which stones are dead."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from philidor.frontends.playing.counting import Count, count, likely_dead
from philidor.frontends.playing.match import Match
from philidor.games.go import GoState
from philidor.games.go.board import chain

DEAD = "dead"
"""Where a game's progress keeps the names of dead stones; only a game that was counted here has them."""


def settle(match: Match, progress: dict[str, Any]) -> None:
    """Counts a game that has ended on the board, without the stones that playouts call dead; others are left alone."""
    if isinstance(match.state, GoState) and match.state.is_over():
        _take_off(match, match.state, progress, likely_dead(match.state))


def toggle(match: Match, progress: dict[str, Any], square: int) -> None:
    """Calls a chain dead, or alive again, and counts anew; the game was counted before."""
    state = match.state
    assert isinstance(state, GoState)
    stones, dead = chain(state.board, square, state.grid)[0], dead_stones(state, progress)
    _take_off(match, state, progress, dead - stones if square in dead else dead | stones)


def dead_stones(state: GoState, progress: dict[str, Any]) -> set[int]:
    """Returns the squares of the stones that are called dead."""
    squares = (state.grid.square(name) for name in progress.get(DEAD, ()))
    return {square for square in squares if square is not None}


def counted(state: GoState, progress: dict[str, Any]) -> Count:
    """Returns the count of a board as it was last settled."""
    return count(state, dead_stones(state, progress))


def _take_off(match: Match, state: GoState, progress: dict[str, Any], dead: Iterable[int]) -> None:
    progress[DEAD] = [state.grid.name(square) for square in sorted(dead)]
    match.agreed = counted(state, progress).outcome
