"""SGF files of Go in and out: games with every move checked, by the simple ko rule and without suicide.

A record's moves are places among the legal ones, so they depend on the ko rule: what was read from SGF is a game of
"go,ko=simple". Handicap and komi are part of its start; the file's own properties are its tags, by their names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import final

from philidor.core.errors import ArgumentError, PgnError, RecordError
from philidor.games.go import Go
from philidor.records.charsets import utf8_chunks
from philidor.records.native import RecordBatch, SgfReader, batch_to_sgf, from_native, go_record_moves, to_native
from philidor.records.record import GameRecord
from philidor.records.source import GameSource

KEPT_TAGS = ("DT", "PB", "PW", "BR", "WR", "KM", "RU", "RE", "HA", "TM", "OT", "EV")
"""The properties that `GameRecord.tags` keeps unless told otherwise."""


@final
class SgfSource(GameSource):
    """Reads the games of one or more SGF files, in order; all have one size of board. Others are skipped and counted.

    `game` says the size; without it, it is that of the first good game. `tags` names the properties to keep; ("*",)
    keeps all of the root.
    """

    def __init__(self, paths: Sequence[str | Path], *, game: Go | None = None, tags: Sequence[str] = KEPT_TAGS) -> None:
        super().__init__(paths, utf8_chunks)
        self._size = (0, 0) if game is None else (game.grid.width, game.grid.height)
        self._tags = list(tags)
        self._reader: SgfReader | None = None

    def reader(self) -> SgfReader:
        """Makes a reader for the next file, for boards as in those before."""
        self._note_size()
        self._reader = SgfReader(*self._size, self._tags)
        return self._reader

    @property
    def game(self) -> Go | None:
        """The game of the records; None before the first good one if nobody said it."""
        self._note_size()
        return Go(*self._size, ko="simple") if self._size[0] else None

    def _note_size(self) -> None:
        if self._reader is not None and self._reader.width:
            self._size = (self._reader.width, self._reader.height)


def read_sgf(path: str | Path, *, tags: Sequence[str] = KEPT_TAGS) -> Iterator[GameRecord]:
    """Yields the games of an SGF file, plain or compressed; broken ones are left out (`SgfSource` counts them)."""
    yield from SgfSource([path], tags=tags)


def parse_sgf(text: str, *, tags: Sequence[str] = ("*",)) -> tuple[Go, GameRecord]:
    """Returns the first game of an SGF text, such as a person pastes, and its rules. Raises PgnError."""
    if not isinstance(text, str):
        raise ArgumentError("SGF text (a str)", text)
    reader = SgfReader(0, 0, list(tags))
    batches = [reader.feed(text.encode("utf-8", "replace")), reader.finish()]
    if reader.first_problem:
        raise PgnError(reader.first_problem)
    games = [from_native(batch[0]) for batch in batches if len(batch)]
    if not games:
        raise PgnError("there is no game in this SGF")
    return Go(reader.width, reader.height, ko="simple"), games[0]


def recorded_moves(record: GameRecord, game: Go) -> list[int]:
    """Returns a record's moves, faster than by replaying positions. Raises RecordError."""
    try:
        return go_record_moves(to_native(record), *_rules(game))
    except ValueError as error:
        raise RecordError(str(error)) from None


def write_sgf(record: GameRecord, game: Go) -> str:
    """Writes one game as a line of SGF. Raises RecordError."""
    batch = RecordBatch()
    batch.append(to_native(record))
    return batch_sgf(batch, game)


def batch_sgf(batch: RecordBatch, game: Go) -> str:
    """Writes games as lines of SGF. Raises RecordError."""
    try:
        return batch_to_sgf(batch, *_rules(game)).decode("utf-8", "replace")
    except ValueError as error:
        raise RecordError(str(error)) from None


def _rules(game: Go) -> tuple[int, int, str, bool, int]:
    return game.grid.width, game.grid.height, game.rules.ko, game.rules.suicide, game.max_plies
