"""Work that fills record files on all cores: it goes on where it was left, and a kill costs the last few games."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from philidor.core.errors import RunError
from philidor.core.processes import BeginPool, Pool, Processes
from philidor.core.runs import Run
from philidor.records import GameRecord
from philidor.selfplay.shard_files import ShardWriter, games_in_file, shard_path

# How often the shards are counted while nothing is finished, and how soon an order to stop is heard.
_REPORT_S, _POLL_S = 1.0, 0.1
_FLUSH_EVERY = 16
"""Games after which a shard is made safe: what a kill can cost."""


@dataclass(frozen=True, slots=True)
class Shard:
    """A file of games: those from number `first` on."""

    path: Path
    first: int
    games: int
    source: Path | None = None
    """The file they are numbered in; none where the games are new."""


Filler = Callable[[Sequence[Shard], Pool, int, Callable[[], None], Callable[[], bool]], None]
"""Fills shards by workers: how many, whom to report to, when to stop."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is."""

    games: int
    total: int
    seconds: float
    """Since this call began; games from before it are not this call's work."""
    new_games: int

    @property
    def speed(self) -> float:
        """Games a second."""
        return self.new_games / self.seconds if self.seconds > 0 else 0.0


def shards_of(folder: Path, games: int, size: int, *, prefix: str = "", source: Path | None = None) -> list[Shard]:
    """Returns the files that so many games fill, `size` in each."""
    return [
        Shard(shard_path(folder, number, prefix), first, min(size, games - first), source)
        for number, first in enumerate(range(0, games, size))
    ]


def fill(shard: Shard, game: Callable[[int], GameRecord | None]) -> None:
    """Adds what a shard lacks, until it is full or `game` has no more to give. Raises RunError."""
    try:
        with ShardWriter(shard.path, "chess") as file:
            while file.games < shard.games and (record := game(shard.first + file.games)) is not None:
                file.add(record)
                if file.games % _FLUSH_EVERY == 0:
                    file.flush()
    except OSError as error:
        raise RunError(f"cannot write {str(shard.path)!r}: {error.strerror}") from None


def fill_all(
    run: Run,
    shards: Sequence[Shard],
    *,
    begin: Callable[[Any, Callable[[], bool]], Any],
    argument: Any,
    task: Callable[[Any, Shard], None],
    workers: int,
    report: Callable[[Progress], None] = lambda _: None,
    is_stopped: Callable[[], bool] = lambda: False,
    begin_pool: BeginPool = Processes,
    fill_by: Filler | None = None,
) -> Progress:
    """Fills shards, each by one worker process that `begin(argument, is_stopped)` has made.

    `begin_pool` makes the workers; `fill_by` has them do something else than `task` where they see other disks.
    Ends early when `is_stopped` says so. Then, and after a KeyboardInterrupt, all games that were finished are kept.
    Raises RunError if a worker dies.
    """
    count = _Counter(shards)
    before = count.games()
    began = time.perf_counter()

    def progress() -> Progress:
        done = count.games()
        return Progress(done, sum(shard.games for shard in shards), time.perf_counter() - began, done - before)

    if (todo := count.unfinished()) and not is_stopped():
        processes = begin_pool(begin, argument, workers if fill_by is not None else min(workers, len(todo)))
        try:
            if fill_by is not None:
                fill_by(todo, processes, workers, lambda: report(progress()), is_stopped)
            else:
                waiting = {processes.submit(task, shard) for shard in todo}
                _wait_for(waiting, lambda: report(progress()), is_stopped)
        except BrokenProcessPool:
            # A kill of the whole group of processes ends the workers too; then that is all it means.
            if not is_stopped():
                message = "a worker process died; the games that were finished are kept, run again to go on"
                raise RunError(message) from None
        finally:
            processes.close()
    end = progress()
    run.log({"games": end.games, "new_games": end.new_games, "seconds": round(end.seconds, 2)})
    report(end)
    return end


def _wait_for(futures: set[Future[None]], report: Callable[[], None], is_stopped: Callable[[], bool]) -> None:
    reported = time.monotonic()
    while futures and not is_stopped():
        done, futures = wait(futures, timeout=_POLL_S, return_when=FIRST_COMPLETED)
        for future in done:
            future.result()
        if done or time.monotonic() - reported >= _REPORT_S:
            report()
            reported = time.monotonic()


class _Counter:
    """Counts games; files that are full are not opened again."""

    def __init__(self, shards: Sequence[Shard]) -> None:
        self._open = list(shards)
        self._full = 0

    def games(self) -> int:
        counts = {shard: games_in_file(shard.path) for shard in self._open}
        self._full += sum(count for shard, count in counts.items() if count >= shard.games)
        self._open = [shard for shard, count in counts.items() if count < shard.games]
        return self._full + sum(counts[shard] for shard in self._open)

    def unfinished(self) -> list[Shard]:
        return list(self._open)
