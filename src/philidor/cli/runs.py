"""`philidor runs`: what training runs there are, how far each is, and how it goes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from philidor.cli.arguments import AsJson
from philidor.cli.sparkline import sparkline

if TYPE_CHECKING:
    from rich.table import Table

    from philidor.pipelines.overview import RunOverview

app = typer.Typer(add_completion=False)

_WIDTH = 48


@app.command()
def runs(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="Runs to show: one in detail, more side by side; all if none is given."),
    ] = None,
    folder: Annotated[Path, typer.Option("--folder", "-f", metavar="DIR", help="Where the runs are.")] = Path("runs"),
    as_json: AsJson = False,
) -> None:
    """Lists runs; shows one with its curves, or compares some."""
    from rich.console import Console

    from philidor.pipelines.overview import find_run, overview, overviews

    found = [overview(find_run(name, folder)) for name in names] if names else overviews(folder)
    if as_json:
        print(json.dumps([each.facts() for each in found]))
        return
    console = Console(highlight=False)
    if not found:
        console.print(f"no runs in {str(folder)!r}", markup=False)
    elif names and len(found) == 1:
        _show(console, found[0])
    else:
        console.print(_table(found))


def _table(found: list[RunOverview]) -> Table:
    from rich.table import Table

    table = Table(box=None, header_style="bright_black", padding=(0, 2, 0, 0))
    for column in ("run", "state", "generation", "games", "loss", "policy", "last verdict", "age"):
        table.add_column(column, justify="right" if column in ("generation", "games", "loss", "policy") else "left")
    for each in found:
        table.add_row(
            each.name,
            each.state,
            each.generations,
            f"{each.games:,}" if each.games else "",
            _number(each.losses.get("loss")),
            _number(each.losses.get("policy")),
            each.verdict,
            _age(each.age_s),
        )
    return table


def _show(console: Any, run: RunOverview) -> None:
    """One run: facts, then a line of blocks for each curve, first and last value beside it."""
    from rich.table import Table

    facts = {
        "folder": str(run.path),
        "game": run.game,
        "state": f"{run.state}, {_age(run.age_s)} ago",
        "generation": run.generations,
        "games": f"{run.games:,}" if run.games else "",
        "last verdict": run.verdict,
    }
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for name, words in facts.items():
        if words:
            table.add_row(name, words)
    console.print(f"[bold]{run.name}[/bold]")
    console.print(table)
    if not run.curves:
        return
    curves = Table(box=None, header_style="bright_black", padding=(0, 2, 0, 0))
    for column in ("curve", "first", "", "last"):
        curves.add_column(column, justify="right" if column in ("first", "last") else "left")
    for name, values in run.curves.items():
        curves.add_row(name, _number(values[0]), sparkline(values, _WIDTH), _number(values[-1]))
    console.print()
    console.print(curves)


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3f}"


def _age(seconds: float) -> str:
    """Writes how long ago something was in its largest unit."""
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds / size:.0f} {unit}"
    return f"{max(seconds, 0):.0f} s"
