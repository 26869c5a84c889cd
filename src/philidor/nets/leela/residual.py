"""Leela's residual networks as plain arrays, with or without squeeze and excitation (book, ch. 4.4.2, Fig. 4.15)."""

from __future__ import annotations

import numpy as np

from philidor.core.errors import NetError
from philidor.encodings.chess_moves import FLAT_SIZE
from philidor.nets.leela.files import format_of
from philidor.nets.leela.heads import CONVOLUTION_POLICY_PLANES, convolution_policy_map, policy_heads, value_heads
from philidor.nets.leela.layers import SQUARES
from philidor.nets.leela.messages import (
    Activation,
    ConvBlock,
    Net,
    PolicyKind,
    Residual,
    Structure,
    ValueKind,
    Weights,
)
from philidor.nets.leela.messages import Layer as Numbers
from philidor.nets.leela.weights import array_of, convolution, size_of
from philidor.nets.onnx.signature import MOVES_LEFT, POLICY, VALUE, WDL
from philidor.nets.tower import Block, Layer, Tower, TowerHead

INPUT_PLANES = 112


def is_residual(net: Net) -> bool:
    """Says whether a network is a tower of convolutions with heads of the same kind. Raises NetError."""
    form = format_of(net)
    has_tower = form.structure in (Structure.CLASSICAL_WITH_HEADS, Structure.SE_WITH_HEADS)
    return net.weights is not None and has_tower and form.policy is not PolicyKind.ATTENTION


def tower_of(net: Net) -> Tower:
    """Returns the arrays of a residual network. Raises NetError."""
    form, weights = format_of(net), net.weights
    if weights is None or not is_residual(net):
        kinds = f"{form.structure.name.lower()} with {form.policy.name.lower()} policy"
        raise NetError(f"the network is not made of convolutions alone: {kinds}")
    first, blocks = body_of(weights)
    filters = len(first.biases)
    (policy_head,), (value_head,) = policy_heads(weights).values(), value_heads(weights).values()
    if form.policy is PolicyKind.CONVOLUTION:
        hidden = convolution(policy_head.policy1, "policy convolution 1", filters, 3)
        inputs, outputs = len(hidden.biases), CONVOLUTION_POLICY_PLANES
        planes = convolution(policy_head.policy, "policy convolution 2", inputs, 3, outputs)
        policy = TowerHead([hidden, planes], convolution_policy_map().astype(np.int32))
    else:
        squares = convolution(policy_head.policy, "policy convolution", filters, 1)
        size = SQUARES * len(squares.biases)
        policy = TowerHead([squares, _dense(policy_head.ip_pol_w, policy_head.ip_pol_b, "policy", size, FLAT_SIZE)])
    outputs = 3 if form.value is ValueKind.WDL else 1
    pairs = [(value_head.ip1_val_w, value_head.ip1_val_b), (value_head.ip2_val_w, value_head.ip2_val_b)]
    value = _head(value_head.value, pairs, "value", filters, outputs)
    heads = {POLICY: policy, WDL if form.value is ValueKind.WDL else VALUE: value}
    if form.has_moves_left:
        pairs = [(weights.ip1_mov_w, weights.ip1_mov_b), (weights.ip2_mov_w, weights.ip2_mov_b)]
        heads[MOVES_LEFT] = _head(weights.moves_left, pairs, "moves left", filters, 1)
    activation = "mish" if form.activation is Activation.MISH else "relu"
    return Tower(first, blocks, heads, activation)


def body_of(weights: Weights) -> tuple[Layer, list[Block]]:
    """Returns the input convolution and the blocks. Raises NetError."""
    first = convolution(weights.input, "input convolution", INPUT_PLANES, 3)
    filters = len(first.biases)
    return first, [_block(block, f"block {number}", filters) for number, block in enumerate(weights.residual)]


def _dense(weights: Numbers | None, biases: Numbers | None, name: str, inputs: int, outputs: int = -1) -> Layer:
    matrix = array_of(weights, f"{name} weights", outputs, inputs)
    if not size_of(biases):
        return Layer(matrix, np.zeros(len(matrix), np.float32))
    return Layer(matrix, array_of(biases, f"{name} biases", len(matrix)))


def _block(block: Residual, name: str, filters: int) -> Block:
    first = convolution(block.conv1, f"{name} convolution 1", filters, 3, filters)
    second = convolution(block.conv2, f"{name} convolution 2", filters, 3, filters)
    if block.se is None:
        return Block(first, second, None)
    reduce = _dense(block.se.w1, block.se.b1, f"{name} squeeze", filters)
    expand = _dense(block.se.w2, block.se.b2, f"{name} excitation", len(reduce.biases), 2 * filters)
    return Block(first, second, (reduce, expand))


def _head(
    block: ConvBlock | None, pairs: list[tuple[Numbers | None, Numbers | None]], name: str, filters: int, outputs: int
) -> TowerHead:
    squares = convolution(block, f"{name} convolution", filters, 1)
    hidden = _dense(*pairs[0], f"{name} 1", SQUARES * len(squares.biases))
    return TowerHead([squares, hidden, _dense(*pairs[1], f"{name} 2", len(hidden.biases), outputs)])
