"""`philidor train giraffe` and `philidor train deepchess`: small float networks from games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from philidor.cli.arguments import AsJson, ReadingThreads, RunFolder, give, say_stopped
from philidor.cli.options import with_config
from philidor.cli.train.positions import read_positions, show_training, training_facts
from philidor.cli.train.torch_extra import torch_extra
from philidor.core.cores import cores
from philidor.train.dense_config import DeepChessTrainingConfig, DenseTrainingConfig, GiraffeTrainingConfig

Games = Annotated[list[Path], typer.Argument(help="Games: .rec files, or PGN with scores.", metavar="FILE...")]


@with_config(GiraffeTrainingConfig)
def giraffe(
    config: GiraffeTrainingConfig, games: Games, out: RunFolder, threads: ReadingThreads = None, as_json: AsJson = False
) -> None:
    """Trains a small float network to judge positions, as in Giraffe, and writes it to DIR/checkpoints."""
    with torch_extra():
        from philidor.train.torch.dense import GiraffeTrainer
    _run(GiraffeTrainer, config, games, out, threads, as_json)


@with_config(DeepChessTrainingConfig)
def deepchess(
    config: DeepChessTrainingConfig,
    games: Games,
    out: RunFolder,
    threads: ReadingThreads = None,
    as_json: AsJson = False,
) -> None:
    """Trains a small float network to compare positions, as in DeepChess, and writes it to DIR/checkpoints."""
    with torch_extra():
        from philidor.train.torch.dense import DeepChessTrainer
    _run(DeepChessTrainer, config, games, out, threads, as_json)


def _run(
    kind: Any, config: DenseTrainingConfig, games: list[Path], out: Path, threads: int | None, as_json: bool
) -> None:
    from rich.console import Console

    from philidor.core.runs import Run, no_empty_run
    from philidor.nets.dense import save_dense
    from philidor.train.torch.devices import torch_device

    torch_device(config.device)
    with no_empty_run(out):
        run = Run.resume_or_create(out.name, config, out.parent)
        threads = threads or cores()
        console = Console(stderr=True)
        data = read_positions(games, config.positions, threads, console, as_json=as_json)
        trainer = kind(config, run, data, threads=threads)
        is_done = show_training(trainer, console, as_json=as_json)
        path = run.checkpoints / f"{out.name}.phfl"
        save_dense(trainer.network(f"{len(data.train):,} positions, step {trainer.step:,}"), path)
    give(training_facts(path, trainer, data, is_done), f"{path}: {path.stat().st_size:,} bytes", as_json=as_json)
    if not is_done:
        say_stopped(as_json=as_json)
