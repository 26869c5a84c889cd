"""Judging positions: the evaluators and the heuristics by name (book, ch. 3 and 4)."""

from typing import Any

from philidor.core.descriptor import descriptor_of
from philidor.core.errors import UnknownNameError
from philidor.core.evaluation import Heuristic
from philidor.core.game import AnyState
from philidor.core.loading import load_object

HEURISTICS = {
    "book": "philidor.evaluators.book:evaluate",
    "none": "philidor.core.evaluation:no_opinion",
}


def load_heuristic(name: str) -> Heuristic[Any]:
    """Returns the heuristic of this name, or the user's own by "module:function"."""
    if ":" in name:
        own: Heuristic[Any] = load_object(name)
        return own
    if name not in HEURISTICS:
        raise UnknownNameError("heuristic", name, HEURISTICS)
    heuristic: Heuristic[Any] = load_object(HEURISTICS[name])
    return heuristic


def default_heuristic(state: AnyState) -> Heuristic[Any]:
    """Returns the heuristic that a game's states are searched with when none is named: the one of its descriptor."""
    return load_heuristic(descriptor_of(state).heuristic or "none")
