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


def _win_percentage(wdl: Wdl) -> float:
    """The expected score in hundredths of a percent, 0 to 10,000."""
    return 5_000 * wdl.value + 5_000


def _value(wdl: Wdl) -> float:
    """Wins less losses in ten-thousandths."""
    return 10_000 * wdl.value


FORMULAS: dict[str, Callable[[Wdl], float]] = {
    "WDL_mu": _wdl_mu,
    "centipawn": _centipawn,
    "centipawn_2019": _2019,
    "centipawn_2018": _2018,
    "win_percentage": _win_percentage,
    "W-L": _value,
    "book": _book,
}
"""By the names of lc0's option ScoreType, and the book's; what is no centipawn is for those who ask for it."""
DEFAULT_FORMULA = "WDL_mu"


def centipawns(wdl: Wdl, formula: str = DEFAULT_FORMULA) -> int:
    """Returns the side to move's centipawns by a formula of the table. Raises UnknownNameError."""
    if formula not in FORMULAS:
        raise UnknownNameError("formula", formula, FORMULAS)
    return round(max(-MOST, min(MOST, FORMULAS[formula](wdl))))
