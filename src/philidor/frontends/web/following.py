"""The level that follows a person from game to game, kept with their settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from philidor.frontends.playing.levels import FEWEST_PLIES, next_level
from philidor.frontends.web.stored import StoredGame

LEVEL_SETTING = "human_level"
"""The setting that keeps the level from game to game."""


def follow(game: StoredGame, low: int, high: int) -> int | None:
    """Returns the level that a game leads to, once, when it is over; None where it leads to none."""
    setup, progress = game.setup, game.progress
    is_over = game.is_over and not progress.get("followed")
    if not is_over or "follow" not in setup.get("habits", ()) or "elo" not in setup["strength"]:
        return None
    if len(game.moves) < FEWEST_PLIES or setup["you"] is None:
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
