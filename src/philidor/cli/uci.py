"""`philidor uci`: the engine for chess programs and bots, spoken to in UCI."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from philidor.cli.arguments import refuse_ignored
from philidor.cli.uci_program import net_option, serve
from philidor.players import DEFAULT_ENGINE, ENGINES

app = typer.Typer(add_completion=False)


@app.command()
def uci(
    context: typer.Context,
    engine: Annotated[
        str, typer.Option(help=f"The engine: {', '.join(ENGINES)}; also the UCI option Engine.")
    ] = DEFAULT_ENGINE,
    net: Annotated[
        Path | None,
        typer.Option(help="The engine's network: a file or a shipped one's name; also UCI options, such as EvalFile."),
    ] = None,
    rating: Annotated[
        int | None,
        typer.Option(help="The rating to play at; also the UCI options SelfElo (human) and UCI_Elo (the others)."),
    ] = None,
) -> None:
    """Speaks UCI on standard input and output, for chess GUIs, match runners and bots."""
    if engine in ENGINES and net_option(engine) is None:
        refuse_ignored(context, ["net"], f"the engine {engine} has no network")
    serve(engine, net, rating)
