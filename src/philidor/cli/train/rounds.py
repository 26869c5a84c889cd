"""`philidor train nnue-rounds`: self-play, training and a match, again and again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from philidor.cli.arguments import AsJson, RunFolder, Workers, say, say_stopped, stop_signals
from philidor.cli.options import with_config
from philidor.cli.train.torch_extra import torch_extra
from philidor.core.cores import cores
from philidor.pipelines.nnue_rounds import RoundsConfig
from philidor.selfplay.engine_games import EngineGamesConfig
from philidor.train.nnue_config import NnueTrainingConfig

if TYPE_CHECKING:
    from philidor.pipelines.nnue_rounds import StageReport

RoundCount = Annotated[int, typer.Option(min=1, help="Rounds of the run in all, earlier ones included.")]
TimeLimit = Annotated[
    float | None, typer.Option(min=0, help="Time limit for all rounds together, in minutes.", show_default=False)
]
# For an hour of two cores (docs/nnue-training.md, "From nothing"): many short rounds, because the first networks change
# fast, and short searches, because a beginner's long ones know no more.
_FROM_NOTHING: dict[str, Any] = {
    "from_nothing": True,
    "games": 12_000,
    "window": 6,
    "match_games": 100,
    "match_nodes": 1_000,
    "selfplay": EngineGamesConfig(
        nodes=200,
        max_plies=250,
        random_plies=10,
        win_cp=1_500,
        settings=("parameters=late_moves_history=-1000",),
    ),
    "training": NnueTrainingConfig(
        epochs=2, batch=8_192, learning_rate=0.0015, final_learning_rate=0.0001, result_share=0.1
    ),
}


@with_config(RoundsConfig)
def nnue_rounds(
    config: RoundsConfig,
    out: RunFolder,
    rounds: RoundCount = 3,
    minutes: TimeLimit = None,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Repeats rounds: an engine plays itself, a network learns from the games and plays the next round (book, 4.6.3).

    With --minutes all rounds together take that long: games, training and match of each round are fitted into its share
    of the time.
    """
    _play(config, out, rounds, minutes, workers, as_json=as_json)


@with_config(RoundsConfig, **_FROM_NOTHING)
def nnue_from_nothing(
    config: RoundsConfig,
    out: RunFolder,
    rounds: RoundCount = 36,
    minutes: TimeLimit = None,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Learns to judge chess from its rules alone: a network of random weights plays itself and learns how games end.

    These are nnue-rounds with --from-nothing and other defaults, which suit an hour of two cores.
    """
    _play(config, out, rounds, minutes, workers, as_json=as_json)


def _play(
    config: RoundsConfig, out: Path, rounds: int, minutes: float | None, workers: int | None, *, as_json: bool
) -> None:
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
