"""What people of a rating would play in the positions of a game, and what that would cost them (book, ch. 4.8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

POPULAR = 0.15
"""The share of people from which a move's cost is looked at."""
TRAP_PERCENT = 10.0
"""Points of win percentage that a popular move must lose to be a trap: a mistake's."""


@dataclass(frozen=True, slots=True)
class People:
    """What people would play in a position."""

    shares: dict[str, float]
    """How likely they play each move, in UCI, likeliest first; rare ones are left out."""
    worths: dict[str, float]
    """White's centipawns after the popular ones, cut at ten pawns."""

    def to_dict(self) -> dict[str, Any]:
        """Returns plain data."""
        return {"shares": self.shares, "worths": self.worths}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> People:
        """Reads what `to_dict` wrote."""
        return cls(dict(data["shares"]), dict(data["worths"]))


@dataclass(frozen=True, slots=True)
class Choice:
    """A move that people like to play."""

    san: str
    share: float
    """How likely they play it, 0 to 1."""
    loss_percent: float | None = None
    """Points of win percentage that it loses; None where that was not looked at."""


@dataclass(frozen=True, slots=True)
class PeopleAtMove:
    """What people would have played instead of a move of a game."""

    played: float
    """How likely they play the move that was played, 0 to 1."""
    best: float | None
    """How likely they find the engine's move."""
    usual: tuple[Choice, ...]
    """What they play most, likeliest first."""

    @property
    def traps(self) -> tuple[Choice, ...]:
        """The moves that are popular and lose as much as a mistake does."""
        return tuple(
            choice
            for choice in self.usual
            if choice.share >= POPULAR and choice.loss_percent is not None and choice.loss_percent >= TRAP_PERCENT
        )
