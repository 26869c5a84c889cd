"""Fills a run folder with self-play games, on all cores, and goes on where a run was left."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass

from philidor.core.processes import Processes
from philidor.core.runs import Run
from philidor.selfplay.engine_games import EngineGamesConfig, GameMaker, Shard, fill, games_in_file

# How often the shards are counted while nothing is finished.
_POLL_S = 1.0


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


def shards_of(run: Run, config: EngineGamesConfig, games: int) -> list[Shard]:
    """Returns the files that so many games fill."""
    size = config.shard_games
    return [
        Shard(run.shards / f"{number:06d}.rec", first, min(size, games - first))
        for number, first in enumerate(range(0, games, size))
    ]


def make_games(
    run: Run,
    config: EngineGamesConfig,
    games: int,
    *,
    workers: int,
    report: Callable[[Progress], None] = lambda _: None,
) -> Progress:
    """Plays the games that the run still lacks to have so many.

    Stopped by KeyboardInterrupt it keeps all that were finished; so it does, but for the last few, when it is killed.
    """
    shards = shards_of(run, config, games)
    before = sum(games_in_file(shard.path) for shard in shards)
    began = time.perf_counter()

    def progress() -> Progress:
        done = sum(games_in_file(shard.path) for shard in shards)
        return Progress(done, games, time.perf_counter() - began, done - before)

    todo = [shard for shard in shards if games_in_file(shard.path) < shard.games]
    config.player()  # what is wrong with the engine is said here, not by a worker
    if todo:
        processes = Processes(GameMaker, config, min(workers, len(todo)))
        try:
            _wait_for({processes.submit(fill, shard) for shard in todo}, lambda: report(progress()))
        finally:
            processes.close()
    end = progress()
    run.log({"games": end.games, "new_games": end.new_games, "seconds": round(end.seconds, 2)})
    report(end)
    return end


def _wait_for(futures: set[Future[None]], report: Callable[[], None]) -> None:
    while futures:
        done, futures = wait(futures, timeout=_POLL_S, return_when=FIRST_COMPLETED)
        for future in done:
            future.result()
        report()
