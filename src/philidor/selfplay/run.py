"""Fills a run folder with self-play games, on all cores, and goes on where a run was left."""

from __future__ import annotations

import contextlib
import hashlib
import multiprocessing
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from philidor.core.processes import BeginPool, Processes
from philidor.core.runs import Run
from philidor.players.bench import run_bench
from philidor.players.engine import EnginePlayer
from philidor.selfplay.away import fill_away, play_span
from philidor.selfplay.engine_games import EngineGamesConfig, GameMaker
from philidor.selfplay.shards import Progress, Shard, fill, fill_all, shards_of

_BENCH_DEPTH = 8


@dataclass(frozen=True, slots=True)
class _Work:
    """What a worker process is told."""

    config: EngineGamesConfig
    source: str
    is_patient: bool


def make_games(
    run: Run,
    config: EngineGamesConfig,
    games: int,
    *,
    workers: int,
    report: Callable[[Progress], None] = lambda _: None,
    is_stopped: Callable[[], bool] = lambda: False,
    is_patient: bool = False,
    begin_pool: BeginPool | None = None,
) -> Progress:
    """Plays the games that the run still lacks to have so many, or until `is_stopped`.

    Patient games take only the time that nothing else on the machine wants. `begin_pool` makes workers on other
    machines, whose games come back as they are played.
    """
    # What is wrong with the engine or the book is said here, not by a worker.
    GameMaker(config)

    def must_stop() -> bool:
        if not is_stopped():
            return False
        if is_patient:
            _hurry_workers()
        return True

    return fill_all(
        run,
        shards_of(run.shards, games, config.shard_games),
        begin=_begin,
        argument=_Work(config, source_of(config), is_patient),
        task=_play,
        workers=workers,
        report=report,
        is_stopped=must_stop,
        begin_pool=begin_pool or Processes,
        fill_by=None if begin_pool is None else partial(fill_away, play_span),
    )


def source_of(config: EngineGamesConfig) -> str:
    """Returns who plays, in words that travel with each game: engine, network, limits, and the search's signature.

    `bench8` is what `philidor bench --depth 8` counts: it changes when, and only when, the search or the network does.
    """
    player: object = config.player()
    facts: dict[str, object] = {"engine": config.engine, "nodes": config.nodes, "depth": config.depth}
    for setting in config.settings:
        name, _, value = setting.partition("=")
        facts[name] = Path(value).name if name == "net" else value
    if isinstance(player, EnginePlayer):
        if (net := getattr(player.config, "net", None)) is not None:
            facts |= _network_facts(net)
        player.config = replace(player.config, hash=16, threads=1)  # as the bench has them
        facts["bench8"] = run_bench(player, _BENCH_DEPTH).nodes
    return " ".join(["self-play", *(f"{name}={value}" for name, value in facts.items() if value is not None)])


def _network_facts(net: Path) -> dict[str, str]:
    from philidor.nets.shipped import find_net

    path = find_net(net)
    return {"net": path.name, "net_sha256": hashlib.sha256(path.read_bytes()).hexdigest()[:16]}


def _begin(work: _Work, is_stopped: Callable[[], bool]) -> GameMaker:
    if work.is_patient:
        _yield_to_others()
    return GameMaker(work.config, is_stopped, work.source)


def _yield_to_others() -> None:
    """Gives this process what nobody else wants: the lowest priority, and on Linux the class below all priorities."""
    if hasattr(os, "nice"):  # not on Windows
        os.nice(19)
    if hasattr(os, "SCHED_IDLE"):
        with contextlib.suppress(OSError):  # a container may forbid it
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def _hurry_workers() -> None:
    """Lets patient workers hear an order to stop, which on a busy machine they might not for long.

    Where that takes a right that we do not have, they end when they get to it.
    """
    if not hasattr(os, "SCHED_IDLE"):
        return
    for child in multiprocessing.active_children():
        for thread in Path(f"/proc/{child.pid}/task").glob("*"):
            with contextlib.suppress(OSError):
                os.sched_setscheduler(int(thread.name), os.SCHED_OTHER, os.sched_param(0))
                os.setpriority(os.PRIO_PROCESS, int(thread.name), os.getpriority(os.PRIO_PROCESS, 0))


def _play(maker: GameMaker, shard: Shard) -> None:
    fill(shard, maker.game)
