"""The state of a training run of an NNUE network, packed to travel in a few small files."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import torch

from philidor.core.errors import RunError
from philidor.core.runs import Run, write_atomic
from philidor.core.toml import config_from_toml
from philidor.nets.nnue import ARCHITECTURES
from philidor.train.nnue_config import NnueTrainingConfig
from philidor.train.torch.state import State, as_dict, from_bytes, from_dict, load_state, save_state, to_bytes

MAX_BYTES = 48_000_000
MAX_PARTS = 6
# Magic, number of the part, number of parts, SHA-256 of all parts' content.
_PART = struct.Struct("<8sII32s")
_MAGIC = b"\x89PHST\r\n\x1a"


def pack_run(run: Run, checkpoint: Path, folder: Path, *, limit: int = MAX_BYTES) -> str:
    """Packs a run's config and state into at most six files; says what had to be left out. Raises RunError."""
    config = run.config_path.read_text(encoding="utf-8")
    state = load_state(checkpoint, torch.device("cpu"))
    if state.shape not in ARCHITECTURES:
        raise RunError(f"{str(run.path)!r} trains a network of {state.shape}; only runs of NNUE networks are packed")
    for words, reduce in _LEVELS:
        content = to_bytes({"config": config, **as_dict(reduce(state))})
        if len(content) + MAX_PARTS * _PART.size <= limit:
            _write_parts(content, folder, limit // MAX_PARTS)
            return words
    raise RunError(f"the state of {state.shape} takes {len(content):,} bytes even with half weights, not {limit:,}")


def unpack_run(folder: Path, out: Path, checkpoint: str) -> Run:
    """Makes a run folder from packed files. Raises RunError if they are incomplete, altered or not of one pack."""
    packed = from_bytes(_read_parts(folder), folder, torch.device("cpu"))
    config = config_from_toml(NnueTrainingConfig, str(packed.pop("config", "")))
    state = from_dict(packed, folder)
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
