"""The state of a training run of an NNUE network: as a checkpoint, and packed to travel in a few small files."""

from __future__ import annotations

import hashlib
import io
import struct
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from philidor.core.errors import RunError
from philidor.core.runs import Run, atomic_file, write_atomic
from philidor.core.toml import config_from_toml
from philidor.train.nnue_config import NnueTrainingConfig
from philidor.train.torch.nnue_model import NnueModel

MAX_BYTES = 48_000_000
MAX_PARTS = 6
# Magic, number of the part, number of parts, SHA-256 of all parts' content.
_PART = struct.Struct("<8sII32s")
_MAGIC = b"\x89PHST\r\n\x1a"


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

    def restore(self, model: NnueModel, optimizer: torch.optim.Optimizer, path: Path) -> None:
        """Puts the numbers where they belong. Raises RunError."""
        try:
            model.load_state_dict({name: tensor.float() for name, tensor in self.model.items()})
            if self.optimizer is not None:
                optimizer.load_state_dict(self.optimizer)
        except (RuntimeError, ValueError, KeyError) as error:
            raise RunError(f"{str(path)!r} is the state of another network: {error}") from None


def save_state(state: State, path: Path) -> None:
    """Writes a checkpoint; an old one stays until the new one is whole. Raises RunError."""
    try:
        with atomic_file(path) as file:
            file.write(_to_bytes(_as_dict(state)))
    except OSError as error:
        raise RunError(f"cannot write {str(path)!r}: {error.strerror}") from None


def load_state(path: Path, device: torch.device, *, positions: int | None = None) -> State:
    """Reads a checkpoint. Raises RunError if it is damaged, or was trained on another number of positions."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RunError(f"cannot read {str(path)!r}: {error.strerror}") from None
    state = _from_dict(_from_bytes(data, path, device), path)
    if positions is not None and state.positions != positions:
        raise RunError(
            f"{str(path)!r} was trained on {state.positions:,} positions, these are {positions:,}: "
            "give it the same games"
        )
    return state


def pack_run(run: Run, checkpoint: Path, folder: Path, *, limit: int = MAX_BYTES) -> str:
    """Packs a run's config and state into at most six files; says what had to be left out. Raises RunError."""
    state = load_state(checkpoint, torch.device("cpu"))
    for words, reduce in _LEVELS:
        content = _to_bytes({"config": run.config_path.read_text(encoding="utf-8"), **_as_dict(reduce(state))})
        if len(content) + MAX_PARTS * _PART.size <= limit:
            _write_parts(content, folder, limit // MAX_PARTS)
            return words
    raise RunError(f"the state of {state.shape} takes {len(content):,} bytes even with half weights, not {limit:,}")


def unpack_run(folder: Path, out: Path, checkpoint: str) -> Run:
    """Makes a run folder from packed files. Raises RunError if they are incomplete, altered or not of one pack."""
    packed = _from_bytes(_read_parts(folder), folder, torch.device("cpu"))
    config = config_from_toml(NnueTrainingConfig, str(packed.pop("config", "")))
    state = _from_dict(packed, folder)
    run = Run.create(out.name, config, out.parent)
    save_state(state, run.checkpoints / checkpoint)
    return run


def _as_is(state: State) -> State:
    return state


def _with_short_moments(state: State) -> State:
    """Moments are tiny and only steer: the range of a float matters, its digits do not."""
    assert state.optimizer is not None
    moments = {
        number: {name: value.bfloat16() if name.startswith("exp_avg") else value for name, value in one.items()}
        for number, one in state.optimizer["state"].items()
    }
    return replace(state, optimizer={**state.optimizer, "state": moments})


def _without_moments(state: State) -> State:
    return replace(state, optimizer=None)


def _with_short_weights(state: State) -> State:
    model = {name: tensor.half() for name, tensor in state.model.items()}
    return replace(state, model=model, optimizer=None)


_LEVELS: tuple[tuple[str, Callable[[State], State]], ...] = (
    ("everything", _as_is),
    ("everything, the moments in 16 bits", _with_short_moments),
    ("the weights, not the moments", _without_moments),
    ("the weights in 16 bits, not the moments", _with_short_weights),
)


def _as_dict(state: State) -> dict[str, Any]:
    return {name: getattr(state, name) for name in State.__slots__}


def _from_dict(fields: dict[str, Any], path: Path) -> State:
    if set(fields) != set(State.__slots__):
        raise RunError(f"{str(path)!r} is no state of a training run")
    return State(**fields)


def _to_bytes(fields: dict[str, Any]) -> bytes:
    buffer = io.BytesIO()
    torch.save(fields, buffer)
    return buffer.getvalue()


def _from_bytes(data: bytes, path: Path, device: torch.device) -> dict[str, Any]:
    try:
        fields = torch.load(io.BytesIO(data), map_location=device, weights_only=True)
    except Exception as error:  # torch names a damaged file in many ways, and at length
        problem = f"it is no state of a training run, or damaged ({type(error).__name__})"
        raise RunError(f"cannot go on from {str(path)!r}: {problem}; without it the run begins anew") from error
    if not isinstance(fields, dict):
        raise RunError(f"{str(path)!r} is no state of a training run")
    return fields


def _write_parts(content: bytes, folder: Path, size: int) -> None:
    """Writes the content in pieces that are told apart by number and belong together by its hash."""
    room = size - _PART.size
    pieces = [content[at : at + room] for at in range(0, len(content), room)]
    digest = hashlib.sha256(content).digest()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("*.part"):
            old.unlink()
        for number, piece in enumerate(pieces):
            write_atomic(folder / f"state-{number}.part", _PART.pack(_MAGIC, number, len(pieces), digest) + piece)
    except OSError as error:
        raise RunError(f"cannot write {str(folder)!r}: {error.strerror}") from None


def _read_parts(folder: Path) -> bytes:
    pieces: dict[int, bytes] = {}
    packs: set[tuple[int, bytes]] = set()
    for path in sorted(folder.glob("*.part")):
        data = path.read_bytes()
        if len(data) < _PART.size or not data.startswith(_MAGIC):
            raise RunError(f"{str(path)!r} is no part of a packed state")
        _, number, count, digest = _PART.unpack_from(data)
        packs.add((count, digest))
        pieces[number] = data[_PART.size :]
    if len(packs) != 1:
        found = "no part" if not packs else f"parts of {len(packs)} states"
        raise RunError(f"expected the parts of one packed state in {str(folder)!r}, found {found}")
    count, digest = packs.pop()
    if missing := sorted(set(range(count)) - set(pieces)):
        raise RunError(f"{str(folder)!r} lacks part {missing[0]} of {count} (state-{missing[0]}.part)")
    content = b"".join(pieces[number] for number in range(count))
    if hashlib.sha256(content).digest() != digest:
        raise RunError(f"the parts in {str(folder)!r} are altered or cut off")
    return content
