"""`philidor play`: a game against any player of the table."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from philidor.cli.options import checked_settings, with_settings
from philidor.players import PLAYERS, player_class

app = typer.Typer(add_completion=False)


@app.command()
@with_settings({name: player_class(name).config_class for name in PLAYERS})
def play(
    terminal: Annotated[bool, typer.Option("--terminal", help="Play in the terminal.", show_default=False)] = True,
    game: Annotated[str, typer.Option(help="The game: a name, a size ('hexapawn-4x4') or 'file.py:Class'.")] = "chess",
    opponent: Annotated[str | None, typer.Option(help=f"One of {', '.join(PLAYERS)} or person.")] = None,
    level: Annotated[int | None, typer.Option(min=1, help="The opponent's level, from 1.")] = None,
    side: Annotated[str | None, typer.Option(help="Your side: white, black, first, second or random.")] = None,
    fen: Annotated[str | None, typer.Option("--fen", "--state", help="Where to begin.")] = None,
    chess960: Annotated[int | None, typer.Option(help="Begin with this Chess960 position, 0 to 959.")] = None,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Draw with plain letters only.")] = False,
    resume: Annotated[bool | None, typer.Option(help="Go on with the unfinished game.")] = None,
    *,
    given: dict[str, Any],
) -> None:
    """Plays a game in the terminal: moves in SAN or UCI; 'help' inside shows the rest."""
    from rich.console import Console

    from philidor.frontends.terminal import PERSON, GameChoice, Terminal, default_opponent
    from philidor.games import load_game

    if opponent is None and (given or level is not None):
        opponent = default_opponent(load_game(game).state())
    if given and opponent is not None and opponent != PERSON:
        given = checked_settings(opponent, player_class(opponent).config_class, given)
    choice = GameChoice(
        game=game, start=fen, chess960=chess960, opponent=opponent, level=level, side=side, settings=given
    )
    is_interactive = sys.stdin.isatty() and sys.stdout.isatty()
    console = Console(highlight=False)
    Terminal(choice, console, is_interactive=is_interactive, ascii_only=ascii_only).run(resume=resume)
