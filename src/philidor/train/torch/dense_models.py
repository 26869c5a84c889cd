"""Giraffe's and DeepChess's networks to be trained (book, 2.14)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import torch
from torch import Tensor, nn

from philidor.nets.dense import DeepChessNetwork, GiraffeNetwork, Layer
from philidor.nets.dense.deepchess import INPUTS
from philidor.nets.dense.features import GROUPS

_LARGEST_WEIGHT = 1_000.0
"""What half floats hold with some digits to spare."""


class GiraffeModel(nn.Module):
    """Judges features; `forward` returns what comes before tanh, in the side to move's view."""

    def __init__(self, widths: Sequence[int], hidden: Sequence[int]) -> None:
        super().__init__()
        self.first = nn.ModuleList(nn.Linear(*shape) for shape in zip(GROUPS, widths, strict=True))
        self.above = _chain(sum(widths), (*hidden, 1))

    def forward(self, features: Tensor) -> Tensor:
        """Takes features [n, COUNT]; returns [n]."""
        parts = torch.split(features, list(GROUPS), dim=1)
        values = torch.cat([layer(part).relu() for layer, part in zip(self.first, parts, strict=True)], dim=1)
        for layer in self.above[:-1]:
            values = layer(values).relu()
        found: Tensor = self.above[-1](values)
        return found.squeeze(1)

    def to_network(self, scale: float, description: str) -> GiraffeNetwork:
        """Returns the weights as the evaluators take them."""
        return GiraffeNetwork(_layers(self.first), _layers(self.above), scale, description)


class DeepChessModel(nn.Module):
    """Compares positions by vectors."""

    def __init__(self, vector: Sequence[int], hidden: Sequence[int]) -> None:
        super().__init__()
        self.position = _chain(INPUTS, vector)
        self.comparison = _chain(2 * vector[-1], (*hidden, 1))

    def embed(self, inputs: Tensor) -> Tensor:
        """Takes the inputs that are on [n, 69], padded with 773; returns vectors [n, width]."""
        first = self.position[0]
        assert isinstance(first, nn.Linear)
        # One more row, of zeros, for the padding.
        table = torch.cat([first.weight.T, first.weight.new_zeros(1, first.out_features)])
        values = (nn.functional.embedding_bag(inputs, table, mode="sum") + first.bias).relu()
        for layer in self.position[1:]:
            values = layer(values).relu()
        return values

    def forward(self, first: Tensor, second: Tensor) -> Tensor:
        """Takes vectors [n, width] of positions; returns [n], above zero where the first is better for White."""
        return self._say(first, second) - self._say(second, first)

    def _say(self, first: Tensor, second: Tensor) -> Tensor:
        values = torch.cat([first, second], dim=1)
        for layer in self.comparison[:-1]:
            values = layer(values).relu()
        found: Tensor = self.comparison[-1](values)
        return found.squeeze(1)

    def to_network(self, description: str) -> DeepChessNetwork:
        """Returns the weights as the evaluators take them."""
        return DeepChessNetwork(_layers(self.position), _layers(self.comparison), description)


@torch.no_grad()
def clip(model: nn.Module) -> None:
    """Keeps every weight inside what the file can hold."""
    for parameter in model.parameters():
        parameter.clamp_(-_LARGEST_WEIGHT, _LARGEST_WEIGHT)


def _chain(inputs: int, outputs: Iterable[int]) -> nn.ModuleList:
    layers = nn.ModuleList()
    for width in outputs:
        layers.append(nn.Linear(inputs, width))
        inputs = width
    return layers


def _layers(layers: nn.ModuleList) -> tuple[Layer, ...]:
    found = []
    for layer in layers:
        assert isinstance(layer, nn.Linear)
        weights = np.ascontiguousarray(layer.weight.detach().cpu().numpy().T, np.float32)
        found.append(Layer(weights, layer.bias.detach().cpu().numpy().astype(np.float32)))
    return tuple(found)
