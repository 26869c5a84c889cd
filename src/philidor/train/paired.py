"""Differences between two networks on the same positions, with what chance may have done to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_NORMAL_95 = 1.959964


@dataclass(frozen=True, slots=True)
class Difference:
    """A mean difference and half of its 95 % interval."""

    mean: float
    margin: float

    @property
    def is_certain(self) -> bool:
        """Whether zero lies outside the interval."""
        return abs(self.mean) > self.margin


def paired_difference(before: NDArray[Any], after: NDArray[Any], groups: NDArray[np.integer[Any]]) -> Difference:
    """Returns the mean of after - before, and its 95 % margin.

    Positions of one group, such as a game, are alike and count as one drawing: the sums of the groups' deviations are
    what varies (the sandwich estimate for clusters, with a correction for few of them).
    """
    differences = after.astype(np.float64) - before.astype(np.float64)
    mean = float(differences.mean())
    _, number = np.unique(groups, return_inverse=True)
    sums = np.bincount(number, weights=differences - mean)
    count = len(sums)
    if count < 2:
        return Difference(mean, float("inf"))
    variance = float((sums**2).sum()) / len(differences) ** 2 * count / (count - 1)
    return Difference(mean, _NORMAL_95 * variance**0.5)
