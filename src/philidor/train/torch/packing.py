"""The state of a training run, of an NNUE network or of one that learns from games, packed to travel in small files."""

from __future__ import annotations

import hashlib
import struct
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from philidor.core.config import Dataclass
from philidor.core.errors import RunError
from philidor.core.runs import Run, write_atomic
from philidor.core.toml import config_from_toml
from philidor.nets.nnue import ARCHITECTURES
from philidor.train.games_config import GamesRecipe
from philidor.train.nnue_config import NnueTrainingConfig
from philidor.train.torch import games, loop
from philidor.train.torch.state import from_bytes, from_dict, read_fields, state_of, to_bytes, write_fields

MAX_BYTES = 48_000_000
MAX_PARTS = 6
# Magic, number of the part, number of parts, SHA-256 of all parts' content.
_PART = struct.Struct("<8sII32s")
_MAGIC = b"\x89PHST\r\n\x1a"

Fields = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Kind:
    """What runs that can be packed differ in."""

    config: type[Dataclass]
    checkpoint: str
    check: Callable[[Fields, Path], None]
    """Refuses what is no state of such a run. Raises RunError."""


def _check_nnue(fields: Fields, path: Path) -> None:
    shape = from_dict(fields, path).shape
    if shape not in ARCHITECTURES:
        raise RunError(f"{str(path)!r} trains a network of {shape}, which is not packed")


def _check_games(fields: Fields, path: Path) -> None:
    if not {"model", "average", "optimizer", "step", "stream"} <= set(fields):
        raise RunError(f"{str(path)!r} is no state of a training on games")


_NNUE = _Kind(NnueTrainingConfig, loop.CHECKPOINT, _check_nnue)
_GAMES = _Kind(GamesRecipe, games.CHECKPOINT, _check_games)


def _kind(config: str) -> _Kind:
    """Returns what kind of run a config is of."""
    try:
        return _GAMES if tomllib.loads(config).get("teacher") == "games" else _NNUE
    except (ValueError, RecursionError) as error:
        raise RunError(f"the run has a config that is no TOML: {error}") from None


def pack_run(run: Run, folder: Path, *, limit: int = MAX_BYTES) -> str:
    """Packs a run's config and state into at most six files; says what had to be left out. Raises RunError."""
    config = run.config_path.read_text(encoding="utf-8")
    kind = _kind(config)
    checkpoint = run.checkpoints / kind.checkpoint
    fields = read_fields(checkpoint, torch.device("cpu"))
    kind.check(fields, checkpoint)
    for words, reduce in _LEVELS:
        content = to_bytes({"config": config, **reduce(fields)})
        if len(content) + MAX_PARTS * _PART.size <= limit:
            _write_parts(content, folder, limit // MAX_PARTS)
            return words
    raise RunError(f"the state takes {len(content):,} bytes even with half weights, not {limit:,}")


def unpack_run(folder: Path, out: Path) -> Run:
    """Makes a run folder from packed files. Raises RunError if they are incomplete, altered or not of one pack."""
    packed = from_bytes(_read_parts(folder), folder, torch.device("cpu"))
    config = str(packed.pop("config", ""))
    kind = _kind(config)
    kind.check(packed, folder)
    run = Run.create(out.name, config_from_toml(kind.config, config), out.parent)
    write_fields(packed, run.checkpoints / kind.checkpoint)
    return run


def round_moments(path: Path) -> None:
    """Rounds an optimizer's moments in a saved state to 16 bits, in place. Raises RunError."""
    fields = read_fields(path, torch.device("cpu"))
    with state_of(path):
        for moments in fields["optimizer"]["state"].values():
            for name in ("exp_avg", "exp_avg_sq", "momentum_buffer"):
                if moments.get(name) is not None:
                    moments[name] = moments[name].bfloat16()
    write_fields(fields, path)


def _as_is(fields: Fields) -> Fields:
    return fields


def _with_short_moments(fields: Fields) -> Fields:
    """Moments are tiny and only steer: the range of a float matters, its digits do not."""
    if fields["optimizer"] is None:
        return fields
    moments = {
        number: {name: value.bfloat16() if name.startswith("exp_avg") else value for name, value in one.items()}
        for number, one in fields["optimizer"]["state"].items()
    }
    return {**fields, "optimizer": {**fields["optimizer"], "state": moments}}


def _without_moments(fields: Fields) -> Fields:
    return {**fields, "optimizer": None}


def _with_short_weights(fields: Fields) -> Fields:
    weights = {name: fields[name] for name in ("model", "average") if fields.get(name) is not None}
    short = {
        name: {key: tensor.half() if tensor.is_floating_point() else tensor for key, tensor in each.items()}
        for name, each in weights.items()
    }
    return {**fields, **short, "optimizer": None}


_LEVELS: tuple[tuple[str, Callable[[Fields], Fields]], ...] = (
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
