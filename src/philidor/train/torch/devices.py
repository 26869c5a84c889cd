"""Where torch computes."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

import torch
from torch import nn

from philidor.core.errors import ConfigError


def torch_device(name: str) -> torch.device:
    """Returns what "auto", "cpu" or "cuda" means here. Raises ConfigError if it is not there."""
    if name == "cuda" and not torch.cuda.is_available():
        raise ConfigError("device is 'cuda', but torch sees no GPU here")
    return torch.device("cuda" if name != "cpu" and torch.cuda.is_available() else "cpu")


def computes_in_half(device: torch.device, wanted: bool) -> bool:
    """Says whether training on this device computes in bfloat16: GPUs do, and CPUs that can if it is wanted."""
    if device.type == "cuda":
        return True
    # Without such instructions bfloat16 is emulated, and several times slower than single precision.
    cpu: Any = torch.cpu
    return wanted and bool(cpu._is_avx512_bf16_supported() or cpu._is_amx_tile_supported())


def precision(device: torch.device, wanted: bool = False) -> AbstractContextManager[Any]:
    """Returns what lets a device compute in 16 bits where that is good enough: a GPU, or a CPU if it is wanted."""
    if not computes_in_half(device, wanted):
        return nullcontext()
    return torch.autocast(device.type, dtype=torch.bfloat16)


def place(model: nn.Module, device: torch.device, in_half: bool = False) -> None:
    """Moves a model to a device, in the layout that it wants: channels last where it computes in 16 bits."""
    layout = torch.channels_last if computes_in_half(device, in_half) else torch.contiguous_format
    model.to(device, memory_format=layout)  # type: ignore[call-overload]
