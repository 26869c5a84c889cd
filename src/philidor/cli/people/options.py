"""What these commands share: their options, and a line that says how far they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

Predictors = Annotated[
    list[str],
    typer.Argument(
        metavar="PREDICTOR...",
        help="Network files, or engines as for a match: maia-1500.pb.gz, 'human.safetensors ratings=+600', "
        "'nnue depth=4'.",
        show_default=False,
    ),
]
Games = Annotated[
    list[Path],
    typer.Option("--games", metavar="FILE", help="People's games: .rec or PGN, compressed or not; may be repeated."),
]
RatingsOption = Annotated[
    str,
    typer.Option(
        metavar="none|true|+N|-N|N",
        help="Ratings that networks with ratings are told: none, the players' own, both shifted, or N for both.",
    ),
]
Device = Annotated[str, typer.Option(metavar="cpu|cuda", help="What computes networks.")]
Threads = Annotated[int | None, typer.Option(min=1, help="Threads that compute networks; all cores if not given.")]
Cache = Annotated[
    Path, typer.Option(metavar="FILE", help="File of judgments kept from run to run; created if missing.")
]
EngineWorkers = Annotated[int | None, typer.Option(min=1, help="Engines at work at a time; all cores if not given.")]


Update = Callable[[str, int, int | None], None]
"""Takes what is being done, how much of it is done, and how much there is if that is known."""


@contextmanager
def progress() -> Iterator[Update]:
    """Shows a bar while the work goes on; nothing where standard error is not a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,.0f}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=None)

        def update(what: str, done: int, total: int | None) -> None:
            bar.update(task, description=what, completed=done, total=total)

        yield update
