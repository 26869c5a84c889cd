"""Means of measurements that come in groups, with 95 % intervals that know it.

The positions of a game are not independent: who knows the opening knows ten of its moves. So games are what is counted
(the sandwich estimator for clusters; Liang and Zeger 1986): the residuals are summed up within a game before they are
squared.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from philidor.arena.statistics import Estimate

if TYPE_CHECKING:
    from numpy.typing import NDArray

_CONFIDENCE_95 = NormalDist().inv_cdf(0.975)
NOTHING = Estimate(math.nan, math.nan)
"""The mean of no measurements."""


def clustered_mean(values: NDArray[Any], clusters: NDArray[Any]) -> Estimate:
    """Returns the mean of the values that are numbers, and half the width of its interval.

    `clusters` has the number of each value's group. One group alone says nothing about its error, which is infinite.
    """
    known = ~np.isnan(values)
    kept, groups = values[known].astype(np.float64), clusters[known]
    if not len(kept):
        return NOTHING
    mean = float(kept.mean())
    _, members = np.unique(groups, return_inverse=True)
    sums = np.bincount(members, weights=kept - mean)
    if len(sums) < 2:
        return Estimate(mean, math.inf)
    variance = float((sums**2).sum()) / len(kept) ** 2 * len(sums) / (len(sums) - 1)
    return Estimate(mean, _CONFIDENCE_95 * math.sqrt(variance))


def clustered_ratio(above: NDArray[Any], below: NDArray[Any], clusters: NDArray[Any]) -> Estimate:
    """Returns the ratio of two means of the same positions, and half the width of its interval (delta method)."""
    mean = float(below.mean()) if len(below) else 0.0
    if mean == 0:
        return NOTHING
    ratio = float(above.mean()) / mean
    return Estimate(ratio, clustered_mean((above - ratio * below) / mean, clusters).error)
