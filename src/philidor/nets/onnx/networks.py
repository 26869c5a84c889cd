"""Folded networks as ONNX models with an open batch size: planes in; policy, value and moves left out."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from philidor.encodings.encoding import Shape
from philidor.nets.onnx.graph import BATCH, Graph, Value
from philidor.nets.onnx.layers import activate, convolve, dense, tower_body
from philidor.nets.onnx.signature import MOVES_LEFT, PLANES, POLICY, VALUE, WDL
from philidor.nets.tower import Layer, Perceptron, Tower


def network_to_onnx(network: Tower | Perceptron, shape: Shape, metadata: Mapping[str, str]) -> bytes:
    """Returns an ONNX file; `metadata` says what it is of, see `philidor.nets.onnx.signature`."""
    graph = Graph("philidor")
    planes = graph.input(PLANES, [BATCH, shape.planes, shape.height, shape.width])
    raw = _tower(graph, planes, network) if isinstance(network, Tower) else _perceptron(graph, planes, network)
    for name, (value, size) in raw.items():
        graph.output(_finish(graph, name, value), name, [BATCH, size])
    return graph.model(metadata)


def _tower(graph: Graph, planes: Value, tower: Tower) -> dict[str, tuple[Value, int]]:
    """Adds a residual network; returns each head's raw numbers and how many there are."""
    flow = tower_body(graph, planes, tower.input, tower.blocks, tower.activation)
    raw = {POLICY: _policy(graph, flow, tower)}
    value_size = len(tower.value[-1].biases)
    raw[WDL if value_size == 3 else VALUE] = _head(graph, flow, tower.value, tower.activation)
    if tower.moves_left is not None:
        raw[MOVES_LEFT] = _head(graph, flow, tower.moves_left, tower.activation)
    return raw


def _policy(graph: Graph, flow: Value, tower: Tower) -> tuple[Value, int]:
    if tower.policy_cells is None:
        return _head(graph, flow, tower.policy, tower.activation)
    first, second = tower.policy
    flow = convolve(graph, activate(graph, convolve(graph, flow, first), tower.activation), second)
    cells = graph.constant(tower.policy_cells.astype(np.int64))
    return graph.add("Gather", graph.add("Flatten", flow), cells, axis=1), len(tower.policy_cells)


def _head(graph: Graph, flow: Value, layers: list[Layer], activation: str) -> tuple[Value, int]:
    """Adds a 1x1 convolution and dense layers."""
    squares, *rest = layers
    flow = graph.add("Flatten", convolve(graph, flow, squares))
    for layer in rest:
        flow = dense(graph, activate(graph, flow, activation), layer)
    return flow, len(rest[-1].biases)


def _perceptron(graph: Graph, planes: Value, network: Perceptron) -> dict[str, tuple[Value, int]]:
    flow = graph.add("Flatten", planes)
    for layer in network.layers:
        flow = activate(graph, dense(graph, flow, layer), network.activation)
    return {name: (dense(graph, flow, layer), len(layer.biases)) for name, layer in network.heads.items()}


def _finish(graph: Graph, name: str, value: Value) -> Value:
    """Makes of raw numbers what `philidor.nets.onnx.signature` promises."""
    match name:
        case "wdl":
            return graph.add("Softmax", value, axis=-1)
        case "value":
            return graph.add("Tanh", value)
        case "moves_left":
            return graph.add("Relu", value)
    return value
