"""`philidor serve-training`: lets volunteers play for a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from philidor.cli.arguments import AsJson

if TYPE_CHECKING:
    from philidor.core.runs import Run

app = typer.Typer(add_completion=False)


@app.command()
def serve_training(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The run folder; its learner runs beside this command.")],
    add: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Add a contributor and print the token to give them; may be repeated."),
    ] = None,
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 for all networks.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port to listen on.")] = 8100,
    statistics: Annotated[
        bool, typer.Option("--statistics", help="Show what each contributor has done, and serve nothing.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Serves a run to volunteers: hands out networks, replays the games that come back, counts the good ones."""
    from philidor.core.runs import Run

    opened = Run(run)
    if statistics:
        _show(opened, as_json)
        return
    from philidor.frontends.training.serve import TrainingOptions, serve_training

    serve_training(opened, TrainingOptions(host=host, port=port, add=add or ()))


def _show(run: Run, as_json: bool) -> None:
    import json

    from rich.console import Console
    from rich.table import Table

    from philidor.frontends.training.contributors import Contributors

    facts = Contributors(run.path).statistics()
    if as_json:
        print(json.dumps(facts))
        return
    table = Table(box=None, header_style="bright_black", padding=(0, 2, 0, 0))
    for column in ("contributor", "games", "shards", "refused", "last refusal"):
        table.add_column(column, justify="left" if column in ("contributor", "last refusal") else "right")
    for each in facts:
        cells = (each["contributor"], f"{each['games']:,}", f"{each['shards']:,}", f"{each['refused_shards']:,}")
        table.add_row(*cells, each["last_refusal"])
    Console(highlight=False).print(table)
