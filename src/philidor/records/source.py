"""Files of games in: read in pieces so that memory stays flat, broken games skipped and counted."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from philidor.records.native import PgnReader, RecordBatch, SgfReader, from_native
from philidor.records.record import GameRecord
from philidor.records.streams import read_chunks

Chunks = Iterator[tuple[bytes, int]]
"""A file's bytes in pieces, each with how far the file was read."""


class GameSource(ABC):
    """Reads the games of one or more files, in order."""

    def __init__(self, paths: Sequence[str | Path], recoded: Callable[[Chunks], Chunks] = iter) -> None:
        """`recoded` makes of a file's plain bytes those that the reader is given."""
        self.paths = [Path(path) for path in paths]
        self._recoded = recoded
        self.games = 0
        self.plies = 0
        self.skipped: dict[str, int] = {}
        """Reason -> broken games."""
        self.first_problem: str | None = None
        """The first broken game, in words."""
        self.bytes_done = 0
        """How much of the (compressed) files has been read."""

    @abstractmethod
    def reader(self) -> PgnReader | SgfReader:
        """Makes a reader for the next file."""

    @property
    def bytes_total(self) -> int | None:
        """The size of all files; None if one of them is standard input."""
        if any(str(path) == "-" or not path.exists() for path in self.paths):
            return None
        return sum(path.stat().st_size for path in self.paths)

    def batches(self) -> Iterator[RecordBatch]:
        """Yields the games in bulk. Raises PgnError if a file cannot be read."""
        done_before = 0
        for path in self.paths:
            reader = self.reader()
            counted = _FileCounts(self, path)
            for chunk, position in self._recoded(read_chunks(path)):
                batch = reader.feed(chunk)
                self.bytes_done = done_before + position
                counted.update(reader)
                yield batch
            batch = reader.finish()
            counted.update(reader)
            done_before = self.bytes_done
            yield batch

    def __iter__(self) -> Iterator[GameRecord]:
        for batch in self.batches():
            for index in range(len(batch)):
                yield from_native(batch[index])


class _FileCounts:
    """Adds one file's counts to those of all files."""

    def __init__(self, source: GameSource, path: Path) -> None:
        self._source, self._path = source, path
        self._games, self._plies, self._skipped = source.games, source.plies, dict(source.skipped)

    def update(self, reader: PgnReader | SgfReader) -> None:
        """Takes over what the reader of this file has counted so far."""
        source = self._source
        source.games = self._games + reader.games
        source.plies = self._plies + reader.plies
        skipped = reader.skipped
        source.skipped = {
            reason: self._skipped.get(reason, 0) + skipped.get(reason, 0) for reason in self._skipped | skipped
        }
        if source.first_problem is None and reader.first_problem:
            source.first_problem = f"{self._path.name}: {reader.first_problem}"
