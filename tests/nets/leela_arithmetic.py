"""Leela's networks once more, in plain numpy and double precision, to compare the code under test with.

For residual networks lc0's own outputs are the oracle besides; for attention bodies there is only this, which was
written by the same hands as the code and corrected together with it: a check of the graph, not of the understanding.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from philidor.encodings.chess_moves import flat_moves
from philidor.nets.leela.messages import Activation, ConvBlock, Layer, Net

Array = NDArray[np.float64]
Function = Callable[[Array], Array]


def numbers(layer: Layer | None, *shape: int) -> Array:
    assert layer is not None
    assert layer.params is not None
    if layer.encoding == 4:
        flat = np.frombuffer(layer.params, "<f4").astype(np.float32)
    elif layer.encoding == 2:
        flat = np.frombuffer(layer.params, "<f2").astype(np.float32)
    else:
        assert layer.min_val is not None
        assert layer.max_val is not None
        # In single precision, as lc0 does it: networks with large logits show the difference.
        low, high = np.float32(layer.min_val), np.float32(layer.max_val)
        flat = np.frombuffer(layer.params, "<u2").astype(np.float32) / np.float32(65535) * (high - low) + low
    return np.asarray(flat.reshape(shape), dtype=np.float64)


def softplus(x: Array) -> Array:
    return np.logaddexp(0, x)


FUNCTIONS: dict[Activation, Function] = {
    Activation.RELU: lambda x: np.maximum(x, 0),
    Activation.MISH: lambda x: x * np.tanh(softplus(x)),
    Activation.SELU: lambda x: 1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * np.expm1(np.minimum(x, 0))),
    Activation.SWISH: lambda x: x / (1 + np.exp(-x)),
    Activation.RELU_2: lambda x: np.maximum(x, 0) ** 2,
}


def softmax(x: Array) -> Array:
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


def convolve(x: Array, block: ConvBlock | None, size: int) -> Array:  # [n, in, 8, 8]
    assert block is not None
    weights = numbers(block.weights, -1, x.shape[1], size, size)
    y = np.zeros((len(x), len(weights), 8, 8))
    margin = size // 2
    padded = np.pad(x, ((0, 0), (0, 0), (margin, margin), (margin, margin)))
    for row in range(size):
        for column in range(size):
            window = padded[:, :, row : row + 8, column : column + 8]
            y += np.einsum("oi,nihw->nohw", weights[:, :, row, column], window)
    if block.biases is not None:
        y += numbers(block.biases, 1, -1, 1, 1)
    if block.bn_means is not None:
        means, variances = numbers(block.bn_means, 1, -1, 1, 1), numbers(block.bn_stddivs, 1, -1, 1, 1)
        y = (y - means) / np.sqrt(variances + 1e-5)
        if block.bn_betas is not None:
            y = y * numbers(block.bn_gammas, 1, -1, 1, 1) + numbers(block.bn_betas, 1, -1, 1, 1)
    return y


def dense(x: Array, weights: Layer | None, biases: Layer | None) -> Array:
    y = x @ numbers(weights, -1, x.shape[-1]).T
    return y if biases is None else y + numbers(biases, -1)


def norm(x: Array, gammas: Layer | None, betas: Layer | None, epsilon: float) -> Array:
    centered = x - x.mean(axis=-1, keepdims=True)
    deviation = np.sqrt((centered**2).mean(axis=-1, keepdims=True) + epsilon)
    return np.asarray(centered / deviation * numbers(gammas, -1) + numbers(betas, -1))


class Arithmetic:
    """One network; `run` gives policy, value and moves left of planes."""

    def __init__(self, net: Net, policy: str = "vanilla", value: str = "winner") -> None:
        assert net.weights is not None
        assert net.format is not None
        assert net.format.network_format is not None
        self.w: Any = net.weights
        self.form: Any = net.format.network_format
        self.act = FUNCTIONS[Activation.MISH if self.form.default_activation else Activation.RELU]
        self.ffn_act = FUNCTIONS[Activation(self.form.ffn_activation)] if self.form.ffn_activation else self.act
        self.policy_head: Any = getattr(self.w.policy_heads, policy) if self.w.policy_heads else self.w
        self.value_head: Any = getattr(self.w.value_heads, value) if self.w.value_heads else self.w

    def run(self, planes: NDArray[np.float32]) -> tuple[Array, Array, Array]:
        w, x = self.w, np.asarray(planes, dtype=np.float64)
        if w.input is not None:
            x = self.act(convolve(x, w.input, 3))
            for block in w.residual:
                y = convolve(self.act(convolve(x, block.conv1, 3)), block.conv2, 3)
                x = self.act((self.squeeze(y, block.se) if block.se else y) + x)
        rows = x.transpose(0, 2, 3, 1).reshape(len(x), 64, -1)
        if not w.encoder:
            value = self.act(convolve(x, w.value, 1)).reshape(len(x), -1)
            left = self.act(convolve(x, w.moves_left, 1)).reshape(len(x), -1) if w.moves_left else value
            return self.policy(x, rows), self.value(value), self.moves_left(left)
        rows = self.body(rows)
        value = self.act(dense(rows, self.value_head.ip_val_w, self.value_head.ip_val_b)).reshape(len(x), -1)
        left = self.act(dense(rows, w.ip_mov_w, w.ip_mov_b)).reshape(len(x), -1)
        return self.policy(x, rows), self.value(value), self.moves_left(left)

    def squeeze(self, y: Array, unit: Any) -> Array:
        both = dense(self.act(dense(y.mean(axis=(2, 3)), unit.w1, unit.b1)), unit.w2, unit.b2)
        gamma, beta = np.split(both[:, :, np.newaxis, np.newaxis], 2, axis=1)
        return np.asarray(y / (1 + np.exp(-gamma)) + beta)

    def value(self, flat: Array) -> Array:
        head = self.value_head
        y = dense(self.act(dense(flat, head.ip1_val_w, head.ip1_val_b)), head.ip2_val_w, head.ip2_val_b)
        return softmax(y) if self.form.value == 2 else np.tanh(y)

    def moves_left(self, flat: Array) -> Array:
        w = self.w
        if not self.form.moves_left:
            return np.zeros((len(flat), 1))
        return np.maximum(dense(self.act(dense(flat, w.ip1_mov_w, w.ip1_mov_b)), w.ip2_mov_w, w.ip2_mov_b), 0)

    def policy(self, x: Array, rows: Array) -> Array:
        head = self.policy_head
        if self.form.policy == 1:
            return dense(self.act(convolve(x, head.policy, 1)).reshape(len(x), -1), head.ip_pol_w, head.ip_pol_b)
        if self.form.policy == 2:
            planes = convolve(self.act(convolve(x, head.policy1, 3)), head.policy, 3).reshape(len(x), 80, 64)
            return np.stack([planes[:, kind_of(*move), move[0]] for move in flat_moves()], axis=1)
        return self.attention_policy(rows)

    def attention_policy(self, rows: Array) -> Array:
        head, residual = self.policy_head, self.form.network in (3, 4)
        act = FUNCTIONS[Activation.SELU] if residual else self.act
        shared = self.w.policy_heads if head.ip_pol_w is None else head
        y = act(dense(rows, shared.ip_pol_w, shared.ip_pol_b))
        for layer in head.pol_encoder:
            y = self.encoder(y, layer, head.pol_headcount, act if residual else self.ffn_act, 1.0, 1e-6)
        query, key = dense(y, head.ip2_pol_w, head.ip2_pol_b), dense(y, head.ip3_pol_w, head.ip3_pol_b)
        logits = query @ key.transpose(0, 2, 1) / np.sqrt(query.shape[-1])
        offsets = key[:, 56:] @ numbers(head.ip4_pol_w, 4, -1).T  # [n, 8, 4]
        found = []
        for origin, target, promotion in flat_moves():
            logit = logits[:, origin, target]
            if promotion is not None:
                piece = {5: 0, 4: 1, 3: 2}[promotion]
                logit = logit + offsets[:, target - 56, piece] + offsets[:, target - 56, 3]
            found.append(logit)
        return np.stack(found, axis=1)

    def body(self, rows: Array) -> Array:
        w, is_dense = self.w, self.form.input_embedding == 2
        if not w.residual:
            if is_dense:
                made = dense(rows[:, :, :12].reshape(len(rows), -1), w.ip_emb_preproc_w, w.ip_emb_preproc_b)
                rows = np.concatenate([rows, made.reshape(len(rows), 64, -1)], axis=2)
            else:
                rows = np.concatenate([rows, np.broadcast_to(places(), (len(rows), 64, 64))], axis=2)
        y = self.act(dense(rows, w.ip_emb_w, w.ip_emb_b))
        if is_dense:
            y = norm(y, w.ip_emb_ln_gammas, w.ip_emb_ln_betas, 1e-3)
        y = y * numbers(w.ip_mult_gate, -1, 64).T + numbers(w.ip_add_gate, -1, 64).T
        alpha = (2 * len(w.encoder)) ** -0.25
        if is_dense:
            y = y + alpha * self.feed_forward(y, w.ip_emb_ffn, self.ffn_act)
            y = norm(y, w.ip_emb_ffn_ln_gammas, w.ip_emb_ffn_ln_betas, 1e-3)
        for layer in w.encoder:
            y = self.encoder(y, layer, w.headcount, self.ffn_act, alpha, 1e-3 if is_dense else 1e-6)
        return np.asarray(y)

    def feed_forward(self, y: Array, part: Any, act: Function) -> Array:
        return dense(act(dense(y, part.dense1_w, part.dense1_b)), part.dense2_w, part.dense2_b)

    def encoder(self, x: Array, layer: Any, heads: int, act: Function, alpha: float, epsilon: float) -> Array:
        mha = layer.mha
        pairs = ((mha.q_w, mha.q_b), (mha.k_w, mha.k_b), (mha.v_w, mha.v_b))
        q, k, v = (dense(x, *pair).reshape(len(x), 64, heads, -1).transpose(0, 2, 1, 3) for pair in pairs)
        logits = q @ k.transpose(0, 1, 3, 2) / np.sqrt(q.shape[-1])
        if mha.smolgen is not None:
            logits = logits + self.smolgen(x, mha.smolgen, heads)
        mixed = (softmax(logits) @ v).transpose(0, 2, 1, 3).reshape(len(x), 64, -1)
        y = norm(x + alpha * dense(mixed, mha.dense_w, mha.dense_b), layer.ln1_gammas, layer.ln1_betas, epsilon)
        return norm(y + alpha * self.feed_forward(y, layer.ffn, act), layer.ln2_gammas, layer.ln2_betas, epsilon)

    def smolgen(self, x: Array, unit: Any, heads: int) -> Array:
        act = FUNCTIONS[Activation(self.form.smolgen_activation)]
        y = dense(x, unit.compress, None).reshape(len(x), -1)
        y = norm(act(dense(y, unit.dense1_w, unit.dense1_b)), unit.ln1_gammas, unit.ln1_betas, 1e-3)
        y = norm(act(dense(y, unit.dense2_w, unit.dense2_b)), unit.ln2_gammas, unit.ln2_betas, 1e-3)
        return dense(y.reshape(len(x), heads, -1), self.w.smolgen_w, None).reshape(len(x), heads, 64, 64)


def kind_of(origin: int, target: int, promotion: int | None) -> int:
    """Which of 73 planes a move belongs to, by its geometry."""
    files, ranks = target % 8 - origin % 8, target // 8 - origin // 8
    if promotion is not None:
        return 64 + 3 * (files + 1) + {4: 0, 3: 1, 5: 2}[promotion]
    jumps = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
    if (files, ranks) in jumps:
        return 56 + jumps.index((files, ranks))
    compass = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]
    distance = max(abs(files), abs(ranks))
    return 7 * compass.index((files // distance, ranks // distance)) + distance - 1


def places() -> Array:
    """-1 on the square itself, 1 where a queen or a knight could go on an empty board."""
    table = np.zeros((64, 64))
    for a in range(64):
        for b in range(64):
            files, ranks = abs(a % 8 - b % 8), abs(a // 8 - b // 8)
            if a == b:
                table[a, b] = -1
            elif files == 0 or ranks == 0 or files == ranks or sorted((files, ranks)) == [1, 2]:
                table[a, b] = 1
    return table
