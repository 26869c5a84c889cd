"""What a match has shown: Elo and its error from the results of game pairs.

Two games with one opening and colors changed are not independent, a pair is; so pairs are counted, by their five
possible results ("pentanomial"). Normalized Elo counts in standard deviations of a game, so that it does not
depend on how many games are drawn. Both as in Van den Bergh, "Normalized Elo" (2021), and in the words of fastchess.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import NormalDist

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The score per game of a pair that brought 0, 1/2, 1, 3/2 or 2 points."""
Counts = tuple[int, int, int, int, int]
"""Pairs by their points, in the order of PAIR_SCORES."""
ELO_PER_SIGMA = 800 / math.log(10)
"""Normalized Elo per standard deviation of a game: for small differences and no draws it is then Elo."""
_CONFIDENCE_95 = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measured value; with 95 % confidence the truth is within `error` of it."""

    value: float
    error: float

    def __str__(self) -> str:
        return f"{self.value:.2f} +/- {self.error:.2f}"


def elo_of(score: float) -> float:
    """Returns the rating difference at which `score` (0 to 1) is expected."""
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return 0.0 - 400 * math.log10(1 / score - 1)  # a subtraction, for -0.0 looks odd in a report


def score_of(elo: float) -> float:
    """Returns the score that a rating difference lets expect: the inverse of `elo_of`."""
    return 1 / (1 + 10 ** (-elo / 400))


@dataclass(frozen=True, slots=True)
class PairStatistics:
    """The results of game pairs, from one engine's view."""

    counts: Counts = (0, 0, 0, 0, 0)

    @property
    def pairs(self) -> int:
        """How many pairs were played."""
        return sum(self.counts)

    @property
    def mean(self) -> float:
        """The average score per game; a half before anything is known."""
        if not self.pairs:
            return 0.5
        return sum(n * score for n, score in zip(self.counts, PAIR_SCORES, strict=True)) / self.pairs

    @property
    def variance(self) -> float:
        """How much the score of one pair scatters."""
        mean = self.mean
        squares = (n * (score - mean) ** 2 for n, score in zip(self.counts, PAIR_SCORES, strict=True))
        return sum(squares) / self.pairs if self.pairs else 0.0

    @property
    def standard_error(self) -> float:
        """How much the average score scatters."""
        return math.sqrt(self.variance / self.pairs) if self.pairs else math.inf

    @property
    def elo(self) -> Estimate:
        """The rating difference; the error is half of the interval's width, as that is not symmetric in Elo."""
        low, high = (elo_of(self.mean + sign * _CONFIDENCE_95 * self.standard_error) for sign in (-1, 1))
        return Estimate(elo_of(self.mean), (high - low) / 2 if low < high < math.inf else math.inf)

    @property
    def normalized_elo(self) -> Estimate:
        """The rating difference in standard deviations of a game, scaled to look like Elo."""
        if self.variance == 0:
            return Estimate(0.0 if self.mean == 0.5 else math.copysign(math.inf, self.mean - 0.5), math.inf)
        # A game scatters by sqrt(2) more than the average of the two games of a pair.
        sigma = math.sqrt(2 * self.variance)
        error = _CONFIDENCE_95 * self.standard_error / sigma
        return Estimate(ELO_PER_SIGMA * (self.mean - 0.5) / sigma, ELO_PER_SIGMA * error)

    @property
    def likelihood_of_superiority(self) -> float:
        """The chance that the engine is the stronger one (LOS)."""
        if self.variance == 0:
            return 0.5 if self.mean == 0.5 else float(self.mean > 0.5)
        return NormalDist().cdf((self.mean - 0.5) / self.standard_error)

    @property
    def draw_ratio(self) -> float:
        """The share of pairs that nobody won."""
        return self.counts[2] / self.pairs if self.pairs else 0.0

    @property
    def pairs_ratio(self) -> float:
        """Pairs won to pairs lost."""
        lost, won = sum(self.counts[:2]), sum(self.counts[3:])
        return won / lost if lost else math.inf if won else math.nan

    def mirrored(self) -> PairStatistics:
        """Returns the same from the opponent's view."""
        a, b, c, d, e = self.counts
        return PairStatistics((e, d, c, b, a))

    def with_pair(self, points: float) -> PairStatistics:
        """Returns the statistics after one more pair, which brought 0 to 2 points."""
        counts = list(self.counts)
        counts[round(2 * points)] += 1
        return PairStatistics((counts[0], counts[1], counts[2], counts[3], counts[4]))

    def __iter__(self) -> Iterator[int]:
        return iter(self.counts)
