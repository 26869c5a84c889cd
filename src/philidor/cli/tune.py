"""`philidor tune`: fits the handcrafted evaluation's weights to scored games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from philidor.cli.arguments import AsJson, check_writable, give
from philidor.cli.options import with_config
from philidor.train.evaluation_tuning import Tuning, TuningConfig

app = typer.Typer(add_completion=False)


@app.command()
@with_config(TuningConfig)
def tune(
    games: Annotated[list[Path], typer.Argument(help="PGN files (.zst, .gz) with scores in comments: {0.35/20}.")],
    config: TuningConfig,
    out: Annotated[Path, typer.Option("--out", "-o", help="The C++ header to write.")] = Path("weights.h"),
    as_json: AsJson = False,
) -> None:
    """Tunes the weights of the handcrafted evaluation and writes them as a C++ header."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from philidor.core.runs import write_atomic

    check_writable(out, games)
    tuning = Tuning(config)
    console = Console(stderr=True)
    with console.status("reading games") as status:
        positions = 0
        for positions in tuning.read(games):
            status.update(f"reading games: {positions:,} positions")
    before = tuning.held_out_error()
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("tuning", total=config.epochs)
        for step in tuning.run():
            words = f"epoch {step.epoch}: error {step.error:.6f}, held out {step.held_out_error:.6f}"
            progress.update(task, completed=step.epoch, description=words)
    write_atomic(out, tuning.header())
    after = step.held_out_error
    facts = {"file": str(out), "positions": positions, "held_out_error_before": before, "held_out_error": after}
    words = f"{positions:,} positions; held-out error {before:.6f} before, {after:.6f} after: {out}"
    give(facts, words, as_json=as_json)
