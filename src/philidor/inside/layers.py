"""What a convolutional network sees, and what its layers make of it: planes over the board (book, ch. 4.2 and 4.4)."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from philidor.core.charts import gray_png
from philidor.core.errors import ConfigError
from philidor.core.game import AnyState
from philidor.core.svg import GRID, INK, document, text
from philidor.evaluators.loading import load_net
from philidor.evaluators.network import NetEvaluator
from philidor.nets.loading import NetFormat, net_format
from philidor.nets.shipped import find_net
from philidor.nets.tower import Block, Layer, PlainTower, Tower

Numbers = NDArray[np.float32]
_SHOWN = 24
_COLUMNS, _SIDE, _STEP_X, _STEP_Y = 8, 88, 100, 112


@dataclass(frozen=True, slots=True, eq=False)
class Planes:
    """Some planes over the board, such as the input or what a block hands on."""

    title: str
    numbers: Numbers  # [planes, height, width]
    """Rows count from the bottom of the board, as squares do; the board is as the network sees it."""

    def svg(self, *, places: tuple[int, ...] = ()) -> str:
        """Draws planes as gray squares, light for large numbers: those with the most contrast if none are named."""
        contrast = self.numbers.std(axis=(1, 2))
        chosen = places or tuple(sorted(np.argsort(-contrast, kind="stable")[:_SHOWN].tolist()))
        parts = [
            text(16, 26, self.title, color=INK, weight="600", size=15),
            text(16, 44, f"{len(chosen)} of {len(self.numbers)} planes; under each its number and its largest value"),
        ]
        for number, place in enumerate(chosen):
            left, top = 16 + _STEP_X * (number % _COLUMNS), 58 + _STEP_Y * (number // _COLUMNS)
            parts += _picture(self.numbers[place, ::-1], left, top)
            parts.append(text(left, top + _SIDE + 13, f"{place}: {self.numbers[place].max():.2f}"))
        rows = -(-len(chosen) // _COLUMNS)
        return document(32 + _STEP_X * min(_COLUMNS, len(chosen)), 66 + _STEP_Y * rows, parts)

    def _repr_svg_(self) -> str:
        return self.svg()


def _picture(numbers: Numbers, left: float, top: float) -> list[str]:
    low, high = float(numbers.min()), float(numbers.max())
    levels = np.round(255 * (numbers - low) / max(high - low, 1e-9)).astype(np.uint8)
    data = b64encode(gray_png([row.tobytes() for row in levels])).decode()
    place = f'x="{left}" y="{top}" width="{_SIDE}" height="{_SIDE}"'
    return [
        f'<image {place} style="image-rendering:pixelated" preserveAspectRatio="none" '
        f'href="data:image/png;base64,{data}"/>',
        f'<rect {place} fill="none" stroke="{GRID}"/>',
    ]


def input_planes(state: AnyState, net: str | Path) -> Planes:
    """Returns what the network sees of a state: the packed planes, then the scalars. Raises ConfigError, NetError."""
    evaluator = net_evaluator(net)
    shape, batch = evaluator.encoding.shape, evaluator.encoding.encode([state])
    bits = np.unpackbits(batch.planes[0].view(np.uint8), axis=-1, bitorder="little")[:, : shape.height * shape.width]
    packed = bits.reshape(shape.packed_planes, shape.height, shape.width).astype(np.float32)
    scalars = np.broadcast_to(batch.scalars[0][:, None, None], (shape.scalar_planes, shape.height, shape.width))
    return Planes(f"Input of {evaluator.name}", np.concatenate([packed, scalars]).astype(np.float32))


def activations(state: AnyState, net: str | Path, layer: int) -> Planes:
    """Returns what a layer hands on: 0 is the first convolution, then come the residual blocks; -1 is the last.

    AlphaGo's networks have further convolutions in place of the blocks. Raises ConfigError for a layer that is not
    there, and for a network that is no tower of convolutions.
    """
    tower = tower_of_net(net)
    number = _checked_layer(tower, layer)
    flow = forward(tower, input_planes(state, net).numbers, number)
    return Planes(f"After {_layer_name(tower, number)} of {Path(net).name}", flow)


def layer_count(net: str | Path) -> int:
    """Returns how many layers `activations` knows. Raises ConfigError, NetError."""
    return len(_stages(tower_of_net(net))) + 1


def filters(net: str | Path, number: int, layer: int = 0) -> Planes:
    """Returns what a filter looks for: its weights, 3x3 for each plane that comes in, or 5x5 in AlphaGo's networks.

    Layers count as in `activations`; of a residual block it is the first of its two convolutions. Raises ConfigError
    for a layer or filter that is not there, and for a network that is no tower of convolutions.
    """
    tower = tower_of_net(net)
    place = _checked_layer(tower, layer)
    stage = _stages(tower)[place - 1] if place else _first(tower)
    weights = stage.first.weights if isinstance(stage, Block) else stage.weights
    if not 0 <= number < len(weights):
        raise ConfigError(f"the filters are 0 to {len(weights) - 1}, got {number}")
    return Planes(f"Filter {number} of {_layer_name(tower, place)} of {Path(net).name}", weights[number])


def _checked_layer(tower: Tower | PlainTower, layer: int) -> int:
    """Returns the layer, counted from the front. Raises ConfigError."""
    layers = len(_stages(tower)) + 1
    if not -layers <= layer < layers:
        raise ConfigError(f"the layers are 0 to {layers - 1}, got {layer}")
    return layer % layers


def _layer_name(tower: Tower | PlainTower, layer: int) -> str:
    if layer == 0:
        return "the first convolution"
    # Convolutions count from 1, and blocks from the one behind the first convolution.
    count = len(_stages(tower))
    return f"block {layer} of {count}" if isinstance(tower, Tower) else f"convolution {layer + 1} of {count + 1}"


def _first(tower: Tower | PlainTower) -> Layer:
    return tower.input if isinstance(tower, Tower) else tower.layers[0]


def _stages(tower: Tower | PlainTower) -> Sequence[Block | Layer]:
    """What stands behind the first convolution: residual blocks, or further convolutions."""
    return tower.blocks if isinstance(tower, Tower) else tower.layers[1:]


def forward(tower: Tower | PlainTower, planes: Numbers, count: int) -> Numbers:
    """Computes the first convolution and `count` stages: residual blocks as in Figure 4.15 of the book, or AlphaGo's
    plain convolutions.
    """
    flow = _activated(convolved(planes, _first(tower)), tower.activation)
    for block in _stages(tower)[:count]:
        if isinstance(block, Layer):
            flow = _activated(convolved(flow, block), tower.activation)
            continue
        skip = flow
        flow = convolved(_activated(convolved(skip, block.first), tower.activation), block.second)
        if block.squeeze is not None:
            squeeze, excite = block.squeeze
            means = _activated(squeeze.weights @ flow.mean(axis=(1, 2)) + squeeze.biases, tower.activation)
            scales, shifts = np.split(excite.weights @ means + excite.biases, 2)
            flow = flow / (1 + np.exp(-scales))[:, None, None] + shifts[:, None, None]
        flow = _activated(flow + skip, tower.activation)
    return np.asarray(flow, np.float32)


def convolved(planes: Numbers, layer: Layer) -> Numbers:
    """Convolves planes [inputs, height, width], padded to keep their size."""
    size = layer.weights.shape[-1]
    margin, (_, height, width) = size // 2, planes.shape
    padded = np.pad(planes, ((0, 0), (margin, margin), (margin, margin)))
    total = np.zeros((len(layer.biases), height, width), np.float32)
    for row in range(size):
        for column in range(size):
            window = padded[:, row : row + height, column : column + width]
            total += np.tensordot(layer.weights[:, :, row, column], window, 1)
    return np.asarray(total + layer.biases[:, None, None], np.float32)


def _activated(values: Any, name: str) -> Any:
    return np.maximum(values, 0) if name == "relu" else values * np.tanh(np.logaddexp(0, values))


def net_evaluator(net: str | Path) -> NetEvaluator:
    """Loads a network that sees planes. Raises ConfigError, NetError."""
    evaluator: Any = load_net(net)
    if not isinstance(evaluator, NetEvaluator):
        raise ConfigError(f"{str(net)!r} has no planes: it is no convolutional network")
    return evaluator


def tower_of_net(net: str | Path) -> Tower | PlainTower:
    """Reads the weights, with batch norm folded in. Raises ConfigError, NetError."""
    from philidor.nets.leela.files import load_leela
    from philidor.nets.leela.residual import is_residual, tower_of
    from philidor.nets.network_files import load_stored
    from philidor.nets.network_weights import fold

    path = find_net(net)
    kind = net_format(path)
    if kind is NetFormat.LEELA and is_residual(read := load_leela(path)):
        return tower_of(read)
    if kind is NetFormat.OWN:
        stored = load_stored(path)
        folded = fold(stored.arrays, stored.config, net_evaluator(net).encoding.shape)
        if isinstance(folded, Tower | PlainTower):
            return folded
    raise ConfigError(f"{str(net)!r} is no tower of convolutions")
