"""`philidor train`: networks from games, by recipe."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from philidor.cli.train_zero import RecipeGroup
from philidor.core.errors import ConfigError
from philidor.core.options import with_config
from philidor.train.nnue_config import NnueTrainingConfig

if TYPE_CHECKING:
    from philidor.train.torch.nnue import TrainingStep

app = typer.Typer(cls=RecipeGroup, add_completion=False, no_args_is_help=True)


@app.callback()
def train() -> None:
    """Trains networks by recipe; a run that was stopped goes on when the same command is given again.

    A recipe is one of the commands below, a TOML file, or file.py:Class for a game of one's own.
    """


@app.command()
@with_config(NnueTrainingConfig)
def nnue(
    config: NnueTrainingConfig,
    games: Annotated[
        list[Path], typer.Argument(help="Scored games: .rec files, or PGN with scores.", metavar="FILE...")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The run folder; a run in it goes on.")],
    threads: Annotated[int | None, typer.Option(min=1, help="For reading games; all cores by default.")] = None,
) -> None:
    """Trains an NNUE network on scored games and writes it to DIR/checkpoints."""
    from rich.console import Console

    from philidor.core.runs import Run
    from philidor.train.nnue_data import TrainingPositions

    try:
        from philidor.train.torch.nnue import Trainer, export, torch_device
    except ImportError as error:
        raise ConfigError(f"training needs torch ({error}): pip install 'philidor[train]'") from None
    torch_device(config)
    run = Run.resume_or_create(out.name, config, out.parent)
    threads = threads or os.cpu_count() or 1
    console = Console(stderr=True)
    data = TrainingPositions(config.positions)
    with console.status("reading games") as status:
        for count in data.read(games, threads=threads):
            status.update(f"reading games: {count:,} positions")
    print(f"{len(data.train):,} positions to train on, {len(data.held_out):,} held out")
    trainer = Trainer(config, run, data, threads=threads)
    if trainer.step:
        print(f"going on from step {trainer.step:,}")
    is_done = _train(trainer, console)
    path = run.checkpoints / f"{out.name}.phnn"
    report = export(trainer, path, f"{config.shape}, {len(data.train):,} positions, step {trainer.step:,}")
    print(f"{path}: rounding costs {report.mean_error_cp:.2f} cp in the mean, {report.largest_error_cp:.1f} at most")
    if not is_done:
        print("stopped; the same command goes on")


def _train(trainer: object, console: object) -> bool:
    """Shows how it goes; Ctrl-C stops after the step at hand."""
    import signal

    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from philidor.train.torch.nnue import Trainer

    assert isinstance(trainer, Trainer)
    assert isinstance(console, Console)
    stopped: list[bool] = []
    before = {name: signal.signal(name, lambda *_: stopped.append(True)) for name in (signal.SIGINT, signal.SIGTERM)}
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    try:
        with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
            task = progress.add_task("training", total=trainer.total_steps, completed=trainer.step)

            def show(now: TrainingStep) -> None:
                words = f"epoch {now.epoch:.2f}: loss {now.loss:.5f}, {now.positions_per_second:,.0f} positions/s"
                progress.update(task, completed=now.step, description=words)
                if now.held_out_loss is not None:
                    console.print(f"epoch {now.epoch:.0f}: loss {now.loss:.6f}, held out {now.held_out_loss:.6f}")

            return trainer.train(show, is_stopped=lambda: bool(stopped))
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)
