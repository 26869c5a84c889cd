"""The heads of networks, each declared once: what it answers, learns from, and how its raw numbers are finished.

Book: ch. 4.2.2 (policy and value), 4.4.2 (Leela's win, draw and loss, and moves left). Training, files, ONNX, the
compiled tower and Leela's formats all go through `HEADS`; a new head is a line there and a network that asks for it
(`NetworkConfig.more_heads`). Nothing here needs torch: `philidor.nets.torch.losses` has the losses by name, and each
backend has one function for each way to finish.

A distribution's target may be dense, [n, outputs], all zeros for states without one. Two more targets steer the losses:
`legal` [n, policy size] (bool) keeps illegal moves out of the policy's, `weight` [n] weighs the states.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from philidor.nets.onnx.signature import MOVES_LEFT, POLICY, VALUE, WDL

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from philidor.encodings.encoding import Shape
    from philidor.nets.network_config import NetworkConfig

    Sizes: TypeAlias = tuple[int, ...]
    """Planes behind a tower and the widths of the dense layers; the last width is the number of outputs."""

REPLY = "reply"
"""The output of the head that learns the other side's answer: logits of the moves that follow."""

OWNERSHIP, SCORE = "ownership", "score"
"""What KataGo learns besides: whose each square is in the end, and by how many points."""

Finish: TypeAlias = Literal["none", "softmax", "tanh", "relu"]
Loss: TypeAlias = Literal["cross_entropy", "squared_error", "squared_errors", "huber"]


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadKind:
    """What a head is for. The table names its output."""

    part: str
    """The word for it in settings: a training's `PART_weight`, if there is one, replaces `weight`."""
    target: str
    """What it learns from. Training without it is an error."""
    loss: Loss
    finish: Finish = "none"
    """What makes of the raw numbers the output that `nets/onnx/signature.py` promises."""
    weight: float = 1.0
    """Of its loss in the sum."""
    unit: float = 1.0
    """The loss counts in multiples of it."""
    is_policy: bool = False
    """Whether its outputs are moves; a policy of planes has them by the square they start from."""
    has_squares: bool = False
    """Whether it has one output for each square of the board."""
    is_masked: bool = False
    """Whether only legal moves count in the loss."""
    sees_next_mover: bool = False
    """Whether its moves are those of the next position, as its mover counts them."""
    is_played: bool = True
    """Whether players and exports have it; one that is not is only a help in training."""
    is_extra: bool = False
    """Whether only networks have it that name it in `more_heads`."""
    sizes: Callable[[NetworkConfig, Shape], Sizes | None]
    """Returns the sizes of its layers, None for a network without it."""

    def loss_weight(self, training: object) -> float:
        """Returns the weight of its loss in a training with these settings."""
        return float(getattr(training, f"{self.part}_weight", self.weight))


def _policy_sizes(config: NetworkConfig, shape: Shape) -> Sizes | None:
    return None if config.policy == "none" else (config.policy_planes, shape.policy_size)


def _value_sizes(config: NetworkConfig, kind: str, outputs: int) -> Sizes | None:
    return (config.value_planes, config.value_hidden, outputs) if config.value == kind else None


def _moves_left_sizes(config: NetworkConfig, _shape: Shape) -> Sizes | None:
    return (config.moves_left_planes, config.moves_left_hidden, 1) if config.moves_left else None


HEADS: dict[str, HeadKind] = {
    POLICY: HeadKind(
        part="policy", target=POLICY, loss="cross_entropy", is_policy=True, is_masked=True, sizes=_policy_sizes
    ),
    WDL: HeadKind(
        part="value",
        target=WDL,
        loss="cross_entropy",
        finish="softmax",
        sizes=lambda config, _: _value_sizes(config, "wdl", 3),
    ),
    VALUE: HeadKind(
        part="value",
        target=WDL,
        loss="squared_error",
        finish="tanh",
        sizes=lambda config, _: _value_sizes(config, "tanh", 1),
    ),
    # As Leela: plies are counted in twenties, so that long games do not drown all else.
    MOVES_LEFT: HeadKind(
        part="moves_left",
        target=MOVES_LEFT,
        loss="huber",
        finish="relu",
        weight=0.1,
        unit=20.0,
        sizes=_moves_left_sizes,
    ),
    # KataGo's auxiliary policy, with its weight.
    REPLY: HeadKind(
        part="reply",
        target=REPLY,
        loss="cross_entropy",
        weight=0.15,
        is_policy=True,
        sees_next_mover=True,
        is_played=False,
        sizes=lambda config, shape: _policy_sizes(config, shape) if config.reply else None,
    ),
    # KataGo's weight of the ownership; the mover's squares are 1, the other's -1.
    OWNERSHIP: HeadKind(
        part="ownership",
        target=OWNERSHIP,
        loss="squared_errors",
        finish="tanh",
        weight=1.5,
        has_squares=True,
        is_played=False,
        is_extra=True,
        sizes=lambda config, shape: (config.value_planes, shape.height * shape.width),
    ),
    # The mover's points less the other's, without komi, which networks do not see; counted in twenties.
    SCORE: HeadKind(
        part="score",
        target=SCORE,
        loss="huber",
        weight=0.1,
        unit=20.0,
        is_played=False,
        is_extra=True,
        sizes=lambda config, _: (config.value_planes, config.value_hidden, 1),
    ),
}
"""All heads by the name of their output."""


def head_sizes(config: NetworkConfig, shape: Shape) -> dict[str, Sizes]:
    """Returns the layers' sizes of the heads that a network has, by the names of their outputs."""
    asked = {name: kind for name, kind in HEADS.items() if not kind.is_extra or name in config.more_heads}
    found = {name: kind.sizes(config, shape) for name, kind in asked.items()}
    return {name: sizes for name, sizes in found.items() if sizes is not None}


def has_planes(config: NetworkConfig, head: str) -> bool:
    """Says whether a head is made of planes of moves."""
    return HEADS[head].is_policy and config.policy == "convolution"


def has_points(config: NetworkConfig, head: str) -> bool:
    """Says whether a head is one plane of points with a bias for each, as AlphaGo's."""
    return HEADS[head].is_policy and config.policy == "points"


def has_pooled_points(config: NetworkConfig, head: str) -> bool:
    """Says whether a head is a plane of points, of a policy with a pass from what its planes have in all."""
    return config.heads == "pooled" and (HEADS[head].is_policy or HEADS[head].has_squares)


def finished(raw: Mapping[str, NDArray[np.float32]]) -> dict[str, NDArray[np.float32]]:
    """Returns outputs [n, size] by name as their heads declare them."""
    return {name: _FINISH[HEADS[name].finish](numbers) for name, numbers in raw.items()}


def _softmax(raw: NDArray[np.float32]) -> NDArray[np.float32]:
    powers = np.exp(raw.astype(np.float64) - raw.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), dtype=np.float32)


_FINISH: dict[Finish, Callable[[NDArray[np.float32]], NDArray[np.float32]]] = {
    "none": lambda raw: raw,
    "softmax": _softmax,
    "tanh": np.tanh,
    "relu": lambda raw: np.maximum(raw, 0),
}
