"""The layers of heads in torch: a convolution and dense layers, or planes of moves; see `philidor.nets.heads`."""

from __future__ import annotations

from itertools import pairwise
from typing import final

import torch
from torch import Tensor, nn
from torch.nn import functional

from philidor.core.errors import ConfigError
from philidor.encodings.encoding import Shape
from philidor.nets.heads import HEADS, has_planes, has_points, has_pooled_points, head_sizes
from philidor.nets.network_config import NetworkConfig
from philidor.nets.policy_cells import policy_cells
from philidor.nets.torch.body import ConvNorm, activation_of, begin_as_keras


@final
class Head(nn.Module):
    """A head: layers of its own on the body. `forward` returns raw numbers: logits."""

    def __init__(self, layers: nn.Module) -> None:
        super().__init__()
        self.layers = layers

    def forward(self, flow: Tensor) -> Tensor:
        """Maps the body's result to [n, outputs]."""
        raw: Tensor = self.layers(flow)
        return raw


@final
class BoardLayers(nn.Module):
    """A 1x1 convolution to a few planes, then dense layers."""

    def __init__(self, config: NetworkConfig, shape: Shape, planes: int, *sizes: int) -> None:
        super().__init__()
        self.squares = ConvNorm(config.filters, planes, 1)
        self.activation = activation_of(config)
        widths = [planes * shape.height * shape.width, *sizes]
        self.dense = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(widths))

    def forward(self, planes: Tensor) -> Tensor:
        """Maps [n, filters, h, w] to [n, last size]."""
        flow: Tensor = self.activation(self.squares(planes)).flatten(1)
        for number, layer in enumerate(self.dense):
            flow = layer(self.activation(flow) if number else flow)
        return flow


@final
class PlanesLayers(nn.Module):
    """Two 3x3 convolutions to planes of moves, and each move's cell among them."""

    def __init__(self, config: NetworkConfig, shape: Shape, *, is_turned: bool = False) -> None:
        """`is_turned`: the moves are those of a player who sees the board from the other side."""
        super().__init__()
        planes, cells, _ = policy_cells(config.encoding, shape)
        self._is_turned = is_turned
        self.first = ConvNorm(config.filters, config.filters, 3)
        self.activation = activation_of(config)
        self.second = nn.Conv2d(config.filters, planes, 3, padding=1)
        self.cells: Tensor
        self.register_buffer("cells", torch.from_numpy(cells), persistent=False)

    def forward(self, planes: Tensor) -> Tensor:
        """Maps [n, filters, h, w] to [n, moves]."""
        seen = planes.flip(2) if self._is_turned else planes
        cells: Tensor = self.second(self.activation(self.first(seen))).flatten(1)
        return cells.index_select(1, self.cells)


@final
class PointsLayers(nn.Module):
    """AlphaGo's policy: a 1x1 convolution to one plane and a bias for each point; a pass is 0."""

    def __init__(self, config: NetworkConfig, shape: Shape) -> None:
        super().__init__()
        squares = shape.height * shape.width
        self._more = shape.policy_size - squares
        if self._more not in (0, 1):
            raise ConfigError(f"a policy of points is for {squares} points and a pass, not {shape.policy_size} moves")
        self.plane = nn.Conv2d(config.filters, 1, 1, bias=False)
        self.biases = nn.Parameter(torch.zeros(squares))

    def forward(self, planes: Tensor) -> Tensor:
        """Maps [n, filters, h, w] to [n, moves]."""
        points: Tensor = self.plane(planes).flatten(1) + self.biases
        return functional.pad(points, (0, self._more))


@final
class PooledLayers(nn.Module):
    """A 1x1 convolution to a few planes, then dense layers on their means and maxima; for boards of all sizes."""

    def __init__(self, config: NetworkConfig, planes: int, *sizes: int) -> None:
        super().__init__()
        self.squares = ConvNorm(config.filters, planes, 1)
        self.activation = activation_of(config)
        self.dense = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise([2 * planes, *sizes]))

    def forward(self, planes: Tensor) -> Tensor:
        """Maps [n, filters, h, w] to [n, last size]."""
        flow = _pooled(self.activation(self.squares(planes)))
        for number, layer in enumerate(self.dense):
            flow = layer(self.activation(flow) if number else flow)
        return flow


@final
class PooledPointsLayers(nn.Module):
    """A number for each point of boards of all sizes, and in a policy a pass from the means and maxima of planes."""

    def __init__(self, config: NetworkConfig, planes: int, *, has_pass: bool) -> None:
        super().__init__()
        self.squares = ConvNorm(config.filters, planes, 1)
        self.activation = activation_of(config)
        self.dense = nn.ModuleList([nn.Linear(2 * planes, 1)] if has_pass else [])
        self.plane = nn.Conv2d(planes, 1, 1, bias=False)
        for layer in self.dense:
            _begin_small(layer)

    def forward(self, planes: Tensor) -> Tensor:
        """Maps [n, filters, h, w] to [n, points] or [n, moves]."""
        seen: Tensor = self.activation(self.squares(planes))
        points: Tensor = self.plane(seen).flatten(1)
        return torch.cat([points, *(layer(_pooled(seen)) for layer in self.dense)], dim=1)


def _pooled_points(config: NetworkConfig, shape: Shape, planes: int, *, is_policy: bool) -> PooledPointsLayers:
    squares = shape.height * shape.width
    if is_policy and shape.policy_size not in (squares, squares + 1):
        raise ConfigError(f"a pooled policy is for {squares} points and a pass, not {shape.policy_size} moves")
    return PooledPointsLayers(config, planes, has_pass=is_policy and shape.policy_size > squares)


def _pooled(planes: Tensor) -> Tensor:
    return torch.cat([planes.mean(dim=(2, 3)), planes.amax(dim=(2, 3))], dim=1)


def build_heads(config: NetworkConfig, shape: Shape) -> nn.ModuleDict:
    """Returns the heads that a config asks for, by name."""
    heads: dict[str, nn.Module] = {}
    for name, (planes, *widths) in head_sizes(config, shape).items():
        layers: nn.Module
        if config.body == "mlp":
            layers = nn.Linear(config.filters, widths[-1])
        elif has_planes(config, name):
            turns = policy_cells(config.encoding, shape).turns
            layers = PlanesLayers(config, shape, is_turned=turns and HEADS[name].sees_next_mover)
        elif has_points(config, name):
            layers = PointsLayers(config, shape)
        elif has_pooled_points(config, name):
            layers = _pooled_points(config, shape, planes, is_policy=HEADS[name].is_policy)
        elif config.heads == "pooled":
            layers = PooledLayers(config, planes, *widths)
        else:
            layers = BoardLayers(config, shape, planes, *widths)
        heads[name] = Head(layers)
    for head in heads.values():
        last = [layer for layer in head.modules() if isinstance(layer, nn.Linear | nn.Conv2d)][-1]
        begin_as_keras(last) if config.body == "mlp" else _begin_small(last)
    return nn.ModuleDict(heads)


def _begin_small(layer: nn.Module) -> None:
    """Draws the last weights of a head so that a new network has no opinions (its logits are about 0.1 apart)."""
    assert isinstance(layer, nn.Linear | nn.Conv2d)
    nn.init.normal_(layer.weight, std=0.1 / layer.weight[0].numel() ** 0.5)
    if layer.bias is not None:
        nn.init.zeros_(layer.bias)
