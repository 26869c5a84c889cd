"""`philidor train giraffe` and `philidor train deepchess`: small float networks from games."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from philidor.cli.arguments import say_stopped, stop_signals
from philidor.cli.train.torch_extra import torch_extra
from philidor.core.options import with_config
from philidor.train.dense_config import DeepChessTrainingConfig, DenseTrainingConfig, GiraffeTrainingConfig

if TYPE_CHECKING:
    from rich.console import Console

    from philidor.train.torch.dense_loop import DenseTrainer, TrainingStep

Games = Annotated[list[Path], typer.Argument(help="Games: .rec files, or PGN with scores.", metavar="FILE...")]
Out = Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The run folder; a run in it goes on.")]
Threads = Annotated[int | None, typer.Option(min=1, help="For reading games; all cores by default.")]


@with_config(GiraffeTrainingConfig)
def giraffe(config: GiraffeTrainingConfig, games: Games, out: Out, threads: Threads = None) -> None:
    """Trains a small float network to judge positions, as in Giraffe, and writes it to DIR/checkpoints."""
    with torch_extra():
        from philidor.train.torch.dense import GiraffeTrainer
    _run(GiraffeTrainer, config, games, out, threads)


@with_config(DeepChessTrainingConfig)
def deepchess(config: DeepChessTrainingConfig, games: Games, out: Out, threads: Threads = None) -> None:
    """Trains a small float network to compare positions, as in DeepChess, and writes it to DIR/checkpoints."""
    with torch_extra():
        from philidor.train.torch.dense import DeepChessTrainer
    _run(DeepChessTrainer, config, games, out, threads)


def _run(kind: Any, config: DenseTrainingConfig, games: list[Path], out: Path, threads: int | None) -> None:
    from rich.console import Console

    from philidor.core.runs import Run
    from philidor.nets.dense import save_dense
    from philidor.train.nnue_data import TrainingPositions
    from philidor.train.torch.dense_loop import torch_device

    torch_device(config)
    run = Run.resume_or_create(out.name, config, out.parent)
    threads = threads or os.cpu_count() or 1
    console = Console(stderr=True)
    data = TrainingPositions(config.positions)
    with console.status("reading games") as status:
        for count in data.read(games, threads=threads):
            status.update(f"reading games: {count:,} positions")
    print(f"{len(data.train):,} positions to train on, {len(data.held_out):,} held out")
    trainer = kind(config, run, data, threads=threads)
    if trainer.step:
        print(f"going on from step {trainer.step:,}")
    is_done = _train(trainer, console)
    path = run.checkpoints / f"{out.name}.phfl"
    save_dense(trainer.network(f"{len(data.train):,} positions, step {trainer.step:,}"), path)
    print(f"{path}: {path.stat().st_size:,} bytes")
    if not is_done:
        say_stopped()


def _train(trainer: DenseTrainer[Any, Any], console: Console) -> bool:
    """Shows how it goes; Ctrl-C stops after the step at hand."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with stop_signals() as is_stopped, Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task("training", total=trainer.total_steps, completed=trainer.step)

        def show(now: TrainingStep) -> None:
            words = f"epoch {now.epoch:.2f}: loss {now.loss:.5f}, {now.positions_per_second:,.0f} positions/s"
            progress.update(task, completed=now.step, description=words)
            if now.held_out_loss is not None:
                console.print(f"epoch {now.epoch:.0f}: loss {now.loss:.6f}, held out {now.held_out_loss:.6f}")

        return trainer.train(show, is_stopped=is_stopped)
