"""`philidor play`: the board in the browser, or a game in the terminal."""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from philidor.cli.arguments import refuse_ignored
from philidor.cli.options import checked_settings, with_settings
from philidor.players import NETWORK_PLAYERS, PLAYERS, player_class

app = typer.Typer(add_completion=False)

_BROWSER, _TERMINAL = "In the browser", "In the terminal"

_FOR_BROWSER = ("port", "host", "browser", "data", "nets", "engine", "runs")
_FOR_TERMINAL = ("opponent", "level", "side", "fen", "chess960", "ascii_only", "resume")

_Nets = Annotated[
    list[Path] | None,
    typer.Option(
        help="A folder of networks to play against, beside 'nets' in the folder of the games; may be repeated.",
        rich_help_panel=_BROWSER,
    ),
]
_Engines = Annotated[
    list[str] | None,
    typer.Option(
        help="A UCI program, or with proto=gtp a Go program, to play against, as NAME=COMMAND: "
        "'Fish=stockfish option.Hash=64'; may be repeated.",
        rich_help_panel=_BROWSER,
    ),
]
_Runs = Annotated[
    Path | None,
    typer.Option(
        help="A folder of training runs to watch in the browser; 'runs' if there is one.", rich_help_panel=_BROWSER
    ),
]
_Opponent = Annotated[
    str | None,
    typer.Option(
        help=f"One of {', '.join(PLAYERS)} or person; or net: PUCT over a network, with --net FILE one of your own.",
        rich_help_panel=_TERMINAL,
    ),
]


@app.command()
@with_settings({name: player_class(name).config_class for name in (*PLAYERS, *NETWORK_PLAYERS)}, are_details=True)
def play(
    context: typer.Context,
    terminal: Annotated[bool, typer.Option("--terminal", help="Play in the terminal.", show_default=False)] = False,
    game: Annotated[
        str | None,
        typer.Option(help="The game: a name, a size ('hexapawn-4x4') or 'file.py:Class'; chess if not given."),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=65535,
            help="Port to listen on; 8000 or the next free one if not given.",
            rich_help_panel=_BROWSER,
        ),
    ] = None,
    host: Annotated[
        str, typer.Option(help="Address to listen on; other machines need the token.", rich_help_panel=_BROWSER)
    ] = "127.0.0.1",
    browser: Annotated[bool, typer.Option(help="Open the browser.", rich_help_panel=_BROWSER)] = True,
    data: Annotated[
        Path | None,
        typer.Option(help="Folder of the games; $PHILIDOR_DATA or your own if not given.", rich_help_panel=_BROWSER),
    ] = None,
    nets: _Nets = None,
    engine: _Engines = None,
    runs: _Runs = None,
    opponent: _Opponent = None,
    level: Annotated[
        int | None, typer.Option(min=1, help="The opponent's level, from 1.", rich_help_panel=_TERMINAL)
    ] = None,
    side: Annotated[
        str | None, typer.Option(help="Your side: white, black, first, second or random.", rich_help_panel=_TERMINAL)
    ] = None,
    fen: Annotated[
        str | None, typer.Option("--fen", "--state", help="Position to begin with.", rich_help_panel=_TERMINAL)
    ] = None,
    chess960: Annotated[
        int | None, typer.Option(help="Begin with this Chess960 position, 0 to 959.", rich_help_panel=_TERMINAL)
    ] = None,
    ascii_only: Annotated[
        bool, typer.Option("--ascii", help="Draw with plain letters only.", rich_help_panel=_TERMINAL)
    ] = False,
    resume: Annotated[
        bool | None, typer.Option(help="Continue the unfinished game.", rich_help_panel=_TERMINAL)
    ] = None,
    *,
    given: dict[str, Any],
) -> None:
    """Opens the board in the browser; with --terminal plays right here."""
    if not terminal:
        # In the browser the analysis board asks the tables, in the terminal the opponent does.
        tables = [Path(name) for name in str(given.pop("syzygy", "")).split(",") if name]
        refuse_ignored(context, [*_FOR_TERMINAL, *given], "it is chosen in the browser; --terminal takes it here")
        folder = runs or (Path("runs") if Path("runs").is_dir() else None)
        _play_in_browser(game, port, host, browser, data, nets or [], engine or [], folder, tables)
        return
    refuse_ignored(context, _FOR_BROWSER, "it is for the board in the browser, not for --terminal")
    if resume:
        chosen = (name for name in [*_FOR_TERMINAL, *given] if name not in ("resume", "ascii_only"))
        refuse_ignored(context, chosen, "--resume continues the game as it was begun")

    from rich.console import Console

    from philidor.frontends.terminal import PERSON, GameChoice, Terminal, default_opponent
    from philidor.games import load_game

    if opponent == PERSON:
        refuse_ignored(context, ["side"], "both sides are played at this keyboard")
    name = game or "chess"
    if opponent is None and (given or level is not None):
        opponent = default_opponent(load_game(name))
    if given and opponent is not None and opponent != PERSON:
        given = checked_settings(opponent, player_class(opponent).config_class, given)
    choice = GameChoice(
        game=name, start=fen, chess960=chess960, opponent=opponent, level=level, side=side, settings=given
    )
    is_interactive = sys.stdin.isatty() and sys.stdout.isatty()
    console = Console(highlight=False)
    Terminal(choice, console, is_interactive=is_interactive, ascii_only=ascii_only).run(resume=resume)


def _play_in_browser(
    game: str | None,
    port: int | None,
    host: str,
    browser: bool,
    data: Path | None,
    nets: Sequence[Path],
    engines: Sequence[str],
    runs: Path | None,
    syzygy: Sequence[Path],
) -> None:
    from philidor.frontends.web.serve import ServeOptions, serve

    folder = data or (Path(os.environ["PHILIDOR_DATA"]) if os.environ.get("PHILIDOR_DATA") else None)
    games = () if game in (None, "chess") else (game,)
    options = ServeOptions(host=host, port=port, opens_browser=browser, data=folder, games=games)
    serve(dataclasses.replace(options, nets=nets, engines=engines, runs=runs, syzygy=syzygy))
