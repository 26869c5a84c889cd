"""Files of training positions, `.pos`: 32 bytes each, as the compiled core keeps them, so that files are used in place.

A file has the magic number, the number of positions that are held out, the number of the others, and the positions,
first those held out. Each part is in a random order, so that whoever reads some neighbors sees many games.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

from philidor.core.errors import RecordError
from philidor.core.runs import atomic_file
from philidor.records.reader import map_file
from philidor.train.native import PositionSet

SUFFIX = ".pos"
POSITION_BYTES = 32
_MAGIC = b"PHPOS\x00\x00\x01"
_HEADER = struct.Struct("<8sQQ8x")
# Orders of a file's two parts; any numbers would do.
_HELD_OUT_KEY, _TRAIN_KEY = 1, 2


def write_positions(path: Path, train: PositionSet, held_out: PositionSet) -> None:
    """Writes both sets, shuffled; the file appears only when it is whole. Raises RunError for a full disk."""
    with atomic_file(path) as file:
        file.write(_HEADER.pack(_MAGIC, len(held_out), len(train)))
        file.write(held_out.shuffled(_HELD_OUT_KEY))
        file.write(train.shuffled(_TRAIN_KEY))


def borrow_positions(path: Path, train: PositionSet, held_out: PositionSet, threads: int = 1) -> None:
    """Shows a file's positions to both sets; they stay on the disk until they are looked at. Raises RecordError."""
    mapped: Any = map_file(path)  # a buffer, as the compiled core takes it
    if len(mapped) < _HEADER.size or mapped[: len(_MAGIC)] != _MAGIC:
        raise RecordError(f"{str(path)!r} is no file of positions")
    _, held, others = _HEADER.unpack(mapped[: _HEADER.size])
    if len(mapped) != _HEADER.size + POSITION_BYTES * (held + others):
        raise RecordError(f"{str(path)!r} is cut off, or has more than it says: {len(mapped):,} bytes")
    try:
        held_out.borrow(mapped, _HEADER.size, held, threads)
        train.borrow(mapped, _HEADER.size + POSITION_BYTES * held, others, threads)
    except ValueError as error:
        raise RecordError(f"{str(path)!r} is damaged: {error}") from None
