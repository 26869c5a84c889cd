"""Networks for playing as plain arrays, without batch norm: what each backend is made from, whatever the file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from philidor.core.errors import NetError

FILTER_STEP = 16
"""The compiled tower takes filters in such steps: they fill the widest vectors."""


class Layer(NamedTuple):
    """Weights [outputs, inputs] or [outputs, inputs, 3, 3], and biases [outputs]."""

    weights: NDArray[np.float32]
    biases: NDArray[np.float32]


def finite(layer: Layer, name: str) -> Layer:
    """Returns the layer, unless folding batch norm in made it infinite or NaN: a variance below zero does that.

    Raises NetError: rectifiers may turn NaN into 0, and such a network would answer as if nothing were wrong.
    """
    if not all(np.isfinite(part).all() for part in layer):
        raise NetError(f"{name} has weights that are not finite once batch norm is folded in")
    return layer


class Block(NamedTuple):
    """Two convolutions around a skip, with the two dense layers of squeeze and excitation or without."""

    first: Layer
    second: Layer
    squeeze: tuple[Layer, Layer] | None


class TowerHead(NamedTuple):
    """A 1x1 convolution and dense layers, whose inputs are [channels][squares] flat; or planes of moves."""

    layers: list[Layer]
    """With `cells` two 3x3 convolutions."""
    cells: NDArray[np.int32] | None = None
    """For each move its cell plane * squares + square among the planes of the last convolution."""

    @property
    def outputs(self) -> int:
        """How many numbers come out."""
        return len(self.layers[-1].biases) if self.cells is None else len(self.cells)


@dataclass(frozen=True, eq=False, slots=True)
class Tower:
    """A residual network. Its heads' numbers are raw: `philidor.nets.heads` says how they are finished."""

    input: Layer
    blocks: list[Block]
    heads: dict[str, TowerHead]
    """By the names of `philidor.nets.heads`."""
    activation: str
    """ "relu" or "mish"."""

    @property
    def filters(self) -> int:
        """The channels between blocks."""
        return len(self.input.biases)


@dataclass(frozen=True, eq=False, slots=True)
class Perceptron:
    """Dense layers on the flat input, and one layer for each head."""

    layers: list[Layer]
    heads: dict[str, Layer]
    """By the names of `philidor.nets.heads`."""
    activation: str


class PointsHead(NamedTuple):
    """A 1x1 convolution to one plane and a bias for each point: AlphaGo's policy. Places beyond the points are 0."""

    layer: Layer
    biases: NDArray[np.float32]
    """By point."""
    outputs: int
    """How many numbers come out: the points, and 0 for a pass."""


@dataclass(frozen=True, eq=False, slots=True)
class PlainTower:
    """Convolutions one after the other, without skips: AlphaGo's."""

    layers: list[Layer]
    heads: dict[str, TowerHead | PointsHead]
    """By the names of `philidor.nets.heads`."""
    activation: str


class PooledHead(NamedTuple):
    """A 1x1 convolution, and dense layers on the mean and the highest number of each of its planes."""

    squares: Layer
    dense: list[Layer]
    """Their inputs are the means, then the maxima."""
    plane: Layer | None = None
    """Of a policy: a 1x1 convolution to the plane of points; a dense layer then adds the pass behind them, if any."""


@dataclass(frozen=True, eq=False, slots=True)
class PooledTower:
    """A residual network that fits boards of all sizes."""

    input: Layer
    blocks: list[Block]
    heads: dict[str, PooledHead]
    """By the names of `philidor.nets.heads`."""
    activation: str


Folded: TypeAlias = Tower | PlainTower | PooledTower | Perceptron
"""A network for playing."""
