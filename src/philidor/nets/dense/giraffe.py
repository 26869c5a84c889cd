"""Giraffe's network: a number for a position (book, 2.14; Lai 2015).

Facts, pieces and squares have a first layer each and meet in the second; ReLU between the layers, tanh at the end. An
alpha-beta search wants a number that keeps growing, so it takes what comes before tanh, in centipawns.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from philidor.core.errors import NetError
from philidor.games.chess import Position
from philidor.nets.dense.features import GROUPS, features
from philidor.nets.dense.layers import MAX_OUTPUTS, Layer, check_chain, rectified

MOST_CENTIPAWNS = 10_000
"""Far from the scores of mates."""


@dataclass(frozen=True, slots=True, eq=False)
class GiraffeNetwork:
    """The weights, and the reference that the native evaluator gives the same floats as."""

    first: tuple[Layer, ...]
    """For the facts, the pieces and the squares."""
    above: tuple[Layer, ...]
    """On top of all three; the last has one output."""
    scale: float
    """Centipawns of an output of 1."""
    description: str = ""

    def __post_init__(self) -> None:
        found = tuple(layer.shape[0] for layer in self.first)
        if found != GROUPS:
            raise NetError(f"the first layers should have {GROUPS} inputs, they have {found}")
        width = sum(layer.shape[1] for layer in self.first)
        if width > MAX_OUTPUTS:
            raise NetError(f"the first layers have {width} outputs, more than {MAX_OUTPUTS}")
        if not self.above or check_chain(self.above, width, "layer") != 1:
            raise NetError("the last layer should have one output")
        if not 0 < self.scale < 1e6:
            raise NetError(f"the scale should be a positive number of centipawns, got {self.scale}")

    def raw(self, position: Position) -> np.float32:
        """Returns what comes out before tanh, in the side to move's view."""
        groups = np.split(features(position), np.cumsum(GROUPS)[:-1])
        values = np.concatenate([rectified(layer.sums(group)) for layer, group in zip(self.first, groups, strict=True)])
        for layer in self.above[:-1]:
            values = rectified(layer.sums(values))
        return np.float32(self.above[-1].sums(values)[0])

    def value(self, position: Position) -> float:
        """Returns the expected result in [-1, 1], in the side to move's view."""
        return float(np.tanh(self.raw(position)))

    def centipawns(self, position: Position) -> int:
        """Returns the same in centipawns."""
        score = self.raw(position) * np.float32(self.scale)
        return int(np.rint(np.clip(score, -MOST_CENTIPAWNS, MOST_CENTIPAWNS)))
