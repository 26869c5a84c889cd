"""Networks and evaluators by whatever name a caller has for them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from philidor.core.errors import ConfigError
from philidor.core.evaluation import Evaluator
from philidor.evaluators.loading import load_net
from philidor.evaluators.network import NetEvaluator


def load_policy_net(net: str | Path | Evaluator[Any]) -> tuple[Any, str]:
    """Returns an evaluator and its name; a file must hold a network with a policy. Raises ConfigError, NetError."""
    if not isinstance(net, str | Path):
        return net, type(net).__name__
    evaluator: Any = load_net(net)
    if not isinstance(evaluator, NetEvaluator):
        raise ConfigError(f"{str(net)!r} has no policy, which such a search needs")
    return evaluator, Path(net).name
