"""`philidor tune-search`: the numbers of the search, measured and tuned by games."""

from __future__ import annotations

import json
import sys
import time
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from philidor.arena.tuning_run import TuningConfig, TuningSettings
from philidor.cli.arguments import AsJson, Minutes, Workers, kill_interrupts
from philidor.cli.options import with_config
from philidor.core.config import from_dict, to_dict
from philidor.core.cores import cores

if TYPE_CHECKING:
    from rich.table import Table

    from philidor.arena.tuning_run import TuningRun

app = typer.Typer(add_completion=False)

_NUMBERS_HELP = (
    "SPSA: a number of the search with its range, NAME, NAME=LOW:HIGH or NAME=START:LOW:HIGH. Screen: a change, "
    "NAME=VALUE, or several as one, NAME=VALUE,NAME=VALUE; PART=0 leaves out a part, such as null_move."
)


@app.command()
@with_config(TuningSettings)
def tune_search(
    numbers: Annotated[list[str], typer.Argument(help=_NUMBERS_HELP, show_default=False)],
    config: TuningSettings,
    minutes: Minutes = None,
    concurrency: Workers = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The run folder; a run that is in it continues.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Tunes numbers of the search by games of the engine against itself, or measures what changes of them are worth."""
    from philidor.arena.tuning_run import TuningRun

    folder = out or Path("runs") / f"tune-search-{datetime.now():%Y%m%d-%H%M%S}"
    run = TuningRun(from_dict(TuningConfig, {**to_dict(config), "numbers": tuple(numbers)}), folder)
    before, start = run.method.pairs, time.monotonic()
    with kill_interrupts(), _Progress(run, as_json=as_json) as show:
        try:
            run.play(concurrency or cores(), show.update, None if minutes is None else 60 * minutes)
        except KeyboardInterrupt:
            print(
                f"philidor: stopped after {run.method.pairs} pairs; the same command with --out {folder} continues",
                file=sys.stderr,
            )
            raise
        finally:
            show.close()
            played = 2 * (run.method.pairs - before)
            speed = {"games_per_second": round(played / (time.monotonic() - start), 2), "run": str(folder)}
            print(json.dumps({**run.method.report(), **speed}) if as_json else _text(run.method.report(), speed))


def _text(report: dict[str, Any], speed: dict[str, Any]) -> str:
    rows = _rows(report)
    width = max(map(len, (name for name, _ in rows)), default=0)
    lines = [f"{name:<{width}}  {value}" for name, value in rows]
    end = f"{report['pairs']} pairs, {speed['games_per_second']} games/s; run: {speed['run']}"
    return "\n".join([*lines, end])


def _rows(report: dict[str, Any]) -> list[tuple[str, str]]:
    if report["method"] == "screen":
        return [(row["change"], f"{row['elo']:+.1f} +/- {row['error']:.1f} Elo") for row in report["changes"]]
    return [(row["name"], f"{row['start']} -> {row['value']:.1f}") for row in report["numbers"]]


class _Progress:
    """Shows on a terminal how far the run is and what it has found."""

    def __init__(self, run: TuningRun, *, as_json: bool) -> None:
        from rich.console import Console
        from rich.live import Live

        self._run, self._shown = run, 0.0
        console = Console(stderr=True)
        is_live = console.is_terminal and not as_json
        self._live = Live(self._table(), console=console, refresh_per_second=2, transient=True) if is_live else None

    def update(self) -> None:
        """Takes note of a pair; the fit is not worth doing more often than it is seen."""
        if self._live and time.monotonic() - self._shown > 1:
            self._shown = time.monotonic()
            self._live.update(self._table())

    def _table(self) -> Table:
        from rich.table import Table

        report = self._run.method.report()
        title = f"{report['pairs']} of {self._run.config.pairs} pairs"
        table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0), show_header=False)
        for row in _rows(report):
            table.add_row(*row)
        return table

    def close(self) -> None:
        """Takes the table away."""
        if self._live:
            self._live.stop()

    def __enter__(self) -> _Progress:
        if self._live:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
