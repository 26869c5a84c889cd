"""The bodies of networks: residual towers, plain convolutions, and dense layers.

Book: ch. 4.1.3 (AlphaGo's), 4.2.2 (AlphaGo Zero's tower), 4.4.2 (Leela's squeeze and excitation) and 5.1 (hexapawn).
"""

from __future__ import annotations

from itertools import pairwise
from typing import final

import torch
from torch import Tensor, nn

from philidor.encodings.encoding import Shape
from philidor.nets.network_config import NetworkConfig


def activation_of(config: NetworkConfig) -> nn.Module:
    """Returns the function between layers."""
    return nn.Mish() if config.activation == "mish" else nn.ReLU()


def begin_as_keras(layer: nn.Module) -> None:
    """Draws a dense layer's weights by Glorot's rule, as the book's Keras does.

    PyTorch's own are smaller: behind five layers little of the input is left, and plain gradient descent stands still.
    """
    assert isinstance(layer, nn.Linear)
    nn.init.xavier_uniform_(layer.weight)
    nn.init.zeros_(layer.bias)


@final
class ConvNorm(nn.Module):
    """A convolution that keeps the board's size, and batch norm; folded, a convolution with a bias."""

    def __init__(self, inputs: int, outputs: int, size: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, size, padding=size // 2, bias=False)
        self.norm: nn.Module = nn.BatchNorm2d(outputs)
        nn.init.kaiming_normal_(self.conv.weight, mode="fan_out", nonlinearity="relu")

    def forward(self, planes: Tensor) -> Tensor:
        """Maps [n, inputs, h, w] to [n, outputs, h, w]."""
        normed: Tensor = self.norm(self.conv(planes))
        return normed

    def fold(self) -> None:
        """Moves the norm into the convolution, as it is in evaluation: w * g and beta - g * mean."""
        if isinstance(self.norm, nn.BatchNorm2d):
            self.conv = nn.utils.fusion.fuse_conv_bn_eval(self.conv, self.norm)
            self.norm = nn.Identity()


@final
class SqueezeExcite(nn.Module):
    """Scales and shifts each plane by what the means of all planes say, as Leela does."""

    def __init__(self, filters: int, channels: int, activation: nn.Module) -> None:
        super().__init__()
        self.squeeze = nn.Linear(filters, channels)
        self.excite = nn.Linear(channels, 2 * filters)
        self.activation = activation
        # A new unit halves every plane and shifts none.
        nn.init.zeros_(self.excite.weight)
        nn.init.zeros_(self.excite.bias)

    def forward(self, planes: Tensor) -> Tensor:
        """Maps [n, filters, h, w] to the same shape."""
        scale, shift = self.excite(self.activation(self.squeeze(planes.mean(dim=(2, 3))))).chunk(2, dim=1)
        excited: Tensor = planes * scale.sigmoid()[:, :, None, None] + shift[:, :, None, None]
        return excited


@final
class ResidualBlock(nn.Module):
    """Two convolutions around a skip."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        filters = config.filters
        self.first = ConvNorm(filters, filters, 3)
        self.second = ConvNorm(filters, filters, 3)
        self.activation = activation_of(config)
        self.se = SqueezeExcite(filters, config.se_channels, self.activation) if config.se_channels else None
        # A new block lets everything pass: however tall the tower, the first policies are nearly uniform.
        assert isinstance(self.second.norm, nn.BatchNorm2d)
        nn.init.zeros_(self.second.norm.weight)

    def forward(self, planes: Tensor) -> Tensor:
        """Maps [n, filters, h, w] to the same shape."""
        flow = self.second(self.activation(self.first(planes)))
        if self.se is not None:
            flow = self.se(flow)
        passed: Tensor = self.activation(flow + planes)
        return passed


@final
class ResidualBody(nn.Module):
    """A convolution and a tower of residual blocks."""

    def __init__(self, config: NetworkConfig, shape: Shape) -> None:
        super().__init__()
        self.input = ConvNorm(shape.planes, config.filters, 3)
        self.activation = activation_of(config)
        self.blocks = nn.Sequential(*(ResidualBlock(config) for _ in range(config.blocks)))

    def forward(self, planes: Tensor) -> Tensor:
        """Maps [n, planes, h, w] to [n, filters, h, w]."""
        flow: Tensor = self.blocks(self.activation(self.input(planes)))
        return flow


@final
class PlainBody(nn.Module):
    """AlphaGo's convolutions, one after the other: a 5x5 one, then 3x3 ones; no skips, no batch norm."""

    def __init__(self, config: NetworkConfig, shape: Shape) -> None:
        super().__init__()
        sizes = [(shape.planes, 5), *[(config.filters, 3)] * config.blocks]
        self.layers = nn.ModuleList(
            nn.Conv2d(inputs, config.filters, size, padding=size // 2) for inputs, size in sizes
        )
        self.norms: nn.ModuleList | None = None
        self.activation = activation_of(config)
        for layer in self.layers:
            assert isinstance(layer, nn.Conv2d)
            assert layer.bias is not None
            nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
            nn.init.zeros_(layer.bias)

    def forward(self, planes: Tensor) -> Tensor:
        """Maps [n, planes, h, w] to [n, filters, h, w]."""
        flow = planes
        for number, layer in enumerate(self.layers):
            flow = layer(flow)
            flow = self.activation(flow if self.norms is None else self.norms[number](flow))
        return flow

    def add_norms(self) -> None:
        """Puts batch norm behind every convolution for the training, which is several times quicker with it."""
        widths = [layer.out_channels for layer in self.layers if isinstance(layer, nn.Conv2d)]
        self.norms = nn.ModuleList(nn.BatchNorm2d(width) for width in widths)

    @torch.no_grad()
    def fold(self) -> None:
        """Moves the norms into the convolutions, as they are in evaluation."""
        for layer, norm in zip(self.layers, self.norms or (), strict=False):
            assert isinstance(layer, nn.Conv2d)
            assert isinstance(norm, nn.BatchNorm2d)
            assert layer.bias is not None
            folded = nn.utils.fusion.fuse_conv_bn_eval(layer.eval(), norm.eval())
            assert folded.bias is not None
            layer.weight.copy_(folded.weight)
            layer.bias.copy_(folded.bias)
        self.norms = None


@final
class DenseBody(nn.Module):
    """Dense layers on the flat input."""

    def __init__(self, config: NetworkConfig, shape: Shape) -> None:
        super().__init__()
        sizes = [shape.planes * shape.height * shape.width] + [config.filters] * config.blocks
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(sizes))
        self.activation = activation_of(config)
        for layer in self.layers:
            begin_as_keras(layer)

    def forward(self, planes: Tensor) -> Tensor:
        """Maps [n, planes, h, w] to [n, filters]."""
        flow = planes.flatten(1)
        for layer in self.layers:
            flow = self.activation(layer(flow))
        return flow
