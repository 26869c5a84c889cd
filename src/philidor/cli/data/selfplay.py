"""`philidor data selfplay`: games of an engine against itself, with scores."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from philidor.cli.arguments import AsJson, Minutes, RunFolder, Workers, give, say_stopped, stop_signals, time_limit
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
    as_json: AsJson = False,
) -> None:
    """Lets an engine play itself from random openings; every move is kept with its score, for training."""
    from philidor.cli.data.options import progress, progress_facts
    from philidor.core.runs import Run, no_empty_run
    from philidor.selfplay.run import make_games

    is_late = time_limit(minutes)
    with no_empty_run(out):
        run = Run.resume_or_create(out.name, config, out.parent)
        with stop_signals() as is_stopped, progress("self-play", games) as meter:

            def show(now: Progress) -> None:
                meter.update(now.games, now.new_games)

            cores = workers or os.cpu_count() or 1
            end = make_games(
                run,
                config,
                games,
                workers=cores,
                report=show,
                is_stopped=lambda: is_stopped() or is_late(),
                is_patient=idle,
            )
    words = f"{end.games:,} games in {run.shards} ({end.new_games:,} new, {end.speed:.1f} a second)"
    give(progress_facts(run.shards, end), words, as_json=as_json)
    if is_stopped():
        say_stopped(as_json=as_json)
