"""The level that follows a person: it rises with each game that they win and falls with each that they lose.

This is Elo's update with K = 100 for two players of equal rating: 50 points a game, nothing for a draw.
"""

from __future__ import annotations

from philidor.frontends.playing.match import Match
from philidor.players.player import rating_setting

_K = 100
FEWEST_PLIES = 10
"""Who gives up before has not shown how well they play."""


def next_level(level: int, score: float, low: int, high: int) -> int:
    """Returns the level after a game against an equal, in which the person scored 1, 0.5 or 0."""
    return min(max(round(level + _K * (score - 0.5)), low), high)


def followed_level(match: Match) -> int | None:
    """Returns the rating for the next game after one that is over; None where the opponent does not follow."""
    outcome, opponent = match.outcome(), match.opponent
    if outcome is None or opponent is None or match.person is None or len(match.moves) < FEWEST_PLIES:
        return None
    rating = rating_setting(type(opponent).config_class)
    if rating is None or not getattr(opponent.config, "follows", False):
        return None
    score = 0.5 if outcome.winner is None else float(outcome.winner == match.person)
    low, high = rating.minimum, rating.maximum
    level: int = getattr(opponent.config, rating.name)
    return next_level(level, score, int(low or 0), int(high or level))
