"""Where torch computes."""

from __future__ import annotations

import torch
from torch import nn

from philidor.core.errors import ConfigError


def torch_device(name: str) -> torch.device:
    """Returns what "auto", "cpu" or "cuda" means here. Raises ConfigError if it is not there."""
    if name == "cuda" and not torch.cuda.is_available():
        raise ConfigError("device is 'cuda', but torch sees no GPU here")
    return torch.device("cuda" if name != "cpu" and torch.cuda.is_available() else "cpu")


def place(model: nn.Module, device: torch.device) -> None:
    """Moves a model to a device, in the layout that tensor cores want; on a CPU it changes nothing that is worth it."""
    layout = torch.channels_last if device.type == "cuda" else torch.contiguous_format
    model.to(device, memory_format=layout)  # type: ignore[call-overload]
