"""What `philidor train` shows of a zero run: a live view on a terminal, a line per event elsewhere."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from philidor.cli.sparkline import sparkline
from philidor.pipelines.zero.report import History, random_rows, rating_row

if TYPE_CHECKING:
    from philidor.core.runs import Run
    from philidor.pipelines.recipes import ZeroRecipe
    from philidor.pipelines.zero import Moment

_REDRAW_S = 0.1
_MOST_ROWS = 12
_STAGES = {
    "play": "playing against itself",
    "guard": "checking that it can learn",
    "train": "learning",
    "gate": "playing the best network",
    "rate": "being rated",
}


class ZeroView:
    """Watches a run."""

    def __init__(self, console: Console, recipe: ZeroRecipe, run: Run) -> None:
        self._console, self._recipe, self._run = console, recipe, run
        self._events: list[dict[str, Any]] = run.metrics()
        self._moment: Moment | None = None
        self._live: Live | None = None
        self._drawn = 0.0

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Shows the view while the run goes on."""
        if not self._console.is_terminal:
            yield
            return
        with Live(self._render(), console=self._console, auto_refresh=False) as self._live:
            try:
                yield
            finally:
                self._live.update(self._render(), refresh=True)

    def watch(self, moment: Moment) -> None:
        """Takes note of what happens."""
        self._moment = moment
        if moment.event is not None:
            self._events.append(moment.event)
            if self._live is None and (words := describe(moment.event)):
                self._console.print(words, markup=False, highlight=False, soft_wrap=True)
                self._console.file.flush()
        if self._live is not None and (moment.event is not None or time.monotonic() - self._drawn > _REDRAW_S):
            self._drawn = time.monotonic()
            self._live.update(self._render(), refresh=True)

    def _render(self) -> Group:
        history = History(self._events)
        parts: list[Any] = [Text(f"{self._run.name}  {self._run.path}", style="bold")]
        if history.of_kind("rating"):
            parts.append(ratings_table(history))
        parts += [Text(line, style="bright_black") for line in _latest(history)]
        if self._moment is not None and self._moment.event is None:
            parts.append(self._stage(self._moment))
        return Group(*parts)

    def _stage(self, moment: Moment) -> Table:
        words = f"network {moment.generation} of {self._recipe.generations}: {_STAGES[moment.stage]}"
        line = Table.grid(padding=(0, 2))
        bar = ProgressBar(total=moment.total, completed=moment.done, width=30) if moment.total else ""
        line.add_row(words, bar, f"{moment.done}/{moment.total}" if moment.done else "")
        return line


def ratings_table(history: History) -> Table:
    """Returns the last ratings as a table, the first always among them."""
    rows = [rating_row(event) for event in history.of_kind("rating")]
    columns = list(dict.fromkeys(column for row in rows for column in row))
    shown = rows if len(rows) <= _MOST_ROWS else [rows[0], *rows[1 - _MOST_ROWS :]]
    table = Table(box=None, header_style="bright_black", padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(
            column if column == "generation" or column.startswith("mistakes") else f"vs {column}", justify="right"
        )
    for row in shown:
        table.add_row(*(row.get(column, "") for column in columns))
    return table


def random_table_view(history: History, random: dict[str, float], players: tuple[str, str]) -> Table:
    """Returns the book's Table 5.1 or 5.2: every rated network against a random player who moves first."""
    table = Table(box=None, header_style="bright_black", padding=(0, 2, 0, 0))
    table.add_column("random player against the ...")
    for name in (f"{players[0]} wins", "draw", f"{players[1]} wins"):
        table.add_column(name, justify="right")
    for name, odds in random_rows(history, random):
        table.add_row(name, *(f"{100 * odds[key]:.2f} %" for key in ("first", "draw", "second")))
    return table


def describe(event: dict[str, Any]) -> str:
    """Writes an event in a line; an empty one says nothing."""
    number = event["generation"]
    match event["event"]:
        case "rating":
            cells = rating_row(event)
            del cells["generation"]
            words = [
                f"{value} {name}" if name.startswith("mistakes") else f"{value} against {name}"
                for name, value in cells.items()
            ]
            return f"network {number}: " + ", ".join(words)
        case "train":
            losses = ", ".join(f"{name} {loss:.3f}" for name, loss in event["losses"].items())
            return f"network {number}: trained {event['steps']:,} steps, {losses}"
        case "play" if "games" in event:
            return (
                f"generation {number}: {event['games']:,} games of {event['mean_plies']} plies, first player wins "
                f"{event['first_wins']:.0%}, draws {event['draws']:.0%}, "
                f"{event['evaluations_per_second']:,} evaluations/s"
            )
        case "grow":
            learned = f"learned from the window in {event['steps']:,} steps, loss {event['losses']['loss']:.3f}"
            return f"network {number}: a network of another size {learned}"
        case "refused":
            return f"games refused: {event['reason']}"
        case "gate":
            verdict = "plays from now on" if event["passed"] else "does not play"
            return f"network {number}: {event['score']:.1%} against network {event['against']}, {verdict}"
        case "guard":
            facts = {name: value for name, value in event.items() if name not in ("event", "generation")}
            return "before training: " + ", ".join(f"{name} {value:.3f}" for name, value in facts.items())
    return ""


def _latest(history: History) -> list[str]:
    """The newest numbers of playing and learning, and how the loss went."""
    lines = [describe(events[-1]) for kind in ("play", "gate") if (events := history.of_kind(kind))]
    trained = history.of_kind("train")
    if trained:
        losses = [event["losses"]["loss"] for event in trained]
        lines.append(
            f"loss {losses[-1]:.3f} {sparkline(losses[-40:], 40)}  {trained[-1]['samples_per_second']:,} samples/s"
        )
    return [line for line in lines if line]
