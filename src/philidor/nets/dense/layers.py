"""Fully connected layers of floats, computed in one written order.

Trap for a twin: a sum begins with the bias and takes the inputs from the first to the last, each product rounded before
it is added. A matrix product of numpy would take them in an order of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from philidor.core.errors import NetError

Floats = npt.NDArray[np.float32]
MAX_OUTPUTS = 512
"""What the native twin has room for."""


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """One layer: sums of inputs times `weights` on top of `biases`."""

    weights: Floats  # [inputs, outputs]
    biases: Floats  # [outputs]

    def __post_init__(self) -> None:
        outputs = len(self.biases)
        if self.weights.ndim != 2 or self.biases.ndim != 1 or self.weights.shape[1] != outputs:
            raise NetError(f"weights {list(self.weights.shape)} do not fit biases {list(self.biases.shape)}")
        if not 1 <= outputs <= MAX_OUTPUTS:
            raise NetError(f"a layer has 1 to {MAX_OUTPUTS} outputs, got {outputs}")
        for array in (self.weights, self.biases):
            if array.dtype != np.float32:
                raise NetError(f"a layer is made of float32, got {array.dtype}")
            if not np.isfinite(array).all():
                raise NetError("a weight is not a number")

    @property
    def shape(self) -> tuple[int, int]:
        """(inputs, outputs)."""
        return self.weights.shape[0], self.weights.shape[1]

    def sums(self, inputs: Floats) -> Floats:
        """Returns the layer's sums."""  # [outputs]
        found = self.biases.copy()
        for value, row in zip(inputs, self.weights, strict=True):
            found += value * row
        return found


def rectified(values: Floats) -> Floats:
    """Returns the values with everything below zero replaced by zero (ReLU)."""
    return np.maximum(values, np.float32(0))


def check_chain(layers: Sequence[Layer], inputs: int, what: str) -> int:
    """Returns the outputs of the last layer. Raises NetError if one does not fit the one below."""
    for number, layer in enumerate(layers, start=1):
        if layer.shape[0] != inputs:
            raise NetError(f"{what} {number}: expected {inputs} inputs, got {layer.shape[0]}")
        inputs = layer.shape[1]
    return inputs
