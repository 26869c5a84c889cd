"""Transformer layers over the 64 squares: the body of Leela's newer networks, and part of some policy heads.

Rows are squares: all flows here are [n * 64, channels].
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from philidor.core.errors import NetError
from philidor.encodings.chess_moves import move_kinds
from philidor.nets.leela.files import LeelaFormat
from philidor.nets.leela.layers import SQUARES, activate, dense, layer_norm, scaled
from philidor.nets.leela.messages import Activation, Attention, Embedding, EncoderLayer, FeedForward, Smolgen, Weights
from philidor.nets.leela.weights import array_of, size_of
from philidor.nets.onnx.graph import Graph, Value

_PIECE_PLANES = 12
_SMOLGEN_EPSILON = 1e-3
_DENSE_EPSILON = 1e-3
MAP_EPSILON = 1e-6
"""What norms add to a variance, but for those of bodies with a dense embedding."""


@dataclass(frozen=True, slots=True)
class EncoderStyle:
    """What the layers of one stack have in common."""

    heads: int
    activation: Activation
    """Of the feed-forward part."""
    alpha: float
    """How much of a sublayer is added to its input."""
    epsilon: float


def attention_body(graph: Graph, value: Value, channels: int, weights: Weights, form: LeelaFormat) -> tuple[Value, int]:
    """Adds embedding and encoders to planes [n, channels, 8, 8]; returns [n * 64, embedding] and the embedding."""
    rows = to_rows(graph, value, channels)
    if not weights.residual:
        rows, channels = _with_places(graph, rows, channels, weights, form.embedding)
    flow, size = dense(graph, rows, weights.ip_emb_w, weights.ip_emb_b, "embedding", channels)
    flow = activate(graph, flow, form.activation)
    is_dense = form.embedding is Embedding.PE_DENSE
    if is_dense:
        flow = layer_norm(
            graph, flow, weights.ip_emb_ln_gammas, weights.ip_emb_ln_betas, "embedding norm", size, _DENSE_EPSILON
        )
    flow = _gates(graph, flow, weights, size)
    alpha = float((2 * len(weights.encoder)) ** -0.25)
    if is_dense:
        flow = _feed_forward(graph, flow, weights.ip_emb_ffn, "embedding", size, feed_forward_activation(form), alpha)
        gammas, betas = weights.ip_emb_ffn_ln_gammas, weights.ip_emb_ffn_ln_betas
        flow = layer_norm(graph, flow, gammas, betas, "embedding feed-forward norm", size, _DENSE_EPSILON)
    epsilon = _DENSE_EPSILON if is_dense else MAP_EPSILON
    style = EncoderStyle(weights.headcount or 0, feed_forward_activation(form), alpha, epsilon)
    for number, layer in enumerate(weights.encoder):
        flow = encoder_layer(graph, flow, layer, f"encoder {number}", size, style, form, weights)
    return flow, size


def feed_forward_activation(form: LeelaFormat) -> Activation:
    """Returns the activation of feed-forward parts in an attention body and in the policy encoders on top of it."""
    return form.activation if form.ffn_activation is Activation.DEFAULT else form.ffn_activation


def to_rows(graph: Graph, value: Value, channels: int) -> Value:
    """Turns planes [n, channels, 8, 8] into rows [n * 64, channels]."""
    return graph.reshape(graph.add("Transpose", value, perm=[0, 2, 3, 1]), -1, channels)


def encoder_layer(
    graph: Graph,
    value: Value,
    layer: EncoderLayer,
    name: str,
    size: int,
    style: EncoderStyle,
    form: LeelaFormat,
    weights: Weights,
) -> Value:
    """Adds attention and a feed-forward part, each with its skip and its norm."""
    if layer.mha is None:
        raise NetError(f"{name} has no attention")
    attended = _attention(graph, value, layer.mha, name, size, style, form, weights)
    flow = graph.add("Add", scaled(graph, attended, style.alpha), value)
    flow = layer_norm(graph, flow, layer.ln1_gammas, layer.ln1_betas, f"{name} norm 1", size, style.epsilon)
    flow = _feed_forward(graph, flow, layer.ffn, name, size, style.activation, style.alpha)
    return layer_norm(graph, flow, layer.ln2_gammas, layer.ln2_betas, f"{name} norm 2", size, style.epsilon)


def _attention(
    graph: Graph,
    value: Value,
    attention: Attention,
    name: str,
    size: int,
    style: EncoderStyle,
    form: LeelaFormat,
    weights: Weights,
) -> Value:
    if any(size_of(layer) for layer in (attention.rpe_q, attention.rpe_k, attention.rpe_v)):
        raise NetError(f"{name} has relative position encodings, which are not supported")
    width = size_of(attention.q_b)
    if style.heads < 1 or width % style.heads:
        raise NetError(f"{name} has {width} channels for {style.heads} heads")
    depth = width // style.heads
    heads = []
    for letter, matrix, vector, order in (
        ("query", attention.q_w, attention.q_b, [0, 2, 1, 3]),
        ("key", attention.k_w, attention.k_b, [0, 2, 3, 1]),
        ("value", attention.v_w, attention.v_b, [0, 2, 1, 3]),
    ):
        projected, _ = dense(graph, value, matrix, vector, f"{name} {letter}", size, width)
        split = graph.reshape(projected, -1, SQUARES, style.heads, depth)
        heads.append(graph.add("Transpose", split, perm=order))
    query, key, content = heads
    logits = scaled(graph, graph.add("MatMul", query, key), depth**-0.5)
    if attention.smolgen is not None:
        extra = _smolgen(graph, value, attention.smolgen, f"{name} smolgen", size, style.heads, form, weights)
        logits = graph.add("Add", logits, extra)
    mixed = graph.add("MatMul", graph.add("Softmax", logits, axis=-1), content)
    joined = graph.reshape(graph.add("Transpose", mixed, perm=[0, 2, 1, 3]), -1, width)
    return dense(graph, joined, attention.dense_w, attention.dense_b, f"{name} output", width, size)[0]


def _smolgen(
    graph: Graph, value: Value, unit: Smolgen, name: str, size: int, heads: int, form: LeelaFormat, weights: Weights
) -> Value:
    """Returns logits [n, heads, 64, 64] made from the whole board."""
    chosen = form.smolgen_activation
    activation = form.activation if chosen is Activation.DEFAULT else chosen
    flow, channels = dense(graph, value, unit.compress, None, f"{name} compression", size)
    flow = graph.reshape(flow, -1, SQUARES * channels)
    flow, hidden = dense(graph, flow, unit.dense1_w, unit.dense1_b, f"{name} dense 1", SQUARES * channels)
    flow = activate(graph, flow, activation)
    flow = layer_norm(graph, flow, unit.ln1_gammas, unit.ln1_betas, f"{name} norm 1", hidden, _SMOLGEN_EPSILON)
    flow, generated = dense(graph, flow, unit.dense2_w, unit.dense2_b, f"{name} dense 2", hidden)
    flow = activate(graph, flow, activation)
    flow = layer_norm(graph, flow, unit.ln2_gammas, unit.ln2_betas, f"{name} norm 2", generated, _SMOLGEN_EPSILON)
    if generated % heads:
        raise NetError(f"{name} makes {generated} numbers for {heads} heads")
    flow = graph.reshape(flow, -1, generated // heads)
    flow, _ = dense(graph, flow, weights.smolgen_w, None, "smolgen matrix", generated // heads, SQUARES * SQUARES)
    return graph.reshape(flow, -1, heads, SQUARES, SQUARES)


def _feed_forward(
    graph: Graph, value: Value, part: FeedForward | None, name: str, size: int, activation: Activation, alpha: float
) -> Value:
    if part is None:
        raise NetError(f"{name} has no feed-forward part")
    flow, hidden = dense(graph, value, part.dense1_w, part.dense1_b, f"{name} feed-forward 1", size)
    flow = activate(graph, flow, activation)
    flow, _ = dense(graph, flow, part.dense2_w, part.dense2_b, f"{name} feed-forward 2", hidden, size)
    return graph.add("Add", scaled(graph, flow, alpha), value)


def _gates(graph: Graph, value: Value, weights: Weights, size: int) -> Value:
    """Scales and shifts each channel of each square; the gates are stored by channel first."""
    gates = (("Mul", weights.ip_mult_gate, "multiplying gate"), ("Add", weights.ip_add_gate, "adding gate"))
    present = [(operation, layer, name) for operation, layer, name in gates if size_of(layer)]
    if not present:
        return value
    flow = graph.reshape(value, -1, SQUARES, size)
    for operation, layer, name in present:
        flow = graph.add(operation, flow, graph.constant(array_of(layer, name, size, SQUARES).T))
    return graph.reshape(flow, -1, size)


def _with_places(graph: Graph, rows: Value, channels: int, weights: Weights, embedding: Embedding) -> tuple[Value, int]:
    """Tells each square where it is: by a fixed map, or by what a dense layer makes of all pieces."""
    squares = graph.reshape(rows, -1, SQUARES, channels)
    pieces = graph.add("Slice", squares, graph.ints(0), graph.ints(_PIECE_PLANES), graph.ints(2))
    if embedding is Embedding.PE_MAP:
        # A constant cannot be joined to a batch of unknown size: nothing is added to it for each position.
        nothing = graph.add("Mul", graph.add("ReduceSum", pieces, graph.ints(1, 2), keepdims=1), graph.scalar(0.0))
        places, width = graph.add("Add", graph.constant(place_map()), nothing), SQUARES
    elif embedding is Embedding.PE_DENSE:
        flat = graph.reshape(pieces, -1, SQUARES * _PIECE_PLANES)
        outputs = size_of(weights.ip_emb_preproc_b)
        flow, outputs = dense(
            graph, flat, weights.ip_emb_preproc_w, weights.ip_emb_preproc_b, "input preprocessing",
            SQUARES * _PIECE_PLANES, outputs,
        )  # fmt: skip
        if outputs % SQUARES:
            raise NetError(f"the input preprocessing has {outputs} outputs for {SQUARES} squares")
        places, width = graph.reshape(flow, -1, SQUARES, outputs // SQUARES), outputs // SQUARES
    else:
        raise NetError("the attention body has no input embedding")
    joined = graph.add("Concat", squares, places, axis=2)
    return graph.reshape(joined, -1, channels + width), channels + width


def place_map() -> NDArray[np.float32]:  # [64, 64]
    """Returns for each square -1 on itself and 1 where a queen or a knight could go from it."""
    places = -np.eye(SQUARES, dtype=np.float32)
    for origin, target in move_kinds():
        places[origin, target] = 1
    return places
