"""`philidor data selfplay`: games of an engine against itself, with scores."""

from __future__ import annotations

import os
from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated

import typer

from philidor.cli.arguments import AsJson, Minutes, RunFolder, Workers, give, say_stopped, stop_signals, time_limit
from philidor.cli.cluster import Cluster, check_cluster, workers_on
from philidor.cli.options import with_config
from philidor.selfplay.engine_games import EngineGamesConfig

if TYPE_CHECKING:
    from philidor.selfplay.shards import Progress


@with_config(EngineGamesConfig)
def selfplay(
    config: EngineGamesConfig,
    out: RunFolder,
    games: Annotated[int, typer.Option(min=1, help="Games of the run in all, earlier ones included.")] = 10_000,
    minutes: Minutes = None,
    workers: Workers = None,
    idle: Annotated[bool, typer.Option("--idle", help="Take only the time that no other program wants.")] = False,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Lets an engine play itself from random openings; every move is kept with its score, for training."""
    from philidor.cli.data.options import progress, progress_facts
    from philidor.core.runs import Run, no_empty_run
    from philidor.selfplay.run import make_games

    is_late = time_limit(minutes)
    if cluster is not None:
        check_cluster(cluster)
    with ExitStack() as stack:
        stack.enter_context(no_empty_run(out))
        begin_pool, there = stack.enter_context(workers_on(cluster)) if cluster is not None else (None, os.cpu_count())
        run = Run.resume_or_create(out.name, config, out.parent)
        with stop_signals() as is_stopped, progress("self-play", games) as meter:

            def show(now: Progress) -> None:
                meter.update(now.games, now.new_games)

            cores = workers or there or 1
            end = make_games(
                run,
                config,
                games,
                workers=cores,
                report=show,
                is_stopped=lambda: is_stopped() or is_late(),
                is_patient=idle,
                begin_pool=begin_pool,
            )
    words = f"{end.games:,} games in {run.shards} ({end.new_games:,} new, {end.speed:.1f} a second)"
    give(progress_facts(run.shards, end), words, as_json=as_json)
    if is_stopped():
        say_stopped(as_json=as_json)
