"""What every training on scored positions shows of itself: how many it has read, and how it goes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from philidor.cli.arguments import say, stop_signals

if TYPE_CHECKING:
    from rich.console import Console

    from philidor.train.nnue_data import PositionFilter, TrainingPositions
    from philidor.train.torch.loop import PositionTrainer, TrainingStep


def read_positions(
    games: list[Path], positions: PositionFilter, threads: int, console: Console, *, as_json: bool
) -> TrainingPositions:
    """Reads what is to be learned from, and says how much it is."""
    from philidor.train.nnue_data import TrainingPositions

    data = TrainingPositions(positions)
    with console.status("reading games") as status:
        for count in data.read(games, threads=threads):
            status.update(f"reading games: {count:,} positions")
    say(f"{len(data.train):,} positions to train on, {len(data.held_out):,} held out", as_json=as_json)
    return data


def show_training(trainer: PositionTrainer[Any, Any, Any], console: Console, *, as_json: bool) -> bool:
    """Trains and shows how it goes; Ctrl-C stops after the step at hand. Says whether it came to the end."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    if trainer.step:
        say(f"going on from step {trainer.step:,}", as_json=as_json)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with stop_signals() as is_stopped, Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task("training", total=1.0)

        def show(now: TrainingStep) -> None:
            words = f"epoch {now.epoch:.2f}: loss {now.loss:.5f}, {now.positions_per_second:,.0f} positions/s"
            progress.update(task, completed=now.progress, description=words)
            if now.held_out_loss is not None:
                console.print(f"epoch {now.epoch:.0f}: loss {now.loss:.6f}, held out {now.held_out_loss:.6f}")

        return trainer.train(show, is_stopped=is_stopped)


def training_facts(
    path: Path, trainer: PositionTrainer[Any, Any, Any], data: TrainingPositions, is_done: bool
) -> dict[str, Any]:
    """Returns the end of a training as plain data."""
    facts = {"positions": len(data.train), "held_out_positions": len(data.held_out), "steps": trainer.step}
    return {"file": str(path), "bytes": path.stat().st_size, **facts, "is_done": is_done}
