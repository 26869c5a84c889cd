"""Shards filled by workers that see no disk of ours: games come back as bytes, and are written here in their order.

Where a shard is made from games of a file, those travel with the order.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from philidor.core.processes import Pool
from philidor.records import GameRecord, RecordReader
from philidor.selfplay.shard_files import ShardWriter, games_in_file
from philidor.selfplay.shards import Shard

_GAMES = 16
"""Games that are made and sent at a time."""
_POLL_S = 0.1


@dataclass(frozen=True, slots=True)
class Span:
    """Some games of a shard."""

    shard: int
    """The shard's place in the run; the numbers of games begin again with each file they are made from."""
    numbers: range
    given: tuple[GameRecord, ...] = ()
    """The games with these numbers in the shard's source; empty where the games are new."""


class Maker(Protocol):
    """Whoever plays a game by its number."""

    def game(self, number: int) -> GameRecord | None:
        """Plays it; None if it was told to stop."""


SpanTask = Callable[[Any, Span], bytes]
"""What a worker does with a span, on its own machine; returns a record file, as `record_file` makes it."""


def play_span(maker: Maker, span: Span) -> bytes:
    """Plays games."""
    return record_file(map(maker.game, span.numbers))


def record_file(games: Iterable[GameRecord | None]) -> bytes:
    """Returns a file of the games up to the first that is missing because the worker was told to stop."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.rec"
        with ShardWriter(path, "chess") as file:
            for record in games:
                if record is None:
                    break
                file.add(record)
        return path.read_bytes()


class Shelf:
    """The shards of a run, and what came for each before its turn."""

    def __init__(self, shards: Sequence[Shard]) -> None:
        self._shards = shards
        self._early: dict[tuple[int, int], bytes] = {}

    def spans(self) -> Iterator[Span]:
        """Yields what is missing, in order. Raises RecordError."""
        for place, shard in enumerate(self._shards):
            end = shard.first + shard.games
            with nullcontext() if shard.source is None else RecordReader(shard.source) as source:
                for first in range(self._next(shard), end, _GAMES):
                    numbers = range(first, min(first + _GAMES, end))
                    given = () if source is None else tuple(source[number] for number in numbers)
                    yield Span(place, numbers, given)

    def put(self, span: Span, games: bytes) -> None:
        """Keeps games; those whose predecessors are here too are written and synced."""
        self._early[span.shard, span.numbers.start] = games
        shard = self._shards[span.shard]
        while (data := self._early.pop((span.shard, self._next(shard)), None)) is not None:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "games.rec"
                path.write_bytes(data)
                with RecordReader(path) as reader, ShardWriter(shard.path, "chess") as file:
                    for batch in reader.batches():
                        file.add_batch(batch)

    @staticmethod
    def _next(shard: Shard) -> int:
        """Returns the number of the first game that is missing; the writer keeps what a kill left in a torn block."""
        return shard.first + games_in_file(shard.path, with_torn=True)


def fill_away(
    task: SpanTask,
    shards: Sequence[Shard],
    pool: Pool,
    workers: int,
    report: Callable[[], None],
    is_stopped: Callable[[], bool],
) -> None:
    """Fills shards by workers that hold what the task needs; at most two spans for each are under way."""
    shelf = Shelf(shards)
    spans = shelf.spans()
    waiting: dict[Future[Any], Span] = {}
    while not is_stopped():
        while len(waiting) < 2 * workers and (span := next(spans, None)) is not None:
            waiting[pool.submit(task, span)] = span
        if not waiting:
            return
        done, _ = wait(waiting, timeout=_POLL_S, return_when=FIRST_COMPLETED)
        for future in done:
            shelf.put(waiting.pop(future), future.result())
        if done:
            report()
