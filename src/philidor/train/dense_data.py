"""What the small float networks see of training positions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from philidor.nets.dense.features import COUNT
from philidor.train.native import DEEPCHESS_MAX_ACTIVE, PositionSet, fill_deepchess, fill_giraffe

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class DenseBatch:
    """Positions as a network sees them; the first axis is the position."""

    inputs: NDArray[Any]
    """Giraffe's features, float32 [n, COUNT]; or DeepChess's inputs that are on, int32 [n, 69], the rest 773."""
    score: NDArray[np.float32]  # [n]
    """Centipawns: in the side to move's view for Giraffe, in White's for DeepChess."""
    result: NDArray[np.float32]  # [n]
    """0, 0.5 or 1 in the same view."""

    def __len__(self) -> int:
        return len(self.score)


MakeBatch = Callable[[PositionSet, "NDArray[np.uint32]", int], DenseBatch]


def giraffe_batch(positions: PositionSet, indices: NDArray[np.uint32], threads: int = 1) -> DenseBatch:
    """Makes the batch of these positions, with features that C++ computes as it would in a search."""
    batch = _room(np.empty((len(indices), COUNT), np.float32))
    fill_giraffe(positions, indices, batch.inputs, batch.score, batch.result, threads)
    return batch


def deepchess_batch(positions: PositionSet, indices: NDArray[np.uint32], threads: int = 1) -> DenseBatch:
    """Makes the batch of these positions, which are to be compared with each other."""
    batch = _room(np.empty((len(indices), DEEPCHESS_MAX_ACTIVE), np.int32))
    fill_deepchess(positions, indices, batch.inputs, batch.score, batch.result, threads)
    return batch


def _room(inputs: NDArray[Any]) -> DenseBatch:
    return DenseBatch(inputs, np.empty(len(inputs), np.float32), np.empty(len(inputs), np.float32))


def in_order(size: int, count: int) -> Iterator[NDArray[np.uint32]]:
    """Yields the indices of batches, unshuffled."""
    for start in range(0, count, size):
        yield np.arange(start, min(start + size, count), dtype=np.uint32)


def shuffled(size: int, count: int, seed: int) -> Iterator[NDArray[np.uint32]]:
    """Yields the indices of batches, in an order of its own for each seed; the last may be smaller."""
    order = np.random.default_rng(seed).permutation(count).astype(np.uint32)
    for start in range(0, count, size):
        yield order[start : start + size]
