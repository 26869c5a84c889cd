"""Folded networks as ONNX models with an open batch size: planes in; policy, value and moves left out."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from philidor.encodings.encoding import Shape
from philidor.nets.onnx.graph import BATCH, Graph, Value
from philidor.nets.onnx.layers import activate, convolve, dense, finish, tower_body
from philidor.nets.onnx.signature import PLANES
from philidor.nets.tower import Perceptron, Tower, TowerHead


def network_to_onnx(network: Tower | Perceptron, shape: Shape, metadata: Mapping[str, str]) -> bytes:
    """Returns an ONNX file; `metadata` says what it is of, see `philidor.nets.onnx.signature`."""
    graph = Graph("philidor")
    planes = graph.input(PLANES, [BATCH, shape.planes, shape.height, shape.width])
    raw = _tower(graph, planes, network) if isinstance(network, Tower) else _perceptron(graph, planes, network)
    for name, (value, size) in raw.items():
        graph.output(finish(graph, name, value), name, [BATCH, size])
    return graph.model(metadata)


def _tower(graph: Graph, planes: Value, tower: Tower) -> dict[str, tuple[Value, int]]:
    """Adds a residual network; returns each head's raw numbers and how many there are."""
    flow = tower_body(graph, planes, tower.input, tower.blocks, tower.activation)
    return {name: (_head(graph, flow, head, tower.activation), head.outputs) for name, head in tower.heads.items()}


def _head(graph: Graph, flow: Value, head: TowerHead, activation: str) -> Value:
    """Adds a 1x1 convolution and dense layers, or two convolutions of which each move has a cell."""
    first, *rest = head.layers
    flow = convolve(graph, flow, first)
    if head.cells is not None:
        flow = graph.add("Flatten", convolve(graph, activate(graph, flow, activation), rest[0]))
        return graph.add("Gather", flow, graph.constant(head.cells.astype(np.int64)), axis=1)
    flow = graph.add("Flatten", flow)
    for layer in rest:
        flow = dense(graph, activate(graph, flow, activation), layer)
    return flow


def _perceptron(graph: Graph, planes: Value, network: Perceptron) -> dict[str, tuple[Value, int]]:
    flow = graph.add("Flatten", planes)
    for layer in network.layers:
        flow = activate(graph, dense(graph, flow, layer), network.activation)
    return {name: (dense(graph, flow, layer), len(layer.biases)) for name, layer in network.heads.items()}
