"""Moves as engines and score sheets write them: chess has UCI and SAN, any other game its own text."""

from __future__ import annotations

from typing import Any

from philidor.core.game import AnyState
from philidor.games.chess import Position


def read_move(state: AnyState, text: str) -> Any:
    """Reads an engine's move: in chess nothing but UCI will do. Raises IllegalMoveError."""
    return state.parse_uci(text) if isinstance(state, Position) else state.parse_move(text)


def sheet_text(state: AnyState, move: Any) -> str:
    """Writes a legal move as people do."""
    return state.san(move) if isinstance(state, Position) else state.move_text(move)
