"""Fills a run folder with self-play games, on all cores, and goes on where a run was left."""

from __future__ import annotations

import os
from collections.abc import Callable

from philidor.core.runs import Run
from philidor.selfplay.engine_games import EngineGamesConfig, GameMaker
from philidor.selfplay.shards import Progress, Shard, fill, fill_all, shards_of


def make_games(
    run: Run,
    config: EngineGamesConfig,
    games: int,
    *,
    workers: int,
    report: Callable[[Progress], None] = lambda _: None,
    is_stopped: Callable[[], bool] = lambda: False,
    is_patient: bool = False,
) -> Progress:
    """Plays the games that the run still lacks to have so many, or until `is_stopped`.

    Patient games take only the time that nothing else on the machine wants.
    """
    config.player()  # what is wrong with the engine is said here, not by a worker
    return fill_all(
        run,
        shards_of(run.shards, games, config.shard_games),
        begin=_patient_maker if is_patient else GameMaker,
        argument=config,
        task=_play,
        workers=workers,
        report=report,
        is_stopped=is_stopped,
    )


def _patient_maker(config: EngineGamesConfig, is_stopped: Callable[[], bool]) -> GameMaker:
    if hasattr(os, "nice"):  # not on Windows
        os.nice(19)
    return GameMaker(config, is_stopped)


def _play(maker: GameMaker, shard: Shard) -> None:
    fill(shard, maker.game)
