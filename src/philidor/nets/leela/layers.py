"""The layers that all parts of a Leela network are made of, as ONNX operations."""

from __future__ import annotations

from philidor.nets.leela.messages import Activation, Layer
from philidor.nets.leela.weights import array_of, size_of
from philidor.nets.onnx import layers
from philidor.nets.onnx.graph import Graph, Value

SQUARES = 64


def activate(graph: Graph, value: Value, activation: Activation) -> Value:
    """Adds an activation function. Raises NetError for one that hidden layers cannot have."""
    return layers.activate(graph, value, activation.name.lower())


def dense(
    graph: Graph, value: Value, weights: Layer | None, biases: Layer | None, name: str, inputs: int, outputs: int = -1
) -> tuple[Value, int]:
    """Adds a dense layer on [rows, inputs]; returns its result and its number of outputs. The biases may be absent."""
    matrix = array_of(weights, f"{name} weights", outputs, inputs)
    outputs = len(matrix)
    if not size_of(biases):
        return graph.add("Gemm", value, graph.constant(matrix), transB=1), outputs
    vector = graph.constant(array_of(biases, f"{name} biases", outputs))
    return graph.add("Gemm", value, graph.constant(matrix), vector, transB=1), outputs


def layer_norm(
    graph: Graph, value: Value, gammas: Layer | None, betas: Layer | None, name: str, size: int, epsilon: float
) -> Value:
    """Adds a layer norm over the last axis."""
    scale = graph.constant(array_of(gammas, f"{name} gammas", size))
    shift = graph.constant(array_of(betas, f"{name} betas", size))
    return graph.add("LayerNormalization", value, scale, shift, axis=-1, epsilon=epsilon)


def scaled(graph: Graph, value: Value, factor: float) -> Value:
    """Adds a multiplication by a constant, unless it is 1."""
    return value if factor == 1.0 else graph.add("Mul", value, graph.scalar(factor))
