"""A network of our own in PyTorch: a body and heads (book, ch. 4.2.2, 4.4.2 and 5.1)."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import final

import torch
from torch import Tensor, nn

from philidor.encodings.encoding import Shape
from philidor.nets.heads import HEADS
from philidor.nets.network_config import NetworkConfig
from philidor.nets.onnx.signature import POLICY, VALUE
from philidor.nets.torch.body import ConvNorm, DenseBody, PlainBody, ResidualBody
from philidor.nets.torch.heads import build_heads
from philidor.nets.torch.losses import Targets, finish, losses

_BODIES: dict[str, type[ResidualBody | PlainBody | DenseBody]] = {
    "residual": ResidualBody,
    "plain": PlainBody,
    "mlp": DenseBody,
}


@final
class Model(nn.Module):
    """A network. `forward` is for training and returns raw numbers; `predict` is for playing."""

    def __init__(self, config: NetworkConfig, shape: Shape) -> None:
        super().__init__()
        self.config = config
        self.shape = shape
        self.body = _BODIES[config.body](config, shape)
        self.heads = build_heads(config, shape)
        self.input_scale: Tensor | None
        # Not in files: there it is part of the first weights.
        self.register_buffer("input_scale", None, persistent=False)

    def forward(self, planes: Tensor) -> dict[str, Tensor]:
        """Maps [n, planes, h, w] to each head's raw numbers [n, outputs], by name: logits, where the answer is none."""
        flow = self.body(self._scaled(planes))
        return {name: head(flow) for name, head in self.heads.items()}

    def predict(self, planes: Tensor) -> dict[str, Tensor]:
        """Maps [n, planes, h, w] to the outputs that `nets/onnx/signature.py` names, in single precision."""
        flow = self.body(self._scaled(planes))
        played = ((name, head) for name, head in self.heads.items() if HEADS[name].is_played)
        found = {name: finish(name, head(flow).float()) for name, head in played}
        if self.config.value == "none":
            # Who has no opinion of who wins says 0.
            found[VALUE] = planes.new_zeros((len(planes), 1), dtype=torch.float32)
        if self.config.policy == "none":
            found[POLICY] = planes.new_zeros((len(planes), self.shape.policy_size), dtype=torch.float32)
        return found

    def loss(self, outputs: dict[str, Tensor], targets: Targets) -> dict[str, Tensor]:
        """Returns the mean loss of each head, by name, of what `forward` returned; see `philidor.nets.torch.losses`."""
        return losses(outputs, targets)

    def scale_inputs(self, scales: Sequence[float]) -> None:
        """Lets a new network see its scalar planes times these factors, one for each.

        Files and players get the same network without them: see `first_weights`.
        """
        ones = torch.ones(self.shape.packed_planes)
        self.input_scale = torch.cat([ones, torch.tensor(scales)]).to(self.first_layer.weight.device)

    @torch.no_grad()
    def unscale_first_weights(self) -> None:
        """Makes a network whose weights are for inputs that are not scaled one that does the same with scaled ones.

        Planes with the factor 0 are not seen any more.
        """
        if self.input_scale is None:
            return
        layer, factors = self.first_layer, torch.where(self.input_scale == 0, 0.0, 1 / self.input_scale)
        if isinstance(layer, nn.Linear):
            layer.weight.mul_(factors.repeat_interleave(self.shape.height * self.shape.width))
        else:
            layer.weight.mul_(factors[:, None, None])

    def _scaled(self, planes: Tensor) -> Tensor:
        return planes if self.input_scale is None else planes * self.input_scale[:, None, None]

    @property
    def first_layer(self) -> nn.Conv2d | nn.Linear:
        """The layer that sees the input."""
        found = self.body.input.conv if isinstance(self.body, ResidualBody) else self.body.layers[0]
        assert isinstance(found, nn.Conv2d | nn.Linear)
        return found

    def first_weights(self) -> Tensor:
        """Returns the first layer's weights for inputs that are not scaled: the factors are moved into them."""
        layer, scale = self.first_layer, self.input_scale
        if scale is None:
            return layer.weight
        if isinstance(layer, nn.Linear):
            return layer.weight * scale.repeat_interleave(self.shape.height * self.shape.width)
        return layer.weight * scale[:, None, None]

    @torch.no_grad()
    def folded(self) -> Model:
        """Returns a copy for playing: factors of the input and batch norm folded into weights, no gradients."""
        twin = copy.deepcopy(self).eval().requires_grad_(False)
        twin.first_layer.weight.copy_(self.first_weights())
        twin.input_scale = None
        for layer in list(twin.modules()):
            if isinstance(layer, ConvNorm | PlainBody):
                layer.fold()
        return twin

    @property
    def parameter_count(self) -> int:
        """How many numbers are learned."""
        return sum(parameter.numel() for parameter in self.parameters())


def build(config: NetworkConfig, seed: int | None = None) -> Model:
    """Returns a new network with random weights; with a seed, always the same ones. Raises EncodingError."""
    shape = config.load_encoding().shape
    if seed is None:
        return Model(config, shape)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return Model(config, shape)
