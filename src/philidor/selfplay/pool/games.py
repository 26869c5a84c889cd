"""What a pool hands out: leaves to be judged, and games as records, with their numbers among the tags."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from philidor.encodings.encoding import Batch
from philidor.records.native import RecordBatch
from philidor.records.record import CAPPED

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["CAPPED", "NUMBER", "POLICY_PARTS", "RANDOM", "PoolBatch", "game_numbers"]

POLICY_PARTS = 60_000
"""What the counts of a Gumbel search's move sum up to, about: it has no visits to learn from, but a policy."""
NUMBER, RANDOM = "Game", "Random"
"""Tags: a game's own number, and of an unfinished game the state of its random numbers before the move at hand."""


class PoolBatch(NamedTuple):
    """Leaves that wait for their evaluation, one of each of many games."""

    id: int
    """What `apply` or `cancel` is to be told."""
    batch: Batch
    seats: NDArray[np.uint8]  # [n]
    """Whose search a leaf belongs to, of two players who change sides from game to game: 0 has the first move in games
    of even numbers, 1 in the others."""


def game_numbers(games: RecordBatch) -> list[int]:
    """Returns the number of each game; -1 for one of somebody else's, which has none and is in nobody's way."""
    return [_number(tags) for tags in games.tags()]


def _number(tags: str) -> int:
    for line in tags.splitlines():
        name, _, value = line.partition(" ")
        if name == NUMBER and value.isdecimal():
            return int(value)
    return -1
