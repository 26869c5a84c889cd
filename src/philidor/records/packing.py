"""Packed games: chess games with scores in about a third of what `.rec` takes, to travel between machines.

A pack is written once, in parts of a chosen size, and turned back into `.rec` where it arrives: moves, results and
texts as they were, scores rounded to steps of four centipawns. docs/records.md has the format.
"""

from __future__ import annotations

import struct
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from philidor.core.errors import RecordError
from philidor.core.runs import write_atomic
from philidor.records.native import RecordBatch, pack_records, unpack_records
from philidor.records.reader import RecordReader
from philidor.records.writer import RecordWriter

SUFFIX = ".pack"
_MAGIC = b"\x89PACK\r\n\x1a"
_VERSION = 1
_HEADER = struct.Struct("<8sHHIQ")  # magic, version, 0, sections, games; a CRC-32 of these follows
_SECTION = struct.Struct("<III")  # games, moves, size; a CRC-32 of these and of the bytes follows
_CHECKSUM = struct.Struct("<I")
# What is coded at once: enough to learn from, few enough for all cores and for small parts.
_SECTION_PLIES = 1 << 20
_MAX_SECTION_PLIES = 1 << 24

_In = TypeVar("_In")
_Out = TypeVar("_Out")


@dataclass(frozen=True, slots=True)
class Section:
    """Games that were packed together."""

    games: int
    plies: int
    data: bytes

    def encoded(self) -> bytes:
        """Returns the section as it stands in a file."""
        head = _SECTION.pack(self.games, self.plies, len(self.data))
        return head + _CHECKSUM.pack(zlib.crc32(self.data, zlib.crc32(head))) + self.data

    def unpacked(self) -> RecordBatch:
        """Returns the games. Raises RecordError."""
        try:
            return unpack_records(self.data, self.games, self.plies)
        except ValueError as error:
            raise RecordError(str(error)) from None


def pack(
    files: Sequence[Path],
    output: Path,
    *,
    part_bytes: int,
    threads: int = 1,
    report: Callable[[int], None] = lambda _: None,
) -> list[Path]:
    """Packs the games of `.rec` files into NAME-000.pack, NAME-001.pack, ..., each of at most `part_bytes`.

    `output` is NAME.pack. Parts that are there already are refused. Raises RecordError.
    """
    name = output.name.removesuffix(SUFFIX)
    if found := sorted(output.parent.glob(f"{name}-[0-9][0-9][0-9]{SUFFIX}")):
        raise RecordError(f"{str(found[0])!r} is there already")
    parts: list[Path] = []
    waiting: list[Section] = []
    size = _HEADER.size + _CHECKSUM.size
    games = 0

    def write() -> None:
        parts.append(output.with_name(f"{name}-{len(parts):03d}{SUFFIX}"))
        write_atomic(parts[-1], _encoded(waiting))
        waiting.clear()

    try:
        for section in _in_order(_packed, _batches(files), threads):
            more = len(section.encoded())
            if size + more > part_bytes:
                if not waiting:
                    raise RecordError(f"a part of {part_bytes:,} bytes is too small for {section.games:,} games")
                write()
                size = _HEADER.size + _CHECKSUM.size
            waiting.append(section)
            size += more
            games += section.games
            report(games)
        write()
    except BaseException:
        for part in parts:
            part.unlink(missing_ok=True)
        raise
    return parts


def unpack(path: Path, output: Path, *, threads: int = 1) -> int:
    """Turns one part into a `.rec` file and returns how many games it has. Raises RecordError if it is damaged."""
    sections = read_sections(path)
    try:
        with RecordWriter(output, "chess") as writer:
            for batch in _in_order(Section.unpacked, iter(sections), threads):
                writer.add_batch(batch)
    except RecordError as error:
        raise RecordError(f"{str(path)!r}: {error}") from None
    return writer.games


def read_sections(path: Path) -> list[Section]:
    """Returns what a file holds, its checksums tested. Raises RecordError."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RecordError(f"cannot read {str(path)!r}: {error.strerror}") from None

    def complain(what: str) -> RecordError:
        return RecordError(f"{str(path)!r}: {what}")

    at = _HEADER.size + _CHECKSUM.size
    if not data.startswith(_MAGIC) or len(data) < at:
        raise complain("not a file of packed games")
    _, version, _, count, games = _HEADER.unpack_from(data)
    if zlib.crc32(data[: _HEADER.size]) != _CHECKSUM.unpack_from(data, _HEADER.size)[0]:
        raise complain("the header is damaged")
    if version != _VERSION:
        raise complain(f"version {version} of packed games; this philidor reads version {_VERSION}")
    sections: list[Section] = []
    for number in range(1, count + 1):
        begin = at + _SECTION.size + _CHECKSUM.size
        if len(data) < begin:
            raise complain(f"it ends before section {number} of {count}")
        found, plies, size = _SECTION.unpack_from(data, at)
        checksum = zlib.crc32(data[begin : begin + size], zlib.crc32(data[at : at + _SECTION.size]))
        if len(data) < begin + size or checksum != _CHECKSUM.unpack_from(data, at + _SECTION.size)[0]:
            raise complain(f"section {number} of {count} is damaged")
        if plies > _MAX_SECTION_PLIES:
            raise complain(f"section {number} of {count} says that it has {plies:,} moves")
        sections.append(Section(found, plies, data[begin : begin + size]))
        at = begin + size
    if at != len(data) or sum(section.games for section in sections) != games:
        raise complain("it does not end with its last section")
    return sections


def _encoded(sections: Sequence[Section]) -> bytes:
    head = _HEADER.pack(_MAGIC, _VERSION, 0, len(sections), sum(section.games for section in sections))
    return b"".join([head, _CHECKSUM.pack(zlib.crc32(head)), *(section.encoded() for section in sections)])


def _packed(batch: RecordBatch) -> Section:
    try:
        return Section(len(batch), batch.plies, pack_records(batch))
    except ValueError as error:
        raise RecordError(str(error)) from None


def _batches(files: Sequence[Path]) -> Iterator[RecordBatch]:
    """Yields the games of all files in portions of about the size of a section."""
    portion, plies = RecordBatch(), 0
    for path in files:
        with RecordReader(path) as reader:
            if reader.game != "chess":
                raise RecordError(f"{str(path)!r} has games of {reader.game}; only chess games can be packed")
            reader.warn_of_losses()
            for batch in reader.batches():
                portion.extend(batch)
                plies += batch.plies
                if plies >= _SECTION_PLIES:
                    yield portion
                    portion, plies = RecordBatch(), 0
    if len(portion):
        yield portion


def _in_order(work: Callable[[_In], _Out], items: Iterator[_In], threads: int) -> Iterator[_Out]:
    """Yields the work's results in the order of the items; some items ahead are at work."""
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[Future[_Out]] = deque()
        try:
            for item in items:
                waiting.append(pool.submit(work, item))
                if len(waiting) > threads + 2:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
