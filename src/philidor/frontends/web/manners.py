"""When an engine resigns or offers a draw, if the person wishes it: by what its own searches have said.

An engine gives a game up that three searches in a row call lost, as engine matches are adjudicated, and offers a draw
in a long game that has been level for eight of its moves.
"""

from __future__ import annotations

from collections.abc import Sequence

from philidor.core.manners import Gesture

_LOST, _LOST_MOVES = -0.95, 3
_LEVEL, _LEVEL_MOVES, _FIRST_DRAW_PLY = 0.05, 8, 80
_PLIES_BETWEEN_OFFERS = 20


def engine_gesture(values: Sequence[float | None], ply: int, declined_ply: int | None) -> Gesture | None:
    """Decides by the values of its searches, the newest last, in its own view; None is a search without a verdict."""
    lost = values[-_LOST_MOVES:]
    if len(lost) == _LOST_MOVES and all(value is not None and value <= _LOST for value in lost):
        return Gesture.RESIGN
    level = values[-_LEVEL_MOVES:]
    is_level = len(level) == _LEVEL_MOVES and all(value is not None and abs(value) <= _LEVEL for value in level)
    may_offer = declined_ply is None or ply - declined_ply >= _PLIES_BETWEEN_OFFERS
    return Gesture.OFFER_DRAW if is_level and may_offer and ply >= _FIRST_DRAW_PLY else None
