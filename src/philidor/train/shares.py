"""Distributions over places of a policy head, many at a time: rows of different lengths behind each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Shares:
    """A distribution for each of n positions; an empty row is a position without one."""

    offsets: NDArray[np.int64]  # [n + 1]
    """Row i is places[offsets[i] : offsets[i + 1]]."""
    places: NDArray[np.uint16]
    shares: NDArray[np.float32]
    """One for each place."""

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def take(self, rows: NDArray[np.int64]) -> Shares:
        """Returns these rows."""
        entries, offsets = rows_of(self.offsets, rows)
        return Shares(offsets, self.places[entries], self.shares[entries])

    def since(self, row: int) -> Shares:
        """Returns the rows from this one on."""
        start = self.offsets[row]
        return Shares(self.offsets[row:] - start, self.places[start:], self.shares[start:])


def rows_of(offsets: NDArray[np.int64], rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Returns where the entries of these rows stand, and the offsets of the rows taken out."""
    counts = offsets[rows + 1] - offsets[rows]
    ends = np.cumsum(counts)
    # Each row's entries are a run of numbers from its offset on.
    entries = np.arange(ends[-1] if len(ends) else 0) + np.repeat(offsets[rows] - (ends - counts), counts)
    return entries, np.concatenate([np.zeros(1, np.int64), ends])


def join_offsets(parts: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Returns the offsets of rows put behind each other."""
    ends = np.cumsum([0, *(offsets[-1] for offsets in parts)])
    shifted = [offsets[1:] + end for offsets, end in zip(parts, ends[:-1], strict=True)]
    return np.concatenate([np.zeros(1, np.int64), *shifted])


def join_shares(parts: Sequence[Shares]) -> Shares:
    """Puts distributions behind each other."""
    return Shares(
        join_offsets([part.offsets for part in parts]),
        np.concatenate([part.places for part in parts]),
        np.concatenate([part.shares for part in parts]),
    )
