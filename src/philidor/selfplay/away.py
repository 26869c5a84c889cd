"""Shards filled by workers that see no disk of ours: games come back as bytes, and are written here in their order."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from philidor.core.processes import Pool
from philidor.records import GameRecord, RecordReader
from philidor.selfplay.shard_files import ShardWriter, games_in_file
from philidor.selfplay.shards import Shard

_GAMES = 16
"""Games that are played and sent at a time."""
_POLL_S = 0.1


@dataclass(frozen=True, slots=True)
class Span:
    """Some games of a shard."""

    first: int
    count: int


class Maker(Protocol):
    """Whoever plays a game by its number."""

    def game(self, number: int) -> GameRecord | None:
        """Plays it; None if it was told to stop."""


def play_span(maker: Maker, span: Span) -> bytes:
    """Plays games, on a worker's machine; returns a record file, which has fewer if it was told to stop."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.rec"
        with ShardWriter(path, "chess") as file:
            for number in range(span.first, span.first + span.count):
                if (record := maker.game(number)) is None:
                    break
                file.add(record)
        return path.read_bytes()


class Shelf:
    """The shards of a run, and what came for each before its turn."""

    def __init__(self, shards: Sequence[Shard]) -> None:
        self._shards = shards
        self._early: dict[int, bytes] = {}

    def spans(self) -> Iterator[Span]:
        """Yields what is missing, in order."""
        for shard in self._shards:
            there = games_in_file(shard.path, with_torn=True)
            for first in range(there, shard.games, _GAMES):
                yield Span(shard.first + first, min(_GAMES, shard.games - first))

    def put(self, span: Span, games: bytes) -> None:
        """Keeps games; those whose predecessors are here too are written and synced."""
        self._early[span.first] = games
        shard = next(each for each in self._shards if each.first <= span.first < each.first + each.games)
        while (data := self._early.pop(shard.first + games_in_file(shard.path), None)) is not None:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "games.rec"
                path.write_bytes(data)
                with RecordReader(path) as reader, ShardWriter(shard.path, "chess") as file:
                    for batch in reader.batches():
                        file.add_batch(batch)


def fill_away(
    shards: Sequence[Shard],
    pool: Pool,
    workers: int,
    report: Callable[[], None],
    is_stopped: Callable[[], bool],
) -> None:
    """Fills shards by workers that hold a `Maker`; at most two spans for each are under way."""
    shelf = Shelf(shards)
    spans = shelf.spans()
    waiting: dict[Future[Any], Span] = {}
    while not is_stopped():
        while len(waiting) < 2 * workers and (span := next(spans, None)) is not None:
            waiting[pool.submit(play_span, span)] = span
        if not waiting:
            return
        done, _ = wait(waiting, timeout=_POLL_S, return_when=FIRST_COMPLETED)
        for future in done:
            shelf.put(waiting.pop(future), future.result())
        if done:
            report()
