"""What the data commands share: their options, their progress bar and their report."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from philidor.cli.options import Command, in_place_of
from philidor.core.errors import ConfigError
from philidor.records import RecordFilter, Result

if TYPE_CHECKING:
    from philidor.selfplay.shards import Progress

Inputs = Annotated[list[Path], typer.Argument(metavar="FILE...", help="Record files (.rec).", show_default=False)]
Output = Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The file to write.")]
MinRating = Annotated[int | None, typer.Option(help="Keep games whose weaker player has at least this rating.")]
MaxRating = Annotated[int | None, typer.Option(help="Keep games whose stronger player has at most this rating.")]
MaxGap = Annotated[int | None, typer.Option(help="Keep games of players whose ratings differ by at most this.")]
Results = Annotated[
    list[str] | None, typer.Option("--result", metavar="1-0|0-1|1/2-1/2|*", help="Keep these results; may be repeated.")
]
MinPlies = Annotated[int | None, typer.Option(help="Keep games of at least this many half moves.")]
MaxPlies = Annotated[int | None, typer.Option(help="Keep games of at most this many half moves.")]
Deduplicate = Annotated[
    bool, typer.Option("--dedup", help="Drop games with the same start, moves and result as an earlier one.")
]


def with_filter(*, min_plies: int | None = None) -> Callable[[Command], Command]:
    """Gives a typer command the options of a filter in place of its parameter `filter_`, which it gets."""

    def decorate(command: Command) -> Command:
        options = dict(inspect.signature(make_filter).parameters)
        options["min_plies"] = options["min_plies"].replace(default=min_plies)

        def run(**values: Any) -> Any:
            return command(filter_=make_filter(**{name: values.pop(name) for name in options}), **values)

        parameters: list[inspect.Parameter] = []
        for own in inspect.signature(command, eval_str=True).parameters.values():
            parameters += options.values() if own.name == "filter_" else [own]
        return in_place_of(command, run, [each.replace(kind=each.KEYWORD_ONLY) for each in parameters])

    return decorate


def make_filter(
    min_rating: MinRating = None,
    max_rating: MaxRating = None,
    max_gap: MaxGap = None,
    results: Results = None,
    min_plies: MinPlies = None,
    max_plies: MaxPlies = None,
    dedup: Deduplicate = False,
) -> RecordFilter:
    """Makes the filter of what was typed. Raises ConfigError."""
    known = {result.text: result for result in Result}
    for text in results or ():
        if text not in known:
            raise ConfigError(f"a result is one of {', '.join(known)}, got {text!r}")
    return RecordFilter(
        min_rating=min_rating,
        max_rating=max_rating,
        max_gap=max_gap,
        results=tuple(known[text] for text in results) if results else tuple(Result),
        min_plies=min_plies,
        max_plies=max_plies,
        deduplicate=dedup,
    )


class Meter:
    """A progress bar on standard error: bytes of the input, and games per second."""

    def __init__(self, bar: Any, task: Any) -> None:
        self._bar, self._task = bar, task

    def update(self, done: int, games: int, total: int | None = None) -> None:
        """Shows how far we are; `total` where it was not known before."""
        self._bar.update(self._task, completed=done, games=games, total=total)
        seconds = self._bar.tasks[0].elapsed or 0
        if seconds > 0:
            self._bar.update(self._task, speed=games / seconds)


@contextmanager
def progress(title: str, total: int | None) -> Iterator[Meter]:
    """Shows a bar while the work goes on; nothing where standard error is not a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[games]:,} games  {task.fields[speed]:,.0f}/s"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        yield Meter(bar, bar.add_task(title, total=total, games=0, speed=0.0))


def progress_facts(folder: Path, end: "Progress") -> dict[str, Any]:
    """Returns the end of a run of games as plain data."""
    facts = {"games": end.games, "total": end.total, "new_games": end.new_games, "games_per_second": end.speed}
    return {"folder": str(folder), **facts}


def print_report(report: Mapping[str, Any], as_json: bool) -> None:
    """Prints names and numbers, nested ones indented."""
    if as_json:
        import json

        print(json.dumps(report))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    # Names come from files: brackets in them are not markup.
    table = Table(show_header=False, box=None, pad_edge=False)
    for name, value in report.items():
        if isinstance(value, Mapping):
            for inner, count in value.items():
                table.add_row(Text(f"{name.replace('_', ' ')}: {inner}"), Text(_shown(count)))
        elif value is not None:
            table.add_row(Text(name.replace("_", " ")), Text(_shown(value)))
    Console(highlight=False).print(table)


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:,.1f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
