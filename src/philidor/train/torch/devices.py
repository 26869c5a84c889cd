"""Where torch computes."""

from __future__ import annotations

import torch

from philidor.core.errors import ConfigError


def torch_device(name: str) -> torch.device:
    """Returns what "auto", "cpu" or "cuda" means here. Raises ConfigError if it is not there."""
    if name == "cuda" and not torch.cuda.is_available():
        raise ConfigError("device is 'cuda', but torch sees no GPU here")
    return torch.device("cuda" if name != "cpu" and torch.cuda.is_available() else "cpu")
