"""`philidor data positions`: files of positions for the training of NNUE networks."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from philidor.cli.arguments import (
    AsJson,
    Minutes,
    ReadingThreads,
    RunFolder,
    give,
    say,
    say_stopped,
    stop_signals,
    time_limit,
)
from philidor.cli.data.options import Inputs
from philidor.cli.options import with_config
from philidor.cli.train.torch_extra import torch_extra
from philidor.core.config import from_dict, to_dict
from philidor.core.cores import cores
from philidor.train.positions import PositionsConfig, PositionsRun

if TYPE_CHECKING:
    from philidor.train.positions import Written


@with_config(PositionsConfig)
def positions(
    config: PositionsConfig,
    files: Inputs,
    out: RunFolder,
    minutes: Minutes = None,
    threads: ReadingThreads = None,
    as_json: AsJson = False,
) -> None:
    """Writes the positions of games to files that `train nnue` reads; networks or searches may judge them."""
    from functools import partial

    from rich.console import Console

    from philidor.core.runs import Run, no_empty_run
    from philidor.train.positions import make_positions

    chosen = from_dict(PositionsRun, {**to_dict(config), "files": tuple(file.absolute() for file in files)})
    is_late = time_limit(minutes)
    workers = threads or cores()
    judge = None
    with no_empty_run(out), stop_signals() as is_asked, Console(stderr=True).status("reading games") as status:

        def is_stopped() -> bool:
            return is_asked() or is_late()

        if config.teacher:
            with torch_extra():
                from philidor.train.torch.devices import torch_device
                from philidor.train.torch.teacher import Teacher
            teacher = Teacher(config.teacher, torch_device(config.device), is_compiled=config.compile)
            judge = partial(
                teacher.judge,
                scale=config.score_scale,
                largest=config.positions.max_score,
                threads=workers,
                is_stopped=is_stopped,
            )
        elif config.engine:
            from philidor.train.searching import SearchTeacher

            searcher = SearchTeacher(config, largest=config.positions.max_score, threads=workers)
            judge = partial(searcher.judge, is_stopped=is_stopped)
        run = Run.resume_or_create(out.name, chosen, out.absolute().parent)
        began = time.monotonic()

        def show(now: Written) -> None:
            speed = now.positions / max(time.monotonic() - began, 1e-9)
            status.update(f"{now.games:,} games, {now.positions:,} new positions, {speed:,.0f} a second")

        end = make_positions(run, chosen, judge, threads=workers, report=show, is_stopped=is_stopped)
    seconds = time.monotonic() - began
    facts = {"files": end.files, "games": end.games, "new_positions": end.positions, "broken_games": end.broken_games}
    words = f"{end.games:,} games in {end.files} files in {run.shards} ({end.positions:,} new positions"
    speed = f", {end.positions / max(seconds, 1e-9):,.0f} a second)"
    give({**facts, "folder": str(run.shards), "seconds": round(seconds, 1)}, words + speed, as_json=as_json)
    if is_asked():
        say_stopped(as_json=as_json)
    if not end.is_whole:
        say("time is up; the same command continues", as_json=as_json)
