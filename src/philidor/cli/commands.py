"""The table of subcommands; a module is imported when its command runs, so that `philidor --help` stays quick."""

from __future__ import annotations

import importlib
from collections import Counter
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from philidor.cli.help import HELP_ALL, help_text
from philidor.core.errors import UnknownNameError

# Name -> (module with a typer app called `app`, what the command does in a line).
COMMANDS = {
    "play": ("philidor.cli.play", "Play against the engines, in the browser or in the terminal."),
    "analyse": ("philidor.cli.analyse", "Review games: annotated PGN and one page of HTML."),
    "book": ("philidor.cli.book", "Run a listing, figure or table of the book."),
    "search": ("philidor.cli.search", "Run the book's searches on any game and look at their trees."),
    "eval": ("philidor.cli.evaluate", "Evaluate a position by a network, by terms or by the book."),
    "uci": ("philidor.cli.uci", "Speak UCI with a chess program."),
    "gtp": ("philidor.cli.gtp", "Speak GTP with a Go program."),
    "match": ("philidor.cli.match", "Let engines play each other and measure the difference."),
    "bench": ("philidor.cli.bench", "Search fixed positions: signature and speed of an engine."),
    "perft": ("philidor.cli.perft", "Count the positions reachable in a number of moves."),
    "tune": ("philidor.cli.tune", "Fit the handcrafted evaluation to scored games."),
    "tune-search": ("philidor.cli.tune_search", "Tune the numbers of the search by playing games."),
    "data": ("philidor.cli.data", "Turn PGN and SGF into records; play, score, count and split games."),
    "train": ("philidor.cli.train", "Train networks, from games or by self-play."),
    "runs": ("philidor.cli.runs", "List, compare and show training runs."),
    "serve-training": ("philidor.cli.serve_training", "Let volunteers play for a training run."),
    "contribute": ("philidor.cli.contribute", "Play games for somebody's training run."),
    "net": ("philidor.cli.net", "Look into network files, convert, verify and measure them."),
    "experiment": ("philidor.cli.experiment", "Answer questions of the book by measurement."),
    "doctor": ("philidor.cli.doctor", "Show what is installed, what is missing and how to get it."),
}


class LazyCommand(TyperCommand):
    """Stands for a subcommand in the overview; becomes the real one when its arguments are read."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Imports the command's module and lets its command read the arguments."""
        assert self.name is not None
        return load_command(self.name).make_context(info_name, args, parent, **extra)


class LazyGroup(TyperGroup):
    """All subcommands by their table."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Returns the names in the table's order: what most people want first."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Returns a command that is not imported yet; raises UnknownNameError, which names the nearest."""
        if cmd_name not in COMMANDS:
            raise UnknownNameError("command", cmd_name, COMMANDS)
        return LazyCommand(cmd_name, help=COMMANDS[cmd_name][1])


class StrictCommand(TyperCommand):
    """A command that refuses an option given twice, of which the last one would silently count, and has short help."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Reads the arguments. Raises BadParameter, which names the option."""
        if HELP_ALL in args[: args.index("--") if "--" in args else len(args)]:
            print(help_text(self, ctx, everything=True))
            raise typer.Exit
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        for option, count in Counter(order).items():
            # What is read before the rest, --help, ends the command however often it is there.
            if count > 1 and isinstance(option, TyperOption) and not option.multiple and not option.is_eager:
                raise typer.BadParameter(f"given {count} times, expected once", ctx=ctx, param=option)
        return super().parse_args(ctx, args)

    def get_help(self, ctx: Any) -> str:
        """Returns the help, without the details."""
        return help_text(self, ctx)


def strict_command(app: typer.Typer) -> Any:
    """Returns the click command of a typer app, each of whose commands refuses an option given twice."""
    _make_strict(app)
    return typer.main.get_command(app)


def _make_strict(app: typer.Typer) -> None:
    for command in app.registered_commands:
        command.cls = StrictCommand
    for group in app.registered_groups:
        if group.typer_instance is not None:
            _make_strict(group.typer_instance)


def load_command(name: str) -> Any:
    """Imports a subcommand's module and returns its click command."""
    return strict_command(importlib.import_module(COMMANDS[name][0]).app)
