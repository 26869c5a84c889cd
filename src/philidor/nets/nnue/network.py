"""The weights of an NNUE network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from philidor.core.errors import NetError
from philidor.nets.nnue.architecture import Architecture

Int8s = npt.NDArray[np.int8]
Int16s = npt.NDArray[np.int16]
Int32s = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """One affine layer: sums of byte inputs times `weights` on top of `biases`."""

    biases: Int32s  # [outputs]
    weights: Int8s  # [outputs, inputs]


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """A network as it is in its file: nothing padded, permuted or packed."""

    architecture: Architecture
    feature_biases: Int16s  # [width]
    feature_weights: Int16s  # [inputs, width]
    stacks: tuple[tuple[Layer, ...], ...]
    """The layers for each output bucket."""
    description: str = ""

    def __post_init__(self) -> None:
        shape = self.architecture
        _check("feature biases", self.feature_biases, (shape.width,), np.int16)
        _check("feature weights", self.feature_weights, (shape.features.count, shape.width), np.int16)
        if len(self.stacks) != shape.output_buckets:
            raise NetError(f"expected layers for {shape.output_buckets} output buckets, got {len(self.stacks)}")
        for stack in self.stacks:
            if len(stack) != len(shape.layer_shapes):
                raise NetError(f"expected {len(shape.layer_shapes)} layers, got {len(stack)}")
            for number, (layer, (outputs, inputs)) in enumerate(zip(stack, shape.layer_shapes, strict=True), start=1):
                _check(f"biases of layer {number}", layer.biases, (outputs,), np.int32)
                _check(f"weights of layer {number}", layer.weights, (outputs, inputs), np.int8)


def _check(name: str, array: npt.NDArray[Any], shape: tuple[int, ...], dtype: type[np.integer[Any]]) -> None:
    if array.shape != shape or array.dtype != dtype:
        wanted = f"{np.dtype(dtype).name}{list(shape)}"
        raise NetError(f"{name}: expected {wanted}, got {array.dtype.name}{list(array.shape)}")
