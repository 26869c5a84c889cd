"""The layers of convolutional networks as ONNX operations."""

from __future__ import annotations

from collections.abc import Sequence

from philidor.core.errors import NetError
from philidor.nets.heads import HEADS
from philidor.nets.onnx.graph import Graph, Value
from philidor.nets.tower import Block, Layer


def activate(graph: Graph, value: Value, name: str) -> Value:
    """Adds an activation function by name. Raises NetError for one that hidden layers cannot have."""
    match name:
        case "relu":
            return graph.add("Relu", value)
        case "mish":
            return graph.add("Mul", value, graph.add("Tanh", graph.add("Softplus", value)))
        case "selu":
            return graph.add("Selu", value)
        case "swish":
            return graph.add("Mul", value, graph.add("Sigmoid", value))
        case "relu_2":
            positive = graph.add("Relu", value)
            return graph.add("Mul", positive, positive)
        case "tanh":
            return graph.add("Tanh", value)
        case "sigmoid":
            return graph.add("Sigmoid", value)
        case "none":
            return value
        case _:
            raise NetError(f"the activation {name} is not supported in hidden layers")


def finish(graph: Graph, head: str, raw: Value) -> Value:
    """Makes of a head's raw numbers [n, outputs] what its declaration promises."""
    kind = HEADS[head].finish
    return graph.add("Softmax", raw, axis=-1) if kind == "softmax" else activate(graph, raw, kind)


def convolve(graph: Graph, value: Value, layer: Layer) -> Value:
    """Adds a convolution over the board, padded to keep its size."""
    size = layer.weights.shape[-1]
    padding = (size - 1) // 2
    weights, biases = graph.constant(layer.weights), graph.constant(layer.biases)
    return graph.add("Conv", value, weights, biases, kernel_shape=[size] * 2, pads=[padding] * 4)


def dense(graph: Graph, value: Value, layer: Layer) -> Value:
    """Adds a dense layer on [rows, inputs]."""
    return graph.add("Gemm", value, graph.constant(layer.weights), graph.constant(layer.biases), transB=1)


def tower_body(graph: Graph, planes: Value, first: Layer, blocks: Sequence[Block], activation: str) -> Value:
    """Adds the first convolution and all residual blocks (book, ch. 4.4.2, Fig. 4.15)."""
    flow = activate(graph, convolve(graph, planes, first), activation)
    for block in blocks:
        skip = flow
        flow = activate(graph, convolve(graph, skip, block.first), activation)
        flow = convolve(graph, flow, block.second)
        if block.squeeze is not None:
            flow = _squeeze_and_excite(graph, flow, *block.squeeze, activation)
        flow = activate(graph, graph.add("Add", flow, skip), activation)
    return flow


def _squeeze_and_excite(graph: Graph, value: Value, squeeze: Layer, excite: Layer, activation: str) -> Value:
    """Scales and shifts each plane by what the means of all planes say."""
    means = graph.add("Flatten", graph.add("GlobalAveragePool", value))
    both = dense(graph, activate(graph, dense(graph, means, squeeze), activation), excite)
    scale, shift = graph.add_many("Split", [graph.reshape(both, -1, len(excite.biases), 1, 1)], 2, axis=1)
    return graph.add("Add", graph.add("Mul", value, graph.add("Sigmoid", scale)), shift)
