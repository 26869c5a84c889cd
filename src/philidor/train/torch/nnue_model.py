"""An NNUE network in floating point, to be trained, and its way to integers (book, 4.6.1 and 4.6.2).

A float of 1 in an accumulator is the largest activation: 127 or 255 as an integer. A float of 1 at the output is
`Quantization.output_cp` centipawns. Weights are kept inside what their integers can hold, so that a trained network
loses only the rounding.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from philidor.nets.nnue import Activation, Architecture, Layer, Network
from philidor.nets.nnue.reference import CLIPPED_ONE, HIDDEN_SHIFT, PAIRWISE_SHIFT, SQUARED_ONE
from philidor.train.torch.nnue_layers import judge_sums
from philidor.train.torch.row_sums import sum_rows

_HIDDEN_ONE = 1 << HIDDEN_SHIFT
# Stockfish's choice: an output of 1 is 600 of its units, times 16.
_CLIPPED_OUTPUT_ONE = 600 * 16


@dataclass(frozen=True, slots=True)
class Quantization:
    """What floats of 1 become, for one architecture."""

    feature: int
    """In the accumulators."""
    output: int
    """Of the network's raw integer."""
    hidden_input: float
    """At the input of the layers."""

    @classmethod
    def of(cls, architecture: Architecture) -> Quantization:
        """Returns the scales that the native kernels are made for."""
        if architecture.activation is Activation.SQUARED:
            return cls(SQUARED_ONE, SQUARED_ONE * _HIDDEN_ONE, SQUARED_ONE)
        if architecture.activation is Activation.PAIRWISE:
            return cls(SQUARED_ONE, _CLIPPED_OUTPUT_ONE, SQUARED_ONE**2 / (1 << PAIRWISE_SHIFT))
        return cls(CLIPPED_ONE, _CLIPPED_OUTPUT_ONE, CLIPPED_ONE)

    def output_cp(self, architecture: Architecture) -> float:
        """Returns the centipawns of an output of 1."""
        return self.output * architecture.scale[0] / architecture.scale[1]

    def layer(self, architecture: Architecture, number: int) -> tuple[float, float]:
        """Returns what floats of 1 become in the weights and the biases of a layer."""
        is_last = number == len(architecture.layer_shapes) - 1
        inputs = self.hidden_input if number == 0 else float(CLIPPED_ONE)
        if is_last:
            return self.output / inputs, float(self.output)
        return float(_HIDDEN_ONE) * CLIPPED_ONE / inputs, float(_HIDDEN_ONE * CLIPPED_ONE)


class NnueModel(nn.Module):
    """The network; `forward` returns centipawns in the side to move's view."""

    def __init__(self, architecture: Architecture) -> None:
        super().__init__()
        self.architecture = architecture
        self.quantization = Quantization.of(architecture)
        self.output_cp = self.quantization.output_cp(architecture)
        features, width = architecture.features, architecture.width
        self.bucket_count = max(features.buckets) + 1
        self.weights = nn.Parameter(torch.empty(features.count, width))
        # What a piece on a square is worth wherever the king stands: learned from all king buckets, added to each.
        self.shared = nn.Parameter(torch.zeros(features.stride, width)) if self.bucket_count > 1 else None
        self.biases = nn.Parameter(torch.empty(width))
        shapes = architecture.layer_shapes
        stacks = architecture.output_buckets
        self.layer_weights = nn.ParameterList(torch.empty(stacks, outputs, inputs) for outputs, inputs in shapes)
        self.layer_biases = nn.ParameterList(torch.zeros(stacks, outputs) for outputs, _ in shapes)
        self.reset()

    def reset(self) -> None:
        """Draws new weights: small ones, so that few activations begin at their ends."""
        bound = 1 / math.sqrt(self.architecture.features.stride)
        nn.init.uniform_(self.weights, -bound, bound)
        nn.init.constant_(self.biases, 0.1)
        if self.shared is not None:
            nn.init.zeros_(self.shared)
        for weights, biases in zip(self.layer_weights, self.layer_biases, strict=True):
            bound = 1 / math.sqrt(weights.shape[-1])
            nn.init.uniform_(weights[0], -bound, bound)
            # All buckets begin alike: each sees only some of the positions.
            with torch.no_grad():
                weights.copy_(weights[0].expand_as(weights).clone())
            nn.init.zeros_(biases)

    def feature_table(self) -> Tensor:
        """Returns the weights of all inputs, the shared ones added."""  # [inputs, width]
        if self.shared is None:
            return self.weights
        by_bucket = self.weights.view(self.bucket_count, -1, self.weights.shape[1])
        return (by_bucket + self.shared).view_as(self.weights)

    def forward(self, own: Tensor, theirs: Tensor, bucket: Tensor) -> Tensor:
        """Takes inputs [n, 32] padded with the number of inputs, and the output bucket [n]; returns [n]."""
        # Both views at once: half as many steps, which is what counts on a GPU.
        sums = sum_rows(self.feature_table(), torch.cat([own, theirs]))
        rounded = [self.rounded_layer(number, weights) for number, weights in enumerate(self.layer_weights)]
        if sums.device.type == "cpu":
            activation = self.architecture.activation
            return judge_sums(activation, sums, self.biases, bucket, rounded, [*self.layer_biases]) * self.output_cp
        return self.judge(sums, bucket, rounded)

    def judge(self, sums: Tensor, bucket: Tensor, rounded: Sequence[Tensor]) -> Tensor:
        """Returns centipawns [n] from sums without biases [2n, width]: a GPU's way, and the model of a CPU's."""
        hidden = torch.cat(self._activate(sums + self.biases).chunk(2), dim=1)
        last = len(rounded) - 1
        for number, (weights, biases) in enumerate(zip(rounded, self.layer_biases, strict=True)):
            stacks, outputs, inputs = weights.shape
            every = nn.functional.linear(hidden, weights.reshape(stacks * outputs, inputs), biases.reshape(-1))
            if stacks > 1:
                chosen = bucket.long().view(-1, 1, 1).expand(-1, 1, outputs)
                every = every.view(-1, stacks, outputs).gather(1, chosen).squeeze(1)
            hidden = _floored(every.clamp(0, 1), CLIPPED_ONE) if number < last else every
        return hidden.squeeze(1) * self.output_cp

    def rounded_layer(self, number: int, weights: Tensor) -> Tensor:
        """Returns the weights that the integers will be, with the gradient of those that they are rounded from.

        A byte is coarse, and a network that never saw its bytes in training would lose several centipawns by them.
        """
        one = self.quantization.layer(self.architecture, number)[0]
        return weights + ((weights.detach() * one).round() / one - weights.detach())

    def _activate(self, values: Tensor) -> Tensor:
        if self.architecture.activation is Activation.SQUARED:
            squared: Tensor = _SquaredClip.apply(values)  # type: ignore[no-untyped-call]
            return squared
        clipped = values.clamp(0, 1)
        if self.architecture.activation is Activation.PAIRWISE:
            first, second = clipped.chunk(2, dim=1)
            return _floored(first * second, self.quantization.hidden_input)
        return clipped

    @torch.no_grad()
    def clip(self) -> None:
        """Keeps every weight inside what its integer can hold."""
        for number, weights in enumerate(self.layer_weights):
            bound = 127 / self.quantization.layer(self.architecture, number)[0]
            weights.clamp_(-bound, bound)
        # 32 columns and a bias must not overflow int16 by much: real positions stay far below this.
        bound = 32767 / self.quantization.feature / 8
        self.weights.clamp_(-bound, bound)

    @torch.no_grad()
    def take_network(self, network: Network) -> None:
        """Takes over the integers of a network of this shape, whose floats it was rounded from or not."""
        assert network.architecture == self.architecture
        scale = self.quantization.feature
        self.biases.copy_(torch.from_numpy(network.feature_biases / scale))
        self.weights.copy_(torch.from_numpy(network.feature_weights / scale))
        if self.shared is not None:
            # The mean of all buckets is what they share; a sum is a sum, but so it goes on to be learned together.
            by_bucket = self.weights.view(self.bucket_count, -1, self.weights.shape[1])
            self.shared.copy_(by_bucket.mean(dim=0))
            by_bucket -= self.shared
        for stack, layers in enumerate(network.stacks):
            for number, layer in enumerate(layers):
                weight_one, bias_one = self.quantization.layer(self.architecture, number)
                self.layer_weights[number][stack].copy_(torch.from_numpy(layer.weights / weight_one))
                self.layer_biases[number][stack].copy_(torch.from_numpy(layer.biases / bias_one))

    @torch.no_grad()
    def to_network(self, description: str = "") -> Network:
        """Rounds to integers."""
        scale = self.quantization.feature
        stacks = []
        for stack in range(self.architecture.output_buckets):
            layers = []
            for number, (weights, biases) in enumerate(zip(self.layer_weights, self.layer_biases, strict=True)):
                weight_one, bias_one = self.quantization.layer(self.architecture, number)
                layers.append(
                    Layer(
                        _rounded(biases[stack] * bias_one, np.int32),
                        _rounded(weights[stack] * weight_one, np.int8),
                    )
                )
            stacks.append(tuple(layers))
        return Network(
            self.architecture,
            _rounded(self.biases * scale, np.int16),
            _rounded(self.feature_table() * scale, np.int16),
            tuple(stacks),
            description,
        )


def _floored(values: Tensor, one: float) -> Tensor:
    """Returns what the integers will be after bits are dropped, with the gradient of the values.

    Bits are dropped downward: small products become nothing at all, and layers that never met that would be off by
    several centipawns.
    """
    # Sums of floats may fall just below the integer that they stand for; the fractions that are dropped are far larger.
    return values + ((values.detach() * one + 1e-3).floor() / one - values.detach())


class _SquaredClip(torch.autograd.Function):
    """clamp(x, 0, 1)²; torch's gradient of the two steps goes over the numbers twice as often."""

    @staticmethod
    def forward(ctx: Any, values: Tensor) -> Tensor:
        clipped = values.clamp(0, 1)
        ctx.save_for_backward(clipped)
        return clipped.square()

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Tensor:
        (clipped,) = ctx.saved_tensors
        # No slope at either end: below it is zero by itself.
        gradient: Tensor = 2 * gradients[0] * clipped
        return gradient.masked_fill_(clipped == 1, 0)


def _rounded(values: Tensor, kind: Any) -> Any:
    limits = np.iinfo(kind)
    return np.clip(np.rint(values.double().cpu().numpy()), limits.min, limits.max).astype(kind)
