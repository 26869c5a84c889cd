"""The heads' losses, and what makes of their raw numbers the outputs that `philidor.nets.heads` declares.

Targets are tensors by name, [n, outputs] or [n]: what each head's declaration asks for, and beside them `legal` and
`weight`, and `value_weight` for results. Losses are computed in single precision, whatever the network is computed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import torch
from torch import Tensor
from torch.nn import functional

from philidor.core.errors import ConfigError
from philidor.nets.heads import HEADS, Finish, HeadKind, Loss
from philidor.nets.onnx.signature import WDL

# As Leela: a miss of more than ten plies, which is half a unit, costs in proportion, not by its square.
_HUBER_DELTA = 0.5

Targets = Mapping[str, Tensor]


def finish(head: str, raw: Tensor) -> Tensor:
    """Returns a head's output [n, outputs]."""
    return _FINISH[HEADS[head].finish](raw)


def losses(outputs: Mapping[str, Tensor], targets: Targets) -> dict[str, Tensor]:
    """Returns each head's mean loss by its name, as scalars to be weighed and added.

    `outputs` are raw numbers. Raises ConfigError for a head whose target is missing.
    """
    check_targets(outputs, targets)
    weights = targets.get("weight")
    found = {}
    for name, raw in outputs.items():
        kind = HEADS[name]
        each = _LOSSES[kind.loss](raw.float(), targets[kind.target], kind, targets)
        rows = torch.ones_like(each) if weights is None else weights
        if kind.target == WDL and (value_weights := targets.get("value_weight")) is not None:
            rows = rows * value_weights
        if kind.loss == "cross_entropy":
            rows = rows * (targets[kind.target].sum(dim=1) > 0)
        # A batch without a single target for this head teaches it nothing.
        found[name] = (each * rows).sum() / rows.sum().clamp_min(1e-6)
    return found


def check_targets(heads: Iterable[str], targets: Iterable[str]) -> None:
    """Refuses to train a head on nothing. Raises ConfigError."""
    known = list(targets)
    for name in heads:
        if HEADS[name].target not in known:
            given = ", ".join(known) or "nothing"
            raise ConfigError(f"the head {name!r} learns from {HEADS[name].target!r}, got {given}")


def weighted_sum(found: Mapping[str, Tensor], training: object) -> Tensor:
    """Returns the loss that is made smaller: the heads' losses times their weights in these settings.

    A setting such as `value_weight` replaces the weight that the head declares.
    """
    return torch.stack([HEADS[name].loss_weight(training) * loss for name, loss in found.items()]).sum()


def _cross_entropy(logits: Tensor, wanted: Tensor, kind: HeadKind, targets: Targets) -> Tensor:
    """Returns - sum of wanted * log p [n]; what is not wanted costs nothing, even at probability zero."""
    if kind.is_masked and (legal := targets.get("legal")) is not None:
        logits = logits.masked_fill(~legal, float("-inf"))
    logs = functional.log_softmax(logits, dim=1)
    return -(wanted * logs.masked_fill(wanted == 0, 0.0)).sum(dim=1)


def _squared_error(raw: Tensor, wanted: Tensor, kind: HeadKind, _targets: Targets) -> Tensor:
    """Returns the squared error of the expected result, the target being win, draw and loss (book, ch. 4.2.2)."""
    return (_FINISH[kind.finish](raw)[:, 0] - (wanted[:, 0] - wanted[:, 2])) ** 2


def _squared_errors(raw: Tensor, wanted: Tensor, kind: HeadKind, _targets: Targets) -> Tensor:
    """Returns the mean of the outputs' squared errors."""
    return ((_FINISH[kind.finish](raw) - wanted) ** 2).mean(dim=1)


def _huber(raw: Tensor, wanted: Tensor, kind: HeadKind, _targets: Targets) -> Tensor:
    found, goal = raw[:, 0] / kind.unit, wanted.reshape(-1) / kind.unit
    return functional.huber_loss(found, goal, reduction="none", delta=_HUBER_DELTA)


_LOSSES: dict[Loss, Callable[[Tensor, Tensor, HeadKind, Targets], Tensor]] = {
    "cross_entropy": _cross_entropy,
    "squared_error": _squared_error,
    "squared_errors": _squared_errors,
    "huber": _huber,
}
_FINISH: dict[Finish, Callable[[Tensor], Tensor]] = {
    "none": lambda raw: raw,
    "softmax": lambda raw: raw.softmax(dim=1),
    "tanh": torch.tanh,
    "relu": torch.relu,
}
