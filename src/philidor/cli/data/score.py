"""`philidor data score`: scores of an engine for games that are there already."""

from __future__ import annotations

import os
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
    as_json: AsJson = False,
) -> None:
    """Has an engine judge the positions of games; its scores take the place of those that were there."""
    from philidor.cli.data.options import progress, progress_facts
    from philidor.core.runs import Run, no_empty_run
    from philidor.selfplay.scoring import score_games

    chosen = from_dict(ScoringConfig, {**to_dict(config), "files": tuple(file.absolute() for file in files)})
    with no_empty_run(out):
        run = Run.resume_or_create(out.name, chosen, out.absolute().parent)
        is_late = time_limit(minutes)
        with stop_signals() as is_stopped, progress("scoring", None) as meter:

            def show(now: Progress) -> None:
                meter.update(now.games, now.new_games, total=now.total)

            cores = workers or os.cpu_count() or 1
            end = score_games(run, chosen, workers=cores, report=show, is_stopped=lambda: is_stopped() or is_late())
    words = f"{end.games:,} of {end.total:,} games in {run.shards} ({end.new_games:,} new, {end.speed:.1f} a second)"
    give(progress_facts(run.shards, end), words, as_json=as_json)
    if is_stopped():
        say_stopped(as_json=as_json)
    if end.games < end.total:
        say("time is up; the same command continues", as_json=as_json)
