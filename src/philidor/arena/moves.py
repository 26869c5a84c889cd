"""Moves as engines write them: chess has UCI, any other game its own text."""

from __future__ import annotations

from typing import Any

from philidor.core.game import AnyState
from philidor.games.chess import Position


def read_move(state: AnyState, text: str) -> Any:
    """Reads an engine's move: in chess nothing but UCI will do. Raises IllegalMoveError."""
    return state.parse_uci(text) if isinstance(state, Position) else state.parse_move(text)
