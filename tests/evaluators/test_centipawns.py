"""Chances as centipawns: each formula at points that were worked out by hand from its definition."""

import pytest

from philidor.core.errors import UnknownNameError
from philidor.core.evaluation import Wdl
from philidor.evaluators.centipawns import FORMULAS, centipawns

EVEN = Wdl(0.3, 0.4, 0.3)
BETTER = Wdl(0.5, 0.3, 0.2)
AHEAD = Wdl(0.7, 0.2, 0.1)
NO_DRAWS = Wdl(0.75, 0.0, 0.25)


@pytest.mark.parametrize(
    ("formula", "wdl", "expected"),
    [
        ("book", NO_DRAWS, 111),
        ("centipawn_2018", NO_DRAWS, 284),
        ("centipawn_2019", NO_DRAWS, 148),
        ("centipawn", NO_DRAWS, 89),
        ("win_percentage", NO_DRAWS, 7_500),
        ("W-L", NO_DRAWS, 5_000),
        ("WDL_mu", NO_DRAWS, 45),  # no draws, no curve: the tangent
        ("WDL_mu", BETTER, 100),  # ln 4 against ln 1
        ("WDL_mu", AHEAD, 226),  # ln 9 against -ln 7/3
        ("WDL_mu", Wdl(0.997, 0.002, 0.001), 4_599),  # next to a win the tangent again
    ],
)
def test_formulas(formula: str, wdl: Wdl, expected: int) -> None:
    assert centipawns(wdl, formula) == expected
    if formula != "win_percentage":
        assert centipawns(wdl.flipped(), formula) == -expected


@pytest.mark.parametrize("formula", FORMULAS)
def test_better_chances_are_more_centipawns(formula: str) -> None:
    chances = [Wdl.from_value(value / 50) for value in range(-50, 51)]
    scores = [centipawns(wdl, formula) for wdl in chances]
    assert scores == sorted(scores)
    assert scores[-1] <= 10_000
    assert centipawns(EVEN, formula) == (5_000 if formula == "win_percentage" else 0)


def test_unknown_formulas_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'centipawn'"):
        centipawns(EVEN, "centipawns")
