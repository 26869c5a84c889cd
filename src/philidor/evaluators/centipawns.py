"""A network's expectation as centipawns, for people and programs that think in them (book, ch. 4.4.3).

There is no true answer: each formula was fitted to what Stockfish of its day said. The book's formula is printed with
"Pawns" on its left side, but yields centipawns.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from philidor.core.errors import UnknownNameError
from philidor.core.evaluation import Wdl

MOST = 10_000
"""Larger numbers are for mates."""


def _book(wdl: Wdl) -> float:
    return 111.714640912 * math.tan(1.5620688421 * wdl.value)


def _2018(wdl: Wdl) -> float:
    return 290.680623072 * math.tan(1.548090806 * wdl.value)


def _2019(wdl: Wdl) -> float:
    return 295 * wdl.value / (1 - 0.976953126 * wdl.value**14)


def _centipawn(wdl: Wdl) -> float:
    return 90 * math.tan(1.5637541897 * wdl.value)


def _wdl_mu(wdl: Wdl) -> float:
    """The mean of a logistic curve with these chances; the tangent where they are extreme, or it is larger anyway."""
    fallback = 45 * math.tan(1.56728071628 * wdl.value)
    if min(wdl) < 1e-4 or abs(wdl.value) + wdl.draw >= 0.996:
        return fallback
    a, b = math.log(1 / wdl.loss - 1), math.log(1 / wdl.win - 1)
    score = 100 * (a - b) / (a + b)
    return score if abs(score) < 100 or abs(fallback) < abs(score) else fallback


FORMULAS: dict[str, Callable[[Wdl], float]] = {
    "book": _book,
    "lc0-2018": _2018,
    "lc0-2019": _2019,
    "lc0-centipawn": _centipawn,
    "lc0-wdl": _wdl_mu,
}
DEFAULT_FORMULA = "lc0-wdl"


def centipawns(wdl: Wdl, formula: str = DEFAULT_FORMULA) -> int:
    """Returns the side to move's centipawns by a formula of the table. Raises UnknownNameError."""
    if formula not in FORMULAS:
        raise UnknownNameError("formula", formula, FORMULAS)
    return round(max(-MOST, min(MOST, FORMULAS[formula](wdl))))
