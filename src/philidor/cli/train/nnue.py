"""`philidor train nnue`: an NNUE network from scored games."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated

import typer

from philidor.cli.arguments import AsJson, ReadingThreads, RunFolder, give, say_stopped
from philidor.cli.options import with_config
from philidor.cli.train.positions import read_positions, show_training, training_facts
from philidor.cli.train.torch_extra import torch_extra
from philidor.core.cores import cores
from philidor.train.nnue_config import NnueTrainingConfig


@with_config(NnueTrainingConfig)
def nnue(
    config: NnueTrainingConfig,
    games: Annotated[
        list[Path],
        typer.Argument(
            help="Scored games: .rec files, or PGN with scores. Files of positions (.pos) are taken as they are.",
            metavar="FILE...",
        ),
    ],
    out: RunFolder,
    minutes: Annotated[
        float | None,
        typer.Option(
            min=0, help="Finish within this many minutes, with fewer epochs if necessary.", show_default=False
        ),
    ] = None,
    threads: ReadingThreads = None,
    as_json: AsJson = False,
) -> None:
    """Trains an NNUE network on scored games and writes it to DIR/checkpoints."""
    from rich.console import Console

    from philidor.core.runs import Run, no_empty_run

    with torch_extra():
        from philidor.train.torch.devices import torch_device
        from philidor.train.torch.nnue import Trainer, export
    torch_device(config.device)
    with no_empty_run(out):
        run = Run.resume_or_create(out.name, config, out.parent)
        threads = threads or cores()
        console = Console(stderr=True)
        data = read_positions(games, config.positions, threads, console, as_json=as_json)
        seconds = None if minutes is None else 60 * minutes
        trainer = Trainer(config, run, data, threads=threads, seconds=seconds)
        is_done = show_training(trainer, console, as_json=as_json)
        path = run.checkpoints / f"{out.name}.phnn"
        report = export(trainer, path, f"{config.shape}, {len(data.train):,} positions, step {trainer.step:,}")
    facts = {**training_facts(path, trainer, data, is_done), **dataclasses.asdict(report)}
    words = f"rounding costs {report.mean_error_cp:.2f} cp in the mean, {report.largest_error_cp:.1f} at most"
    give(facts, f"{path}: {words}", as_json=as_json)
    if not is_done:
        say_stopped(as_json=as_json)
