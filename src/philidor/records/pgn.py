"""PGN files in: games with every move checked, read in pieces so that memory stays flat."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from philidor.core.errors import ArgumentError, PgnError
from philidor.records.native import PgnReader, RecordBatch, from_native
from philidor.records.record import GameRecord
from philidor.records.streams import read_chunks

KEPT_TAGS = ("Date", "White", "Black", "TimeControl", "Variant")
"""The tags that `GameRecord.tags` keeps unless told otherwise."""


class PgnSource:
    """Reads the games of one or more PGN files, in order. Broken games are skipped and counted.

    `tags` names the tags to keep beside event, result, ratings, termination and start position; ("*",) keeps all.
    `evals` says whose view comments like {0.60/33} take: White's (TCEC, CCC) or the mover's (cutechess).
    """

    def __init__(
        self,
        paths: Sequence[str | Path],
        *,
        tags: Sequence[str] = KEPT_TAGS,
        evals: Literal["white", "mover"] = "white",
        annotations: bool = True,
    ) -> None:
        self.paths = [Path(path) for path in paths]
        self._tags, self._evals, self._annotations = list(tags), evals, annotations
        self.games = 0
        self.plies = 0
        self.skipped: dict[str, int] = {}
        """Reason -> broken games."""
        self.first_problem: str | None = None
        """The first broken game, in words."""
        self.bytes_done = 0
        """How much of the (compressed) files has been read."""

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
            reader = PgnReader(self._evals == "mover", self._annotations, self._tags)
            counted = _FileCounts(self, path)
            for chunk, position in read_chunks(path):
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

    def __init__(self, source: PgnSource, path: Path) -> None:
        self._source, self._path = source, path
        self._games, self._plies, self._skipped = source.games, source.plies, dict(source.skipped)

    def update(self, reader: PgnReader) -> None:
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


def read_pgn(
    path: str | Path, *, tags: Sequence[str] = KEPT_TAGS, evals: Literal["white", "mover"] = "white"
) -> Iterator[GameRecord]:
    """Yields the games of a PGN file, plain or compressed; broken ones are left out (`PgnSource` counts them)."""
    yield from PgnSource([path], tags=tags, evals=evals)


def parse_pgn(text: str, *, tags: Sequence[str] = ("*",)) -> GameRecord:
    """Returns the first game of a PGN text, such as a person pastes. Raises PgnError."""
    if not isinstance(text, str):
        raise ArgumentError("PGN text (a str)", text)
    reader = PgnReader(False, True, list(tags))
    batches = [reader.feed(text.encode("utf-8", "replace")), reader.finish()]
    # The reader goes on after a broken game, but who pastes two games means the first.
    if reader.first_problem:
        raise PgnError(reader.first_problem)
    games = [from_native(batch[0]) for batch in batches if len(batch)]
    if not games or not (games[0].indices or games[0].start):
        raise PgnError("there is no game in this PGN")
    return games[0]
