"""`philidor net ruler`: how far a network's judgments are from those of a deep search."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from philidor.arena.ruler import RulerConfig
from philidor.cli.arguments import AsJson, Minutes, give, kill_interrupts
from philidor.cli.options import with_config
from philidor.core.cores import cores


@with_config(RulerConfig)
def ruler(
    config: RulerConfig,
    minutes: Minutes = None,
    concurrency: Annotated[
        int | None, typer.Option(min=1, help="Positions at a time; as many as there are cores if not given.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The run folder; a measurement that is in it continues.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measures static and shallow judgments of an engine against a deep search, on a fixed set of positions."""
    from rich.console import Console

    from philidor.arena.ruler import Ruler

    folder = out or Path("runs") / f"ruler-{datetime.now():%Y%m%d-%H%M%S}"
    measurement = Ruler(config, folder)
    total = len(measurement.positions)
    with kill_interrupts(), Console(stderr=True).status(f"{measurement.done} of {total} positions") as status:
        try:
            measurement.measure(
                concurrency or cores(),
                lambda: status.update(f"{measurement.done} of {total} positions"),
                None if minutes is None else 60 * minutes,
            )
        except KeyboardInterrupt:
            print(
                f"philidor: stopped after {measurement.done} positions; the same command with --out {folder} continues",
                file=sys.stderr,
            )
            raise
    errors = measurement.errors()
    facts = {
        "positions": measurement.done,
        "errors": {
            name: {"value": found.square.value, "error": found.square.error, "factor": found.factor}
            for name, found in errors.items()
        },
        "run": str(folder),
    }
    lines = [
        f"{name:<14} {found.square.value:.5f} +/- {found.square.error:.5f}"
        + (f"   centipawns x {found.factor:.2f}" if config.fit_scale else "")
        for name, found in errors.items()
    ]
    words = [*lines, f"squared error of the expected score on {measurement.done} positions; run: {folder}"]
    give(facts, "\n".join(words), as_json=as_json)
