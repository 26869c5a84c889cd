"""`philidor analyse`: games reviewed into an annotated PGN and a page of HTML, or one position as a table."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from philidor.cli.arguments import AsJson, refuse_ignored
from philidor.cli.options import with_config
from philidor.core.cores import cores
from philidor.core.errors import ConfigError, PgnError
from philidor.reviews.config import ReviewConfig

if TYPE_CHECKING:
    from rich.text import Text

    from philidor.reviews.many import Judged
    from philidor.reviews.review import GameReview
    from philidor.reviews.sheets import Sheet

app = typer.Typer(add_completion=False)

PGN_NAME, PAGE_NAME, JUDGED_NAME = "annotated.pgn", "report.html", "judged.jsonl"

Games = Annotated[
    list[Path] | None,
    typer.Argument(metavar="GAMES.pgn", help="PGN files, plain or compressed.", show_default=False),
]
Fen = Annotated[
    str | None,
    typer.Option(
        "--fen", help="One position instead of games: its candidate moves, and who plays them.", show_default=False
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out", "-o", metavar="DIR", help="Folder for the results; GAMES-analysis if not given.", show_default=False
    ),
]
Concurrency = Annotated[int | None, typer.Option(min=1, help="Engines at work at a time; all cores if not given.")]


@app.command()
@with_config(ReviewConfig)
def analyse(
    context: typer.Context,
    config: ReviewConfig,
    games: Games = None,
    fen: Fen = None,
    out: Out = None,
    concurrency: Concurrency = None,
    as_json: AsJson = False,
) -> None:
    """Reviews games: an annotated PGN and one page of HTML that needs nothing else.

    What was judged is kept in the folder: a command that was stopped continues where it was. With --fen it prints the
    candidate moves of a position, what each costs, and how likely people of each rating play it.
    """
    if fen is not None:
        if games:
            raise ConfigError("either games or --fen, not both")
        refuse_ignored(context, ["out", "concurrency"], "--fen prints a table")
        from philidor.cli.analyse_position import show_position

        show_position(fen, config, as_json=as_json)
        return
    if not games:
        raise ConfigError("nothing to analyse: name PGN files, or a position with --fen")
    _analyse_games(
        games,
        config,
        out or Path(f"{games[0].name.partition('.')[0].strip('-') or 'games'}-analysis"),
        concurrency,
        as_json,
    )


def _analyse_games(
    paths: list[Path], config: ReviewConfig, folder: Path, concurrency: int | None, as_json: bool
) -> None:
    from philidor.core.runs import hold_folder, write_atomic
    from philidor.reviews.many import Judged
    from philidor.reviews.page import page

    sheets = _read(paths)
    _make_folder(folder)
    lock = hold_folder(folder)
    judged = Judged(folder / JUDGED_NAME, config)
    began = time.monotonic()
    reviews = _review(sheets, config, judged, folder, concurrency or cores())
    write_atomic(folder / PGN_NAME, "".join(review.pgn() for review in reviews))
    write_atomic(folder / PAGE_NAME, page(reviews))
    del lock
    seconds = time.monotonic() - began
    if as_json:
        files = {"pgn": str(folder / PGN_NAME), "page": str(folder / PAGE_NAME)}
        print(json.dumps({**files, "seconds": round(seconds, 2), "games": [review.to_dict() for review in reviews]}))
        return
    _show(reviews)
    positions = sum(len(review.moves) + 1 for review in reviews)
    games = f"{len(reviews)} game{'' if len(reviews) == 1 else 's'}"
    print(f"{games}, {positions} positions in {seconds:.1f} s, by {reviews[0].judge}")
    print(f"{folder / PAGE_NAME}\n{folder / PGN_NAME}")


def _read(paths: list[Path]) -> list[Sheet]:
    """Reads the games; says which cannot be read. Raises PgnError if none can."""
    from philidor.reviews.sheets import BrokenGame, read_sheets

    sheets = []
    for path in paths:
        for number, game in enumerate(read_sheets(path), start=1):
            if isinstance(game, BrokenGame):
                _warn(f"{path}, game {game.number} is left out: {game.problem}")
                continue
            sheets.append(game)
            for problem in game.problems:
                _warn(f"{path}, game {number}: a variation was cut short: {problem}")
    if not sheets:
        raise PgnError("none of the games can be read")
    return sheets


def _review(sheets: list[Sheet], config: ReviewConfig, judged: Judged, folder: Path, workers: int) -> list[GameReview]:
    from philidor.cli.people.options import progress
    from philidor.reviews.many import review_many

    with _resumable(folder), progress() as update:
        return review_many(
            sheets,
            config,
            judged,
            workers=workers,
            progress=lambda done, total: update(f"{len(sheets)} games, positions", done, total),
        )


@contextmanager
def _resumable(folder: Path) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        _warn(f"stopped; what was judged is in {folder}, and the same command goes on")
        raise


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"cannot write into {str(folder)!r}: {(error.strerror or str(error)).lower()}") from None


def _show(reviews: list[GameReview]) -> None:
    from rich.console import Console
    from rich.table import Table

    from philidor.reviews.summary import summarize

    table = Table(box=None, padding=(0, 2, 0, 0))
    for column in ("player", "games", "points", "accuracy", "average loss", "?!", "?", "??"):
        table.add_column(column, justify="left" if column == "player" else "right")
    for player in summarize(reviews):
        accuracy = "" if player.accuracy is None else f"{player.accuracy:.1f} %"
        loss = "" if player.average_loss is None else f"{player.average_loss:.0f} cp"
        errors = map(str, (player.inaccuracies, player.mistakes, player.blunders))
        table.add_row(_plain(player.name), str(player.games), f"{player.points:g}", accuracy, loss, *errors)
    Console().print(table)


def _plain(name: str) -> Text:
    """Returns a name as it is: a player may be called "[red]", or something that a terminal obeys."""
    from rich.text import Text

    from philidor.core.errors import one_line

    return Text(one_line(name))


def _warn(words: str) -> None:
    from philidor.core.errors import one_line

    print(f"philidor: {one_line(words)}", file=sys.stderr)
