"""`philidor book tournament`: every system of the book against every other; games and tables are kept."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from philidor.book.items import Exhibit, Item
from philidor.book.pages import markdown_table
from philidor.core.cores import cores

if TYPE_CHECKING:
    from philidor.arena.game import GameResult
    from philidor.book.tournament import Section, Tournament

FOLDER = Path("runs/book-tournament")
"""Where a tournament goes without --out."""


def play_tournament(
    item: Item,
    *,
    games: int,
    nets: Sequence[Path],
    out: Path | None,
    minutes: float | None,
    concurrency: int | None,
    as_json: bool,
) -> Exhibit:
    """Plays what is missing of a tournament, writes its tables into the folder and shows them."""
    from philidor.book.tournament import Tournament
    from philidor.cli.arguments import kill_interrupts
    from philidor.cli.book_view import show_exhibit

    folder = out or FOLDER
    tournament = Tournament(folder, nets)
    seconds = None if minutes is None else 60 * minutes
    with kill_interrupts(), _Progress(tournament, games, is_quiet=as_json) as shown:
        try:
            is_done = tournament.play(games, concurrency or cores(), shown.update, seconds)
        except KeyboardInterrupt:
            _say("stopped; the same command continues")
            _write(folder, tournament)
            raise
    if not is_done:
        _say("the time is over; the same command continues")
    exhibit = tournament.exhibit()
    _write(folder, tournament)
    if as_json:
        print(json.dumps(_data(tournament), indent=2, ensure_ascii=False))
    else:
        show_exhibit(item, exhibit)
        print(f"games and tables: {folder}")
    return exhibit


def _write(folder: Path, tournament: Tournament) -> None:
    text = "\n\n".join(f"**{table.title}**\n\n{markdown_table(table)}" for table in tournament.exhibit().tables)
    (folder / "tables.md").write_text(text + "\n", encoding="utf-8")


def _data(tournament: Tournament) -> dict[str, Any]:
    from philidor.arena.report import data_report

    return {section.match.config.game: data_report(section.match) for section in tournament.sections}


def _say(line: str) -> None:
    print(f"philidor: {line}", file=sys.stderr)


class _Progress:
    """A bar for each section; without a terminal a line a minute."""

    def __init__(self, tournament: Tournament, games: int, *, is_quiet: bool) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        console = Console(stderr=True)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._bars = Progress(*columns, console=console, disable=is_quiet or not console.is_terminal)
        self._tasks = {
            section.title: self._bars.add_task(
                section.title, total=section.total(games), completed=section.match.standings.games
            )
            for section in tournament.sections
        }
        self._totals = {section.title: section.total(games) for section in tournament.sections}
        self._is_plain, self._said = not is_quiet and not console.is_terminal, time.monotonic()

    def update(self, section: Section, result: GameResult) -> None:
        """Takes note of a game; faults are said at once."""
        standings = section.match.standings
        self._bars.update(self._tasks[section.title], completed=standings.games)
        if result.fault is not None:
            loser = result.black if result.white_points == 1.0 else result.white
            _say(f"game {result.number + 1}: {result.fault} by {section.match.engines[loser].name}: {result.detail}")
        if self._is_plain and time.monotonic() - self._said >= 60:
            self._said = time.monotonic()
            _say(f"{section.title}: {standings.games} of {self._totals[section.title]} games")

    def __enter__(self) -> _Progress:
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bars.stop()
