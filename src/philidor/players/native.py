"""The compiled alpha-beta engine: its events as our own vocabulary."""

from philidor._native._ext import (
    AlphaBetaEngine,
    SearchInfo,
    SearchProgress,
    SearchResult,
    search_features,
    search_parameters,
)
from philidor.core.analysis import Score

MATE = 32_000
MAX_PLY = 200


def score_of(value: int) -> Score:
    """Turns a native score (mate in n plies is 32,000 - n) into centipawns or moves to mate."""
    if abs(value) < MATE - MAX_PLY:
        return Score(cp=value)
    plies = MATE - abs(value)
    return Score(mate=(plies + 1) // 2 if value > 0 else -(plies // 2))


__all__ = [
    "AlphaBetaEngine",
    "SearchInfo",
    "SearchProgress",
    "SearchResult",
    "score_of",
    "search_features",
    "search_parameters",
]
