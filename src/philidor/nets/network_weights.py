"""The weights of our own networks by name: what shapes they have, and the same network without batch norm.

This is the layout of our files. `philidor.nets.torch.model` has modules of these names; nothing here needs torch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from philidor.core.errors import NetError
from philidor.encodings.encoding import Shape
from philidor.nets.heads import HEADS, has_planes, has_points, has_pooled_points, head_sizes
from philidor.nets.network_config import NetworkConfig
from philidor.nets.policy_cells import policy_cells
from philidor.nets.tower import (
    Block,
    Folded,
    Layer,
    Perceptron,
    PlainTower,
    PointsHead,
    PooledHead,
    PooledTower,
    Tower,
    TowerHead,
    finite,
)

BATCH_NORM_EPSILON = 1e-5

Arrays = Mapping[str, NDArray[Any]]
Shapes = dict[str, tuple[int, ...]]


def weight_shapes(config: NetworkConfig, shape: Shape) -> Shapes:
    """Returns the shapes of all weights by name. Raises ConfigError for a policy that the encoding cannot have."""
    if config.body == "mlp":
        sizes = [shape.planes * shape.height * shape.width] + [config.filters] * config.blocks
        shapes = _chain("body.layers", sizes)
        for head, (*_, outputs) in head_sizes(config, shape).items():
            shapes |= _dense(f"heads.{head}.layers", config.filters, outputs)
        return shapes
    filters = config.filters
    is_plain = config.body == "plain"
    shapes = _plain_body(config, shape) if is_plain else _conv_norm("body.input", shape.planes, filters, 3)
    for number in range(0 if is_plain else config.blocks):
        name = f"body.blocks.{number}"
        shapes |= _conv_norm(f"{name}.first", filters, filters, 3) | _conv_norm(f"{name}.second", filters, filters, 3)
        if config.se_channels:
            shapes |= _dense(f"{name}.se.squeeze", filters, config.se_channels)
            shapes |= _dense(f"{name}.se.excite", config.se_channels, 2 * filters)
    for head, (planes, *widths) in head_sizes(config, shape).items():
        name = f"heads.{head}.layers"
        if has_planes(config, head):
            moves = policy_cells(config.encoding, shape).planes
            shapes |= _conv_norm(f"{name}.first", filters, filters, 3)
            shapes |= {f"{name}.second.weight": (moves, filters, 3, 3), f"{name}.second.bias": (moves,)}
        elif has_points(config, head):
            shapes |= {f"{name}.plane.weight": (1, filters, 1, 1), f"{name}.biases": (shape.height * shape.width,)}
        elif config.heads == "pooled":
            shapes |= _conv_norm(f"{name}.squares", filters, planes, 1)
            shapes |= {f"{name}.plane.weight": (1, planes, 1, 1)} if has_pooled_points(config, head) else {}
            shapes |= _chain(f"{name}.dense", [2 * planes, *_pooled_widths(config, shape, head, widths)])
        else:
            shapes |= _conv_norm(f"{name}.squares", filters, planes, 1)
            shapes |= _chain(f"{name}.dense", [planes * shape.height * shape.width, *widths])
    return shapes


def check_weights(arrays: Arrays, config: NetworkConfig, shape: Shape, name: str) -> None:
    """Refuses weights that are missing, too many, or of another shape. Raises NetError."""
    wanted = weight_shapes(config, shape)
    if missing := [key for key in wanted if key not in arrays]:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise NetError(f"{name} has no weights {missing[0]!r}{more}")
    if surplus := [key for key in arrays if key not in wanted]:
        raise NetError(f"{name} has weights that its network does not know: {surplus[0]!r}")
    for key, sizes in wanted.items():
        if arrays[key].shape != sizes:
            needed, got = (" x ".join(map(str, each)) for each in (sizes, arrays[key].shape))
            raise NetError(f"{name}: {key} should be {needed} for its game, it is {got}")


def fold(arrays: Arrays, config: NetworkConfig, shape: Shape) -> Folded:
    """Returns the network for playing: batch norm folded into convolutions, heads of training left out.

    Raises NetError for weights that are not finite then.
    """
    played = {head: sizes for head, sizes in head_sizes(config, shape).items() if HEADS[head].is_played}
    if config.body == "mlp":
        outputs = {head: _layer(arrays, f"heads.{head}.layers") for head in played}
        return Perceptron(_layers(arrays, "body.layers", config.blocks), outputs, config.activation)

    def head_of(head: str, dense: int) -> TowerHead:
        name = f"heads.{head}.layers"
        if has_planes(config, head):
            cells = policy_cells(config.encoding, shape).cells.astype(np.int32)
            return TowerHead([_folded(arrays, f"{name}.first"), _layer(arrays, f"{name}.second")], cells)
        return TowerHead([_folded(arrays, f"{name}.squares"), *_layers(arrays, f"{name}.dense", dense)])

    if config.body == "plain":
        heads = {
            head: _points_head(arrays, f"heads.{head}.layers", sizes[-1])
            if has_points(config, head)
            else head_of(head, len(sizes) - 1)
            for head, sizes in played.items()
        }
        return PlainTower(_layers(arrays, "body.layers", config.blocks + 1), heads, config.activation)
    first = _folded(arrays, "body.input")
    blocks = [_block(arrays, f"body.blocks.{number}", bool(config.se_channels)) for number in range(config.blocks)]
    if config.heads == "pooled":
        pooled = {
            head: _pooled_head(arrays, config, head, len(_pooled_widths(config, shape, head, sizes[1:])))
            for head, sizes in played.items()
        }
        return PooledTower(first, blocks, pooled, config.activation)
    return Tower(
        input=first,
        blocks=blocks,
        heads={head: head_of(head, len(sizes) - 1) for head, sizes in played.items()},
        activation=config.activation,
    )


def unfold(name: str, layer: Layer) -> dict[str, NDArray[np.float32]]:
    """Returns a convolution with a bias as one with batch norm that does the same, to be trained on."""
    ones, zeros = np.ones_like(layer.biases), np.zeros_like(layer.biases)
    return {
        f"{name}.conv.weight": layer.weights,
        f"{name}.norm.weight": ones * np.float32(np.sqrt(1 + BATCH_NORM_EPSILON)),
        f"{name}.norm.bias": layer.biases,
        f"{name}.norm.running_mean": zeros,
        f"{name}.norm.running_var": ones,
    }


def _points_head(arrays: Arrays, name: str, outputs: int) -> PointsHead:
    layer = Layer(arrays[f"{name}.plane.weight"].astype(np.float32), np.zeros(1, np.float32))
    biases = arrays[f"{name}.biases"].astype(np.float32)
    return PointsHead(finite(layer, name), finite(Layer(biases, biases), name).biases, outputs)


def _pooled_widths(config: NetworkConfig, shape: Shape, head: str, widths: Sequence[int]) -> Sequence[int]:
    """Returns the widths of the dense layers on means and maxima: of points none, but one for a policy with a pass."""
    if not has_pooled_points(config, head):
        return widths
    has_pass = HEADS[head].is_policy and shape.policy_size > shape.height * shape.width
    return [1] if has_pass else []


def _pooled_head(arrays: Arrays, config: NetworkConfig, head: str, dense: int) -> PooledHead:
    name = f"heads.{head}.layers"
    layers = _layers(arrays, f"{name}.dense", dense)
    plane = None
    if has_pooled_points(config, head):
        plane = finite(Layer(arrays[f"{name}.plane.weight"].astype(np.float32), np.zeros(1, np.float32)), name)
    return PooledHead(_folded(arrays, f"{name}.squares"), layers, plane)


def _plain_body(config: NetworkConfig, shape: Shape) -> Shapes:
    sizes = [(shape.planes, 5), *[(config.filters, 3)] * config.blocks]
    shapes: Shapes = {}
    for number, (inputs, size) in enumerate(sizes):
        shapes[f"body.layers.{number}.weight"] = (config.filters, inputs, size, size)
        shapes[f"body.layers.{number}.bias"] = (config.filters,)
    return shapes


def _block(arrays: Arrays, name: str, has_squeeze: bool) -> Block:
    squeeze = (_layer(arrays, f"{name}.se.squeeze"), _layer(arrays, f"{name}.se.excite")) if has_squeeze else None
    return Block(_folded(arrays, f"{name}.first"), _folded(arrays, f"{name}.second"), squeeze)


def _folded(arrays: Arrays, name: str) -> Layer:
    """Returns w * g and beta - g * mean, with g = gamma / sqrt(variance + epsilon)."""
    weights, norm = arrays[f"{name}.conv.weight"].astype(np.float32), f"{name}.norm"
    with np.errstate(invalid="ignore", over="ignore"):
        variances = arrays[f"{norm}.running_var"].astype(np.float32) + np.float32(BATCH_NORM_EPSILON)
        scales = arrays[f"{norm}.weight"].astype(np.float32) / np.sqrt(variances)
        biases = arrays[f"{norm}.bias"] - scales * arrays[f"{norm}.running_mean"]
        folded = Layer(weights * scales[:, np.newaxis, np.newaxis, np.newaxis], biases.astype(np.float32))
    return finite(folded, name)


def _layer(arrays: Arrays, name: str) -> Layer:
    with np.errstate(over="ignore"):  # a file may have numbers of double precision
        layer = Layer(arrays[f"{name}.weight"].astype(np.float32), arrays[f"{name}.bias"].astype(np.float32))
    return finite(layer, name)


def _layers(arrays: Arrays, name: str, count: int) -> list[Layer]:
    return [_layer(arrays, f"{name}.{number}") for number in range(count)]


def _conv_norm(name: str, inputs: int, outputs: int, size: int) -> Shapes:
    norm = ("weight", "bias", "running_mean", "running_var")
    return {f"{name}.conv.weight": (outputs, inputs, size, size), **{f"{name}.norm.{key}": (outputs,) for key in norm}}


def _dense(name: str, inputs: int, outputs: int) -> Shapes:
    return {f"{name}.weight": (outputs, inputs), f"{name}.bias": (outputs,)}


def _chain(name: str, sizes: list[int]) -> Shapes:
    shapes: Shapes = {}
    for number, (inputs, outputs) in enumerate(pairwise(sizes)):
        shapes |= _dense(f"{name}.{number}", inputs, outputs)
    return shapes
