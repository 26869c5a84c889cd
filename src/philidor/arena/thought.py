"""What an engine of a match answers."""

from __future__ import annotations

from dataclasses import dataclass

from philidor.core.analysis import Score


@dataclass(frozen=True, slots=True)
class Thought:
    """What an engine answers: a move and how it came to it."""

    move: str | None
    """In UCI; None if it sees none."""
    time_s: float
    score: Score | None = None
    depth: int | None = None
    nodes: int | None = None
    resigns: bool = False
