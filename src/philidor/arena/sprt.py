"""The sequential test that decides when a match has shown enough (Wald 1945; generalized to five pair results).

Two guesses compete: the difference is `elo0`, or it is `elo1`. The likelihood of all results under either is
maximized over everything else that is unknown, and the logarithm of the quotient (LLR) walks until it leaves
its bounds (Van den Bergh, "A practical introduction to the GSPRT", 2020).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from philidor.arena.statistics import ELO_PER_SIGMA, PAIR_SCORES, Counts, score_of
from philidor.core.errors import ConfigError

# Results that have not occurred yet are taken to be rare, not impossible.
_RARE = 1e-3
# In standard deviations of a pair. A usual test (up to 20 Elo) needs one step; longer ones may miss the solution.
_LONGEST_STEP = 0.1
_MOST_TANGENTS = 30
MODELS = ("normalized", "logistic")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sprt:
    """A test of "the difference is elo1" against "it is elo0"."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    """The chance to accept elo1 although elo0 is true."""
    beta: float = 0.05
    """The chance to accept elo0 although elo1 is true."""
    model: str = "normalized"
    """What elo0 and elo1 count in: normalized or logistic Elo."""

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ConfigError(f"SPRT: elo0 must be less than elo1, got {self.elo0:g} and {self.elo1:g}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ConfigError(f"SPRT: alpha and beta must lie between 0 and 0.5, got {self.alpha:g} and {self.beta:g}")
        if self.model not in MODELS:
            raise ConfigError(f"SPRT: the model must be one of {', '.join(MODELS)}, got {self.model!r}")

    @property
    def bounds(self) -> tuple[float, float]:
        """Below the first elo0 is accepted, above the second elo1."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Counts) -> float:
        """Returns the log-likelihood ratio of these pairs; 0 without any."""
        return _llr(self, counts)

    def decision(self, counts: Counts) -> str | None:
        """Returns "H0" or "H1" for the accepted guess, or None while more games are needed."""
        low, high = self.bounds
        llr = self.llr(counts)
        return "H1" if llr >= high else "H0" if llr <= low else None


# Reports and the decision ask for the same counts several times between two pairs.
@lru_cache(maxsize=16)
def _llr(test: Sprt, counts: Counts) -> float:
    if not any(counts):
        return 0.0
    weights = [max(float(n), _RARE) for n in counts]
    total = sum(weights)
    observed = [weight / total for weight in weights]
    under0, under1 = (_most_likely(observed, elo, test.model) for elo in (test.elo0, test.elo1))
    return total * sum(p * math.log(b / a) for p, a, b in zip(observed, under0, under1, strict=True))


def _most_likely(observed: Sequence[float], elo: float, model: str) -> list[float]:
    """Returns the probabilities of the five results that fit best among those with this Elo."""
    if model == "logistic":
        expected = score_of(elo)
        return _tilted(observed, [score - expected for score in PAIR_SCORES]) or list(observed)
    # A pair scatters less than a game, by sqrt(2).
    return _with_t_value(observed, math.sqrt(2) * elo / ELO_PER_SIGMA)


def _with_t_value(observed: Sequence[float], t: float) -> list[float]:
    """Returns the most likely probabilities with (mean - 1/2) / standard deviation = t.

    The condition is not linear in the probabilities, but for t = 0: there it is "the mean is 1/2". From that solution
    t is approached in short steps, each of which replaces the condition by its tangent until nothing moves.
    """
    found = _tilted(observed, [a - 0.5 for a in PAIR_SCORES])
    assert found is not None, "scores lie on both sides of 1/2"
    steps = math.ceil(abs(t) / _LONGEST_STEP)
    for step in range(1, steps + 1):
        for _ in range(_MOST_TANGENTS):
            better = _tilted(observed, _tangent(found, t * step / steps))
            if better is None:  # the tangent is met nowhere: this is as near as it gets
                return found
            change = max(abs(p - q) for p, q in zip(found, better, strict=True))
            found = better
            if change < 1e-10:
                break
    return found


def _tangent(at: Sequence[float], t: float) -> list[float]:
    """Returns the values that average to zero where, near `at`, (mean - 1/2) / standard deviation = t."""
    mean = sum(p * a for p, a in zip(at, PAIR_SCORES, strict=True))
    sigma = math.sqrt(sum(p * (a - mean) ** 2 for p, a in zip(at, PAIR_SCORES, strict=True)))
    return [a - 0.5 - t * sigma * (1 + ((a - mean) / sigma) ** 2) / 2 for a in PAIR_SCORES]


def _tilted(observed: Sequence[float], values: Sequence[float]) -> list[float] | None:
    """Returns the most likely probabilities under which `values` average to zero; None if they cannot.

    Lagrange's condition gives p / (1 + x * value) with one unknown x.
    """
    if not min(values) < 0 < max(values):
        return None

    def average(x: float) -> float:
        return sum(p * v / (1 + x * v) for p, v in zip(observed, values, strict=True))

    # Between these poles all probabilities are positive and the average falls with x.
    x = _root(average, -1 / max(values), -1 / min(values))
    return [p / (1 + x * v) for p, v in zip(observed, values, strict=True)]


def _root(falling: Callable[[float], float], low: float, high: float) -> float:
    """Returns the zero of a falling function inside an interval, by bisection to the last bit but a few."""
    for _ in range(200):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return (low + high) / 2
