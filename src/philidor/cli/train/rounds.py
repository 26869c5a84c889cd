"""`philidor train nnue-rounds`: self-play, training and a match, again and again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from philidor.cli.arguments import AsJson, RunFolder, Workers, say, say_stopped, stop_signals
from philidor.cli.options import with_config
from philidor.cli.train.torch_extra import torch_extra
from philidor.core.cores import cores
from philidor.pipelines.nnue_rounds import RoundsConfig

if TYPE_CHECKING:
    from philidor.pipelines.nnue_rounds import StageReport


@with_config(RoundsConfig)
def nnue_rounds(
    config: RoundsConfig,
    out: RunFolder,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of the run in all, earlier ones included.")] = 3,
    minutes: Annotated[
        float | None, typer.Option(min=0, help="Time limit for all rounds together, in minutes.", show_default=False)
    ] = None,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Repeats rounds: an engine plays itself, a network learns from the games and plays the next round (book, 4.6.3).

    With --minutes all rounds together take that long: games, training and match of each round are fitted into its share
    of the time.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    from philidor.core.runs import Run
    from philidor.pipelines.nnue_rounds import Rounds, check_inputs

    with torch_extra():
        from philidor.train.torch.devices import torch_device
    torch_device(config.training.device)
    check_inputs(config)
    run = Run.resume_or_create(out.name, config, out.parent)
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn())
    with stop_signals() as is_stopped, Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=1.0)

        def show(now: StageReport) -> None:
            if now.done < 1:
                words = f"round {now.round} {now.stage}: {now.words}"
                progress.update(task, completed=now.done, description=words)
            else:
                say(f"round {now.round} {now.stage}: {now.words}", as_json=as_json)

        pipeline = Rounds(config, run, workers=workers or cores(), report=show, is_stopped=is_stopped)
        seconds = None if minutes is None else 60 * minutes
        is_done = pipeline.play(rounds, seconds=seconds)
    if as_json:
        print(json.dumps({"run": str(run.path), "stages": run.metrics(), "is_done": is_done}))
    if not is_done:
        say_stopped(as_json=as_json)
