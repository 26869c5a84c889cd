"""What a player may do beside moving, as people do: give up, offer a draw, take one, take their time.

Boards ask players that can, and only where the person at the board has agreed to it; UCI has no words for any of this.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol, runtime_checkable

from philidor.core.analysis import Analysis
from philidor.core.game import AnyState


class Gesture(StrEnum):
    """What comes with a move, or in its place."""

    RESIGN = "resign"
    OFFER_DRAW = "offer_draw"


@runtime_checkable
class MannerlyPlayer(Protocol):
    """A player that has such manners."""

    def gesture(self, state: AnyState, /) -> Gesture | None:
        """Returns what it does at its turn in `state`: resign instead of a move, offer a draw with it, or neither."""

    def accepts_draw(self, state: AnyState, side: int, /) -> bool:
        """Says whether it, playing `side`, takes the draw that it is offered in `state`."""

    def pace_s(self, state: AnyState, analysis: Analysis, /) -> float:
        """Returns the seconds that a person would take for the move of this analysis."""
