"""Judging positions: the evaluators and the heuristics by name (book, ch. 3 and 4)."""

from typing import Any

from philidor.core.errors import UnknownNameError
from philidor.core.evaluation import Heuristic
from philidor.core.loading import load_object

HEURISTICS = {
    "book": "philidor.evaluators.book:evaluate",
    "none": "philidor.core.evaluation:no_opinion",
}

# What searches judge by unless told otherwise; games not named here have no opinion.
_DEFAULTS = {"chess": "book"}


def load_heuristic(name: str) -> Heuristic[Any]:
    """Returns the heuristic of this name, or the user's own by "module:function"."""
    if ":" in name:
        own: Heuristic[Any] = load_object(name)
        return own
    if name not in HEURISTICS:
        raise UnknownNameError("heuristic", name, HEURISTICS)
    heuristic: Heuristic[Any] = load_object(HEURISTICS[name])
    return heuristic


def default_heuristic(game_name: str) -> Heuristic[Any]:
    """Returns the heuristic a game is searched with when none is named."""
    return load_heuristic(_DEFAULTS.get(game_name, "none"))
