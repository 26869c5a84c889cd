"""The numbers in a weight file: decoded, checked against the shape they must have, and batch norm folded away."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from philidor.core.errors import NetError
from philidor.nets.leela.messages import ConvBlock, Layer, WeightCode
from philidor.nets.tower import Layer as Convolution
from philidor.nets.tower import finite

Array = NDArray[np.float32]

_BATCH_NORM_EPSILON = np.float32(1e-5)


def size_of(layer: Layer | None) -> int:
    """Returns how many numbers a layer has; 0 if it is absent."""
    if layer is None or layer.params is None:
        return 0
    return len(layer.params) // (4 if layer.encoding == WeightCode.FLOAT32 else 2)


def array_of(layer: Layer | None, name: str, *shape: int) -> Array:
    """Returns a layer's numbers in a shape; one size may be -1. Raises NetError if it is absent or has another size."""
    if layer is None or not layer.params:
        raise NetError(f"the network has no {name}")
    numbers = _decode(layer, name)
    if not np.isfinite(numbers).all():
        raise NetError(f"{name} has numbers that are not finite")
    if -1 in shape:
        rest = -int(np.prod(shape))
        if rest <= 0 or numbers.size % rest:
            raise NetError(f"{name} has {numbers.size} numbers, which is no multiple of {rest}")
    elif numbers.size != int(np.prod(shape)):
        raise NetError(f"{name} should have {' x '.join(map(str, shape))} numbers, it has {numbers.size}")
    return numbers.reshape(shape)


def _decode(layer: Layer, name: str) -> Array:
    assert layer.params is not None
    code = layer.encoding or WeightCode.LINEAR16
    width = 4 if code == WeightCode.FLOAT32 else 2
    if len(layer.params) % width:
        raise NetError(f"{name} has {len(layer.params)} bytes, which is no multiple of {width}")
    if code == WeightCode.LINEAR16:
        low, high = np.float32(layer.min_val or 0.0), np.float32(layer.max_val or 0.0)
        steps = np.frombuffer(layer.params, "<u2").astype(np.float32)
        linear: Array = steps / np.float32(65535) * (high - low) + low
        return linear
    if code == WeightCode.FLOAT16:
        return np.frombuffer(layer.params, "<f2").astype(np.float32)
    if code == WeightCode.BFLOAT16:
        upper_halves = np.frombuffer(layer.params, "<u2").astype(np.uint32) << 16
        return upper_halves.view(np.float32)
    if code == WeightCode.FLOAT32:
        return np.frombuffer(layer.params, "<f4").astype(np.float32)
    raise NetError(f"{name} has numbers written in a way that is not known here: encoding {code}")


def convolution(block: ConvBlock | None, name: str, inputs: int, size: int, outputs: int = -1) -> Convolution:
    """Returns a convolution with its batch norm folded in: w * g and beta - g * (mean - bias)."""
    if block is None:
        raise NetError(f"the network has no {name}")
    weights = array_of(block.weights, f"{name} weights", outputs, inputs, size, size)
    outputs = len(weights)
    zeros = np.zeros(outputs, np.float32)
    biases = array_of(block.biases, f"{name} biases", outputs) if size_of(block.biases) else zeros
    if not size_of(block.bn_means):
        return Convolution(weights, biases)
    means = array_of(block.bn_means, f"{name} means", outputs)
    variances = array_of(block.bn_stddivs, f"{name} variances", outputs)
    # Older files have neither gammas nor betas.
    gammas, betas = np.ones(outputs, np.float32), zeros
    if size_of(block.bn_betas):
        gammas = array_of(block.bn_gammas, f"{name} gammas", outputs) if size_of(block.bn_gammas) else gammas
        betas = array_of(block.bn_betas, f"{name} betas", outputs)
    # In the order of lc0, so that the last bits agree too.
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        scales = gammas * (np.float32(1) / np.sqrt(variances + _BATCH_NORM_EPSILON))
        folded: Array = weights * scales[:, np.newaxis, np.newaxis, np.newaxis]
        return finite(Convolution(folded, betas - scales * (means - biases)), name)


def layer_of(array: NDArray[np.floating], code: WeightCode = WeightCode.LINEAR16) -> Layer:
    """Writes numbers as a layer; LINEAR16, which every lc0 reads, keeps each within 1/131070 of the range."""
    flat = np.ascontiguousarray(array, dtype=np.float32).reshape(-1)
    if not flat.size or not np.isfinite(flat).all():
        raise NetError("a layer must have numbers, all of them finite")
    if code == WeightCode.FLOAT32:
        return Layer(params=flat.astype("<f4").tobytes(), encoding=code)
    if code == WeightCode.FLOAT16:
        return Layer(params=flat.astype("<f2").tobytes(), encoding=code)
    if code != WeightCode.LINEAR16:
        raise NetError(f"layers are not written as {code.name}")
    low, high = float(flat.min()), float(flat.max())
    span = high - low
    steps = np.rint((flat.astype(np.float64) - low) / span * 65535) if span else np.zeros(flat.size)
    return Layer(min_val=low, max_val=high, params=steps.astype("<u2").tobytes())


def conv_block(weights: Array, biases: Array, code: WeightCode = WeightCode.LINEAR16) -> ConvBlock:
    """Writes a convolution whose batch norm is folded already."""
    return ConvBlock(weights=layer_of(weights, code), biases=layer_of(biases, code))
