"""The state of a training run: what must be known to go on, as a checkpoint.

Every training keeps a table of tensors and plain values, which `write_fields` and `read_fields` save and bring back;
`State` is the table of those that learn from positions.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from philidor.core.errors import RunError
from philidor.core.runs import write_atomic


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """All that must be known to go on."""

    shape: str
    step: int
    positions: int
    """How many were trained on."""
    progress: float
    """How much of the schedules has passed, from 0 to 1."""
    model: dict[str, Tensor]
    optimizer: dict[str, Any] | None
    """None where the moments were left behind."""

    def restore(self, model: nn.Module, optimizer: torch.optim.Optimizer, path: Path) -> None:
        """Puts the numbers where they belong. Raises RunError."""
        with state_of(path):
            model.load_state_dict({name: tensor.float() for name, tensor in self.model.items()})
            if self.optimizer is not None:
                optimizer.load_state_dict(self.optimizer)


def save_state(state: State, path: Path) -> None:
    """Writes a checkpoint; an old one stays until the new one is whole. Raises RunError."""
    write_fields(as_dict(state), path)


def load_state(path: Path, device: torch.device, *, positions: int | None = None) -> State:
    """Reads a checkpoint. Raises RunError if it is damaged, or was trained on another number of positions."""
    state = from_dict(read_fields(path, device), path)
    if positions is not None and state.positions != positions:
        raise RunError(
            f"{str(path)!r} was trained on {state.positions:,} positions, these are {positions:,}: "
            "give it the same games"
        )
    return state


def as_dict(state: State) -> dict[str, Any]:
    """Returns the fields by name."""
    return {name: getattr(state, name) for name in State.__slots__}


def from_dict(fields: dict[str, Any], path: Path) -> State:
    """Makes a state of its fields. Raises RunError if they are not a state's."""
    if set(fields) != set(State.__slots__):
        raise RunError(f"{str(path)!r} is no state of a training run")
    return State(**fields)


def write_fields(fields: dict[str, Any], path: Path) -> None:
    """Writes the state of any training; an old one stays until the new one is whole. Raises RunError."""
    try:
        write_atomic(path, to_bytes(fields))
    except OSError as error:
        raise RunError(f"cannot write {str(path)!r}: {error.strerror}") from None


def read_fields(path: Path, device: torch.device) -> dict[str, Any]:
    """Reads the state of any training. Raises RunError if it is damaged."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RunError(f"cannot read {str(path)!r}: {error.strerror}") from None
    return from_bytes(data, path, device)


@contextmanager
def state_of(path: Path) -> Iterator[None]:
    """Says which file it was when numbers do not fit where they are put. Raises RunError, in one line."""
    try:
        yield
    except (RuntimeError, ValueError, TypeError, LookupError, AttributeError) as error:
        problem = " ".join(f"{type(error).__name__} {error}".split())
        raise RunError(f"cannot go on from {str(path)!r}, the state of another network: {problem}") from None


def to_bytes(fields: dict[str, Any]) -> bytes:
    """Writes tensors and plain values as torch does."""
    buffer = io.BytesIO()
    torch.save(fields, buffer)
    return buffer.getvalue()


def from_bytes(data: bytes, path: Path, device: torch.device) -> dict[str, Any]:
    """Reads what `to_bytes` wrote. Raises RunError, which names the file, if it is damaged."""
    try:
        fields = torch.load(io.BytesIO(data), map_location=device, weights_only=True)
    except Exception as error:  # torch names a damaged file in many ways, and at length
        problem = f"it is no state of a training run, or damaged ({type(error).__name__})"
        raise RunError(f"cannot go on from {str(path)!r}: {problem}; without it the run begins anew") from error
    if not isinstance(fields, dict):
        raise RunError(f"{str(path)!r} is no state of a training run")
    return fields
