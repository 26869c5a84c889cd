"""`philidor train nnue`: an NNUE network from scored games."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from philidor.cli.arguments import say_stopped, stop_signals
from philidor.cli.train.torch_extra import torch_extra
from philidor.core.options import with_config
from philidor.train.nnue_config import NnueTrainingConfig

if TYPE_CHECKING:
    from rich.console import Console

    from philidor.train.torch.nnue import Trainer, TrainingStep


@with_config(NnueTrainingConfig)
def nnue(
    config: NnueTrainingConfig,
    games: Annotated[
        list[Path], typer.Argument(help="Scored games: .rec files, or PGN with scores.", metavar="FILE...")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The run folder; a run in it goes on.")],
    minutes: Annotated[
        float | None,
        typer.Option(min=0, help="Be ready by then, with fewer epochs if need be.", show_default=False),
    ] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="For reading games; all cores by default.")] = None,
) -> None:
    """Trains an NNUE network on scored games and writes it to DIR/checkpoints."""
    from rich.console import Console

    from philidor.core.runs import Run
    from philidor.train.nnue_data import TrainingPositions

    with torch_extra():
        from philidor.train.torch.nnue import Trainer, export, torch_device
    torch_device(config)
    run = Run.resume_or_create(out.name, config, out.parent)
    threads = threads or os.cpu_count() or 1
    console = Console(stderr=True)
    data = TrainingPositions(config.positions)
    with console.status("reading games") as status:
        for count in data.read(games, threads=threads):
            status.update(f"reading games: {count:,} positions")
    print(f"{len(data.train):,} positions to train on, {len(data.held_out):,} held out")
    seconds = None if minutes is None else 60 * minutes
    trainer = Trainer(config, run, data, threads=threads, seconds=seconds)
    if trainer.step:
        print(f"going on from step {trainer.step:,}")
    is_done = _train(trainer, console)
    path = run.checkpoints / f"{out.name}.phnn"
    report = export(trainer, path, f"{config.shape}, {len(data.train):,} positions, step {trainer.step:,}")
    print(f"{path}: rounding costs {report.mean_error_cp:.2f} cp in the mean, {report.largest_error_cp:.1f} at most")
    if not is_done:
        say_stopped()


def _train(trainer: Trainer, console: Console) -> bool:
    """Shows how it goes; Ctrl-C stops after the step at hand."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with stop_signals() as is_stopped, Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task("training", total=1.0)

        def show(now: TrainingStep) -> None:
            words = f"epoch {now.epoch:.2f}: loss {now.loss:.5f}, {now.positions_per_second:,.0f} positions/s"
            progress.update(task, completed=now.progress, description=words)
            if now.held_out_loss is not None:
                console.print(f"epoch {now.epoch:.0f}: loss {now.loss:.6f}, held out {now.held_out_loss:.6f}")

        return trainer.train(show, is_stopped=is_stopped)
