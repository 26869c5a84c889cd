"""The heads of a Leela network: policy, value, and moves left (book, ch. 4.4.2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from philidor.core.errors import NetError
from philidor.encodings.chess_moves import BISHOP, FLAT_SIZE, QUEEN, ROOK, flat_moves, leela_planes_index
from philidor.nets.leela.attention import MAP_EPSILON, EncoderStyle, encoder_layer, feed_forward_activation, to_rows
from philidor.nets.leela.files import LeelaFormat
from philidor.nets.leela.layers import SQUARES, activate, dense, scaled
from philidor.nets.leela.messages import (
    Activation,
    PolicyHead,
    PolicyKind,
    Structure,
    ValueHead,
    ValueKind,
    Weights,
)
from philidor.nets.leela.weights import array_of, convolution, size_of
from philidor.nets.onnx.graph import Graph, Value
from philidor.nets.onnx.layers import convolve

CONVOLUTION_POLICY_PLANES = 80
"""Only 73 are used; the others make the number divisible by 16."""
_PROMOTIONS = 64 * 64


@dataclass(frozen=True, slots=True)
class Body:
    """What the heads stand on: planes [n, channels, 8, 8], or rows [n * 64, channels] after an attention body."""

    value: Value
    channels: int
    has_rows: bool


def policy_head(graph: Graph, body: Body, head: PolicyHead, weights: Weights, form: LeelaFormat) -> Value:
    """Adds the policy: logits of 1,858 moves."""
    if form.policy is PolicyKind.ATTENTION:
        return _attention_policy(graph, body, head, weights, form)
    if body.has_rows:
        raise NetError(f"a {form.policy.name.lower()} policy head on an attention body is not supported")
    if form.policy is PolicyKind.CONVOLUTION:
        first = convolution(head.policy1, "policy convolution 1", body.channels, 3)
        flow = activate(graph, convolve(graph, body.value, first), form.activation)
        second = convolution(head.policy, "policy convolution 2", len(first.biases), 3, CONVOLUTION_POLICY_PLANES)
        flat = graph.reshape(convolve(graph, flow, second), -1, CONVOLUTION_POLICY_PLANES * SQUARES)
        return graph.add("Gather", flat, graph.constant(convolution_policy_map()), axis=1)
    layer = convolution(head.policy, "policy convolution", body.channels, 1)
    planes = len(layer.biases)
    flat = graph.reshape(activate(graph, convolve(graph, body.value, layer), form.activation), -1, planes * SQUARES)
    return dense(graph, flat, head.ip_pol_w, head.ip_pol_b, "policy", planes * SQUARES, FLAT_SIZE)[0]


def value_head(graph: Graph, body: Body, head: ValueHead, form: LeelaFormat) -> Value:
    """Adds the raw numbers of the value: three for win, draw and loss, or one."""
    flat, size = _per_square(graph, body, head, form)
    flow, hidden = dense(graph, flat, head.ip1_val_w, head.ip1_val_b, "value 1", size)
    flow, outputs = activate(graph, flow, form.activation), 3 if form.value is ValueKind.WDL else 1
    return dense(graph, flow, head.ip2_val_w, head.ip2_val_b, "value 2", hidden, outputs)[0]


def moves_left_head(graph: Graph, body: Body, weights: Weights, form: LeelaFormat) -> Value:
    """Adds the raw number of plies to the end of the game [n, 1]."""
    if body.has_rows:
        flow, channels = dense(graph, body.value, weights.ip_mov_w, weights.ip_mov_b, "moves left", body.channels)
    else:
        layer = convolution(weights.moves_left, "moves-left convolution", body.channels, 1)
        flow, channels = convolve(graph, body.value, layer), len(layer.biases)
    flat = graph.reshape(activate(graph, flow, form.activation), -1, channels * SQUARES)
    flow, hidden = dense(graph, flat, weights.ip1_mov_w, weights.ip1_mov_b, "moves left 1", channels * SQUARES)
    flow = activate(graph, flow, form.activation)
    return dense(graph, flow, weights.ip2_mov_w, weights.ip2_mov_b, "moves left 2", hidden, 1)[0]


def policy_heads(weights: Weights) -> dict[str, PolicyHead]:
    """Returns a network's policy heads by name; a network without names has one, "vanilla"."""
    heads = weights.policy_heads
    if heads is None:
        single = PolicyHead(
            ip_pol_w=weights.ip_pol_w,
            ip_pol_b=weights.ip_pol_b,
            ip2_pol_w=weights.ip2_pol_w,
            ip2_pol_b=weights.ip2_pol_b,
            ip3_pol_w=weights.ip3_pol_w,
            ip3_pol_b=weights.ip3_pol_b,
            ip4_pol_w=weights.ip4_pol_w,
            pol_encoder=weights.pol_encoder,
            pol_headcount=weights.pol_headcount,
            policy1=weights.policy1,
            policy=weights.policy,
        )
        return {"vanilla": single}
    found = {name: getattr(heads, name) for name in ("vanilla", "optimistic_st", "soft", "opponent")}
    found |= {entry.key: entry.value for entry in heads.policy_head_map if entry.key is not None}
    present = {name: head for name, head in found.items() if head is not None}
    for head in present.values():
        if not size_of(head.ip_pol_w):
            head.ip_pol_w, head.ip_pol_b = heads.ip_pol_w, heads.ip_pol_b
    return present


def value_heads(weights: Weights) -> dict[str, ValueHead]:
    """Returns a network's value heads by name; a network without names has one, "winner"."""
    heads = weights.value_heads
    if heads is None:
        single = ValueHead(
            ip_val_w=weights.ip_val_w,
            ip_val_b=weights.ip_val_b,
            ip1_val_w=weights.ip1_val_w,
            ip1_val_b=weights.ip1_val_b,
            ip2_val_w=weights.ip2_val_w,
            ip2_val_b=weights.ip2_val_b,
            value=weights.value,
        )
        return {"winner": single}
    found = {name: getattr(heads, name) for name in ("winner", "q", "st")}
    found |= {entry.key: entry.value for entry in heads.value_head_map if entry.key is not None}
    return {name: head for name, head in found.items() if head is not None}


def convolution_policy_map() -> NDArray[np.int64]:  # [1858]
    """Returns for each of Leela's 1,858 moves its cell among 73 planes of 64 squares."""
    return np.array([leela_planes_index(*move) for move in flat_moves()], dtype=np.int64)


def attention_policy_map() -> NDArray[np.int64]:  # [1858]
    """Returns for each move its cell: from * 64 + to, and behind these the promotions by file, file and piece."""
    cells = []
    for origin, target, promotion in flat_moves():
        if promotion is None:
            cells.append(64 * origin + target)
        else:
            piece = (QUEEN, ROOK, BISHOP).index(promotion)
            cells.append(_PROMOTIONS + 24 * (origin % 8) + 3 * (target % 8) + piece)
    return np.array(cells, dtype=np.int64)


def _per_square(graph: Graph, body: Body, head: ValueHead, form: LeelaFormat) -> tuple[Value, int]:
    """Adds the few channels per square that the value is made from, flat."""
    if body.has_rows:
        flow, channels = dense(graph, body.value, head.ip_val_w, head.ip_val_b, "value", body.channels)
    else:
        layer = convolution(head.value, "value convolution", body.channels, 1)
        flow, channels = convolve(graph, body.value, layer), len(layer.biases)
    return graph.reshape(activate(graph, flow, form.activation), -1, channels * SQUARES), channels * SQUARES


def _attention_policy(graph: Graph, body: Body, head: PolicyHead, weights: Weights, form: LeelaFormat) -> Value:
    """Adds logits from attention: how much does a square want to go to another?"""
    rows = body.value if body.has_rows else to_rows(graph, body.value, body.channels)
    # Up to the residual towers, these heads have an activation of their own.
    is_residual = form.structure in (Structure.CLASSICAL_WITH_HEADS, Structure.SE_WITH_HEADS)
    activation = Activation.SELU if is_residual else form.activation
    flow, size = dense(graph, rows, head.ip_pol_w, head.ip_pol_b, "policy embedding", body.channels)
    flow = activate(graph, flow, activation)
    feed_forward = activation if is_residual else feed_forward_activation(form)
    style = EncoderStyle(head.pol_headcount or 0, feed_forward, alpha=1.0, epsilon=MAP_EPSILON)
    for number, layer in enumerate(head.pol_encoder):
        flow = encoder_layer(graph, flow, layer, f"policy encoder {number}", size, style, form, weights)
    query, width = dense(graph, flow, head.ip2_pol_w, head.ip2_pol_b, "policy query", size)
    key, _ = dense(graph, flow, head.ip3_pol_w, head.ip3_pol_b, "policy key", size, width)
    keys = graph.reshape(key, -1, SQUARES, width)
    across = graph.add("Transpose", keys, perm=[0, 2, 1])
    logits = scaled(graph, graph.add("MatMul", graph.reshape(query, -1, SQUARES, width), across), width**-0.5)
    promotions = _promotions(graph, keys, logits, head, width)
    cells = graph.add("Concat", graph.reshape(logits, -1, SQUARES * SQUARES), promotions, axis=1)
    return graph.add("Gather", cells, graph.constant(attention_policy_map()), axis=1)


def _promotions(graph: Graph, keys: Value, logits: Value, head: PolicyHead, width: int) -> Value:
    """Returns 192 logits: the plain move's, and what the square of arrival says about queen, rook and bishop."""
    last_rank = graph.add("Slice", keys, graph.ints(56), graph.ints(64), graph.ints(1))
    matrix = array_of(head.ip4_pol_w, "policy promotions", 4, width)
    offsets = graph.add("MatMul", last_rank, graph.constant(matrix.T))  # [n, 8 to files, 4]
    pieces, shared = graph.add_many("Split", [offsets, graph.ints(3, 1)], 2, axis=2)
    by_target = graph.reshape(graph.add("Add", pieces, shared), -1, 1, 8, 3)
    arriving = graph.add("Slice", logits, graph.ints(48, 56), graph.ints(56, 64), graph.ints(1, 2))
    return graph.reshape(graph.add("Add", graph.reshape(arriving, -1, 8, 8, 1), by_target), -1, 192)
