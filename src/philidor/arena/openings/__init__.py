"""Where games begin: the openings of a book, in an order that a seed determines."""

from __future__ import annotations

from pathlib import Path

from philidor.core.random import SplitMix64
from philidor.records.openings import Opening, read_openings

__all__ = ["DEFAULT_BOOK", "Opening", "read_openings", "shuffled"]

DEFAULT_BOOK = Path(__file__).with_name("UHO_4060_v4_500.epd")
"""See the README beside it."""


def shuffled(openings: list[Opening], seed: int) -> list[Opening]:
    """Returns the openings in another order, the same for the same seed on every machine (Fisher and Yates)."""
    order, random = list(openings), SplitMix64(seed)
    for last in range(len(order) - 1, 0, -1):
        other = random.below(last + 1)
        order[last], order[other] = order[other], order[last]
    return order
