"""The heads of networks: each says what it answers, what it learns from and how far off it was.

Training and export go through a model's heads by these declarations; a new kind of head is a line in `KINDS`.
Targets are named tensors: `policy` [n, policy size], a distribution over moves, all zeros for states without one; `wdl`
[n, 3]; `moves_left` [n], in plies; `reply` [n, policy size], the other side's answer. Two more steer the losses:
`legal` [n, policy size] (bool) keeps illegal moves out of the policy's, `weight` [n] weighs the states.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import final

import torch
from torch import Tensor, nn
from torch.nn import functional

from philidor.core.errors import ConfigError
from philidor.encodings.encoding import Shape
from philidor.nets.network_config import NetworkConfig
from philidor.nets.network_weights import REPLY, has_planes, head_sizes
from philidor.nets.onnx.signature import MOVES_LEFT, POLICY, VALUE, WDL
from philidor.nets.policy_cells import policy_cells
from philidor.nets.torch.body import ConvNorm, activation_of, begin_as_keras

# As Leela: plies are counted in twenties, and a miss of more than ten of them costs in proportion, not by its square,
# lest long games drown all else.
_PLIES_UNIT = 20.0
_HUBER_DELTA = 0.5

Targets = Mapping[str, Tensor]


@dataclass(frozen=True, slots=True)
class HeadKind:
    """What a head is for."""

    target: str
    """The tensor it learns from."""
    loss: Callable[[Tensor, Targets], Tensor]
    """Takes raw numbers [n, outputs] and the targets; returns the loss of each state [n]."""
    finish: Callable[[Tensor], Tensor]
    """Makes of the raw numbers what `nets/onnx/signature.py` promises."""
    is_auxiliary: bool = False
    """Whether it is only a help in training, which exports leave out and whose targets may be missing."""


@final
class Head(nn.Module):
    """A head: layers of its own on the body, and its kind. `forward` returns raw numbers: logits."""

    def __init__(self, name: str, layers: nn.Module) -> None:
        super().__init__()
        self.name = name
        self.kind = KINDS[name]
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

    def __init__(self, config: NetworkConfig, shape: Shape) -> None:
        super().__init__()
        planes, cells = policy_cells(config.encoding, shape)
        self.first = ConvNorm(config.filters, config.filters, 3)
        self.activation = activation_of(config)
        self.second = nn.Conv2d(config.filters, planes, 3, padding=1)
        self.cells: Tensor
        self.register_buffer("cells", torch.from_numpy(cells), persistent=False)

    def forward(self, planes: Tensor) -> Tensor:
        """Maps [n, filters, h, w] to [n, moves]."""
        cells: Tensor = self.second(self.activation(self.first(planes))).flatten(1)
        return cells.index_select(1, self.cells)


def build_heads(config: NetworkConfig, shape: Shape) -> nn.ModuleDict:
    """Returns the heads that a config asks for, by name."""
    heads: dict[str, nn.Module] = {}
    for name, (planes, *widths) in head_sizes(config, shape).items():
        layers: nn.Module
        if config.body == "mlp":
            layers = nn.Linear(config.filters, widths[-1])
        elif has_planes(config, name):
            layers = PlanesLayers(config, shape)
        else:
            layers = BoardLayers(config, shape, planes, *widths)
        heads[name] = Head(name, layers)
    for head in heads.values():
        last = [layer for layer in head.modules() if isinstance(layer, nn.Linear | nn.Conv2d)][-1]
        _begin_small(last) if config.body == "residual" else begin_as_keras(last)
    return nn.ModuleDict(heads)


def losses(heads: Mapping[str, Head], outputs: Mapping[str, Tensor], targets: Targets) -> dict[str, Tensor]:
    """Returns each head's mean loss by its name, as scalars to be weighed and added.

    Raises ConfigError for a target that is missing, unless it is an auxiliary head's.
    """
    weights = targets.get("weight")
    found = {}
    for name, head in heads.items():
        kind = head.kind
        if kind.target not in targets:
            if kind.is_auxiliary:
                continue
            raise ConfigError(f"the head {name!r} learns from {kind.target!r}, got {', '.join(targets) or 'nothing'}")
        each = kind.loss(outputs[name].float(), targets)
        rows = torch.ones_like(each) if weights is None else weights
        if kind.target in (POLICY, REPLY):
            rows = rows * (targets[kind.target].sum(dim=1) > 0)
        # A batch without a single target for this head teaches it nothing.
        found[name] = (each * rows).sum() / rows.sum().clamp_min(1e-6)
    return found


def _begin_small(layer: nn.Linear | nn.Conv2d) -> None:
    """Draws the last weights of a head so that a new network has no opinions (its logits are about 0.1 apart)."""
    nn.init.normal_(layer.weight, std=0.1 / layer.weight[0].numel() ** 0.5)
    assert layer.bias is not None
    nn.init.zeros_(layer.bias)


def _policy_loss(logits: Tensor, targets: Targets) -> Tensor:
    if (legal := targets.get("legal")) is not None:
        logits = logits.masked_fill(~legal, float("-inf"))
    return _cross_entropy(logits, targets[POLICY])


def _reply_loss(logits: Tensor, targets: Targets) -> Tensor:
    return _cross_entropy(logits, targets[REPLY])


def _cross_entropy(logits: Tensor, wanted: Tensor) -> Tensor:
    """Returns - sum of wanted * log p [n]; a move that is not wanted costs nothing, even at probability zero."""
    logs = functional.log_softmax(logits, dim=1)
    return -(wanted * logs.masked_fill(wanted == 0, 0.0)).sum(dim=1)


def _wdl_loss(logits: Tensor, targets: Targets) -> Tensor:
    return _cross_entropy(logits, targets[WDL])


def _value_loss(raw: Tensor, targets: Targets) -> Tensor:
    """Returns the squared error of the expected result (book, ch. 4.2.2)."""
    result = targets[WDL][:, 0] - targets[WDL][:, 2]
    return (raw[:, 0].tanh() - result) ** 2


def _moves_left_loss(raw: Tensor, targets: Targets) -> Tensor:
    wanted = targets[MOVES_LEFT].reshape(-1)
    return functional.huber_loss(raw[:, 0] / _PLIES_UNIT, wanted / _PLIES_UNIT, reduction="none", delta=_HUBER_DELTA)


KINDS = {
    POLICY: HeadKind(POLICY, _policy_loss, lambda raw: raw),
    WDL: HeadKind(WDL, _wdl_loss, lambda raw: raw.softmax(dim=1)),
    VALUE: HeadKind(WDL, _value_loss, torch.tanh),
    MOVES_LEFT: HeadKind(MOVES_LEFT, _moves_left_loss, torch.relu),
    REPLY: HeadKind(REPLY, _reply_loss, lambda raw: raw, is_auxiliary=True),
}
"""All kinds of heads by the name of their output."""
