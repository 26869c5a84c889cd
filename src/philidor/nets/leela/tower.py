"""The residual tower, with or without squeeze and excitation (book, ch. 4.4.2, Fig. 4.15)."""

from __future__ import annotations

from philidor.core.errors import NetError
from philidor.nets.leela.layers import activate, convolve, dense
from philidor.nets.leela.messages import Activation, Residual, SeUnit, Weights
from philidor.nets.leela.weights import convolution, size_of
from philidor.nets.onnx.graph import Graph, Value

INPUT_PLANES = 112


def residual_tower(graph: Graph, planes: Value, weights: Weights, activation: Activation) -> tuple[Value, int]:
    """Adds the input convolution and all blocks; returns the result [n, filters, 8, 8] and the filters."""
    first = convolution(weights.input, "input convolution", INPUT_PLANES, 3)
    filters = len(first.biases)
    flow = activate(graph, convolve(graph, planes, first), activation)
    for number, block in enumerate(weights.residual):
        flow = _block(graph, flow, block, f"block {number}", filters, activation)
    return flow, filters


def _block(graph: Graph, skip: Value, block: Residual, name: str, filters: int, activation: Activation) -> Value:
    flow = convolve(graph, skip, convolution(block.conv1, f"{name} convolution 1", filters, 3, filters))
    flow = activate(graph, flow, activation)
    flow = convolve(graph, flow, convolution(block.conv2, f"{name} convolution 2", filters, 3, filters))
    if block.se is not None:
        flow = _squeeze_and_excite(graph, flow, block.se, name, filters, activation)
    return activate(graph, graph.add("Add", flow, skip), activation)


def _squeeze_and_excite(
    graph: Graph, value: Value, unit: SeUnit, name: str, filters: int, activation: Activation
) -> Value:
    """Scales and shifts each plane by what the means of all planes say."""
    if not size_of(unit.b1):
        raise NetError(f"{name} has an empty squeeze-and-excitation unit")
    means = graph.add("Flatten", graph.add("GlobalAveragePool", value))
    hidden, channels = dense(graph, means, unit.w1, unit.b1, f"{name} squeeze", filters)
    both, _ = dense(graph, activate(graph, hidden, activation), unit.w2, unit.b2, f"{name} excitation", channels,
                    2 * filters)  # fmt: skip
    scale, shift = graph.add_many("Split", [graph.reshape(both, -1, 2 * filters, 1, 1)], 2, axis=1)
    return graph.add("Add", graph.add("Mul", value, graph.add("Sigmoid", scale)), shift)
