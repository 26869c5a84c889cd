"""PGN files in: games with every move checked, read in pieces so that memory stays flat."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, final

from philidor.core.errors import ArgumentError, PgnError
from philidor.records.native import PgnReader, from_native
from philidor.records.record import GameRecord
from philidor.records.source import GameSource

KEPT_TAGS = ("Date", "White", "Black", "TimeControl", "Variant")
"""The tags that `GameRecord.tags` keeps unless told otherwise."""


@final
class PgnSource(GameSource):
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
        super().__init__(paths)
        self._tags, self._evals, self._annotations = list(tags), evals, annotations

    def reader(self) -> PgnReader:
        """Makes a reader for the next file."""
        return PgnReader(self._evals == "mover", self._annotations, self._tags)


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
