"""Folded networks as ONNX models with an open batch size: planes in; policy, value and moves left out."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from philidor.encodings.encoding import Shape
from philidor.nets.onnx.graph import BATCH, Graph, Value
from philidor.nets.onnx.layers import activate, convolve, dense, finish, tower_body
from philidor.nets.onnx.signature import PLANES, POLICY, VALUE, WDL
from philidor.nets.tower import (
    Folded,
    Layer,
    Perceptron,
    PlainTower,
    PointsHead,
    PooledHead,
    PooledTower,
    Tower,
    TowerHead,
)


def network_to_onnx(network: Folded, shape: Shape, metadata: Mapping[str, str]) -> bytes:
    """Returns an ONNX file; `metadata` says what it is of, see `philidor.nets.onnx.signature`."""
    graph = Graph("philidor")
    planes = graph.input(PLANES, [BATCH, shape.planes, shape.height, shape.width])
    raw = _raw(graph, planes, network, shape)
    if not {WDL, VALUE} & set(raw):
        # A network without an opinion of who wins says 0.
        mean = graph.add("ReduceMean", raw[POLICY][0], axes=[1], keepdims=1)
        raw[VALUE] = (graph.add("Mul", mean, graph.scalar(0.0)), 1)
    if POLICY not in raw:
        # One without an opinion of moves finds all alike.
        value, size = raw[VALUE] if VALUE in raw else raw[WDL]
        places = shape.policy_size
        zeros = Layer(np.zeros((places, size), np.float32), np.zeros(places, np.float32))
        raw[POLICY] = (dense(graph, value, zeros), places)
    for name, (value, size) in raw.items():
        graph.output(finish(graph, name, value), name, [BATCH, size])
    return graph.model(metadata)


def _raw(graph: Graph, planes: Value, network: Folded, shape: Shape) -> dict[str, tuple[Value, int]]:
    """Adds a network of any kind; returns each head's raw numbers and how many there are."""
    if isinstance(network, Tower):
        return _tower(graph, planes, network)
    if isinstance(network, PlainTower):
        return _plain(graph, planes, network)
    if isinstance(network, PooledTower):
        flow = tower_body(graph, planes, network.input, network.blocks, network.activation)
        return {name: _pooled(graph, flow, head, network.activation, shape) for name, head in network.heads.items()}
    return _perceptron(graph, planes, network)


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


def _plain(graph: Graph, planes: Value, network: PlainTower) -> dict[str, tuple[Value, int]]:
    """Adds convolutions one after the other, and heads."""
    flow = planes
    for layer in network.layers:
        flow = activate(graph, convolve(graph, flow, layer), network.activation)
    found = {}
    for name, head in network.heads.items():
        if isinstance(head, PointsHead):
            found[name] = (_points(graph, flow, head), head.outputs)
        else:
            found[name] = (_head(graph, flow, head, network.activation), head.outputs)
    return found


def _points(graph: Graph, flow: Value, head: PointsHead) -> Value:
    """Adds a plane with a bias for each point, and zeros for what is no point."""
    flat = graph.add("Flatten", convolve(graph, flow, head.layer))
    points = graph.add("Add", flat, graph.constant(head.biases))
    more = head.outputs - len(head.biases)
    return graph.add("Pad", points, graph.ints(0, 0, 0, more)) if more else points


def _pooled(graph: Graph, flow: Value, head: PooledHead, activation: str, shape: Shape) -> tuple[Value, int]:
    """Adds dense layers on what planes have in all, or a plane of points and the pass that these say."""
    seen = activate(graph, convolve(graph, flow, head.squares), activation)
    points = [] if head.plane is None else [graph.add("Flatten", convolve(graph, seen, head.plane))]
    if not head.dense:
        return points[0], shape.policy_size
    pools = [graph.add("Flatten", graph.add(pool, seen)) for pool in ("GlobalAveragePool", "GlobalMaxPool")]
    first, *rest = head.dense
    answer = dense(graph, graph.add("Concat", *pools, axis=1), first)
    for layer in rest:
        answer = dense(graph, activate(graph, answer, activation), layer)
    if not points:
        return answer, len(head.dense[-1].biases)
    return graph.add("Concat", *points, answer, axis=1), shape.policy_size


def _perceptron(graph: Graph, planes: Value, network: Perceptron) -> dict[str, tuple[Value, int]]:
    flow = graph.add("Flatten", planes)
    for layer in network.layers:
        flow = activate(graph, dense(graph, flow, layer), network.activation)
    return {name: (dense(graph, flow, layer), len(layer.biases)) for name, layer in network.heads.items()}
