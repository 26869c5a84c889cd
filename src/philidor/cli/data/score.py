"""`philidor data score`: scores of an engine for games that are there already."""

from __future__ import annotations

import os
from contextlib import ExitStack
from typing import TYPE_CHECKING

from philidor.cli.arguments import (
    AsJson,
    Minutes,
    RunFolder,
    Workers,
    give,
    say,
    say_stopped,
    stop_signals,
    time_limit,
)
from philidor.cli.cluster import Cluster, check_cluster, workers_on
from philidor.cli.data.options import Inputs
from philidor.cli.options import with_config
from philidor.core.config import from_dict, to_dict
from philidor.selfplay.scoring import ScoringConfig, ScoringSettings

if TYPE_CHECKING:
    from philidor.selfplay.shards import Progress


@with_config(ScoringSettings)
def score(
    config: ScoringSettings,
    files: Inputs,
    out: RunFolder,
    minutes: Minutes = None,
    workers: Workers = None,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Has an engine judge the positions of games; its scores take the place of those that were there."""
    from philidor.cli.data.options import progress, progress_facts
    from philidor.core.runs import Run, no_empty_run
    from philidor.selfplay.scoring import score_games

    chosen = from_dict(ScoringConfig, {**to_dict(config), "files": tuple(file.absolute() for file in files)})
    is_late = time_limit(minutes)
    if cluster is not None:
        check_cluster(cluster)
    with ExitStack() as stack:
        stack.enter_context(no_empty_run(out))
        begin_pool, there = stack.enter_context(workers_on(cluster)) if cluster is not None else (None, os.cpu_count())
        run = Run.resume_or_create(out.name, chosen, out.absolute().parent)
        with stop_signals() as is_stopped, progress("scoring", None) as meter:

            def show(now: Progress) -> None:
                meter.update(now.games, now.new_games, total=now.total)

            end = score_games(
                run,
                chosen,
                workers=workers or there or 1,
                report=show,
                is_stopped=lambda: is_stopped() or is_late(),
                begin_pool=begin_pool,
            )
    words = f"{end.games:,} of {end.total:,} games in {run.shards} ({end.new_games:,} new, {end.speed:.1f} a second)"
    give(progress_facts(run.shards, end), words, as_json=as_json)
    if is_stopped():
        say_stopped(as_json=as_json)
    if end.games < end.total:
        say("time is up; the same command continues", as_json=as_json)
