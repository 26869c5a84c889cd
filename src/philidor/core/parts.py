"""A folder's files in parts of limited size, to travel: one compressed stream, cut, with a checksum over all of it."""

from __future__ import annotations

import hashlib
import io
import struct
import tarfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, cast

from philidor.core.errors import RunError
from philidor.core.runs import write_atomic

PART_BYTES = 15_000_000
"""Largest size of a part."""
# Magic, number of the part, number of parts, SHA-256 of all parts' content.
_HEAD = struct.Struct("<8sII32s")
_MAGIC = b"\x89PHRN\r\n\x1a"


def is_packed(folder: Path) -> bool:
    """Says whether there are parts in a folder."""
    return any(path.read_bytes()[: len(_MAGIC)] == _MAGIC for path in sorted(folder.glob("*.part"))[:1])


def write_parts(files: Mapping[str, Path | bytes], folder: Path, *, limit: int = PART_BYTES) -> list[Path]:
    """Packs files by the names they will have; returns the parts. Raises RunError."""
    room = limit - _HEAD.size
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("*.part"):
            old.unlink()
        stream = _Cut(folder, room)
        with tarfile.open(fileobj=cast("Any", stream), mode="w|gz") as archive:
            for name, source in files.items():
                _add(archive, name, source)
        return stream.finish()
    except OSError as error:
        raise RunError(f"cannot write {str(folder)!r}: {error.strerror or error}") from None


def _add(archive: tarfile.TarFile, name: str, source: Path | bytes) -> None:
    # Neither owner nor time: nothing of this machine travels along.
    data = source if isinstance(source, bytes) else source.read_bytes()
    entry = tarfile.TarInfo(name)
    entry.size = len(data)
    archive.addfile(entry, io.BytesIO(data))


class _Cut:
    """Takes a stream and leaves files of so many bytes; their heads are written when all is known."""

    def __init__(self, folder: Path, room: int) -> None:
        self._folder, self._room = folder, room
        self._buffer = bytearray()
        self._digest = hashlib.sha256()
        self._count = 0

    def write(self, data: bytes) -> int:
        """Takes a piece."""
        self._buffer += data
        while len(self._buffer) >= self._room:
            self._flush(self._room)
        return len(data)

    def _flush(self, size: int) -> None:
        piece = bytes(self._buffer[:size])
        del self._buffer[:size]
        self._digest.update(piece)
        write_atomic(self._folder / f".{self._count:03d}.piece", piece)
        self._count += 1

    def finish(self) -> list[Path]:
        """Writes the parts."""
        if self._buffer or not self._count:
            self._flush(len(self._buffer))
        parts = []
        for number in range(self._count):
            piece = self._folder / f".{number:03d}.piece"
            head = _HEAD.pack(_MAGIC, number, self._count, self._digest.digest())
            parts.append(self._folder / f"run-{number:03d}.part")
            write_atomic(parts[-1], head + piece.read_bytes())
            piece.unlink()
        return parts


def read_parts(folder: Path, out: Path) -> None:
    """Writes packed files into a folder. Raises RunError if parts are missing, altered or not of one pack."""
    pieces = _pieces(folder)
    with tarfile.open(fileobj=io.BytesIO(b"".join(pieces)), mode="r:gz") as archive:
        try:
            archive.extractall(out, filter="data")
        except (tarfile.TarError, OSError) as error:
            raise RunError(f"cannot unpack {str(folder)!r} into {str(out)!r}: {error}") from None


def _pieces(folder: Path) -> Iterable[bytes]:
    found: dict[int, bytes] = {}
    packs: set[tuple[int, bytes]] = set()
    for path in sorted(folder.glob("*.part")):
        data = path.read_bytes()
        if len(data) < _HEAD.size or not data.startswith(_MAGIC):
            raise RunError(f"{str(path)!r} is no part of a packed run")
        _, number, count, digest = _HEAD.unpack_from(data)
        packs.add((count, digest))
        found[number] = data[_HEAD.size :]
    if len(packs) != 1:
        words = "no part" if not packs else f"parts of {len(packs)} runs"
        raise RunError(f"expected the parts of one packed run in {str(folder)!r}, found {words}")
    count, digest = packs.pop()
    if missing := sorted(set(range(count)) - set(found)):
        raise RunError(f"{str(folder)!r} lacks part {missing[0]} of {count} (run-{missing[0]:03d}.part)")
    pieces = [found[number] for number in range(count)]
    if hashlib.sha256(b"".join(pieces)).digest() != digest:
        raise RunError(f"the parts in {str(folder)!r} are altered or cut off")
    return pieces
