"""The level that follows a person: it rises with each game that they win and falls with each that they lose.

This is Elo's update with K = 100 for two players of equal rating: 50 points a game, nothing for a draw.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from philidor.frontends.web.stored import StoredGame

LEVEL_SETTING = "human_level"
"""The setting that keeps the level from game to game."""
_K = 100
# Who gives up at once has not shown how well they play.
_FEWEST_PLIES = 10


def next_level(level: int, score: float, low: int, high: int) -> int:
    """Returns the level after a game against an equal, in which the person scored 1, 0.5 or 0."""
    return min(max(round(level + _K * (score - 0.5)), low), high)


def follow(game: StoredGame, low: int, high: int) -> int | None:
    """Returns the level that a game leads to, once, when it is over; None where it leads to none."""
    setup, progress = game.setup, game.progress
    is_over = game.is_over and not progress.get("followed")
    if not is_over or "follow" not in setup.get("habits", ()) or "elo" not in setup["strength"]:
        return None
    if len(game.moves) < _FEWEST_PLIES or setup["you"] is None:
        return None
    progress["followed"] = True
    winner = progress["result"]["winner"]
    score = 0.5 if winner is None else float(winner == setup["you"])
    return next_level(setup["strength"]["elo"], score, low, high)


def level_for(strength: Mapping[str, Any], habits: object, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the strength of the next game against the same opponent: the level that has followed meanwhile."""
    level = settings.get(LEVEL_SETTING)
    is_following = isinstance(habits, list) and "follow" in habits and "elo" in strength
    return {"elo": level} if is_following and isinstance(level, int) else dict(strength)
