"""`philidor gtp`: our players of Go for programs and servers, spoken to in GTP."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(add_completion=False)


@app.command()
def gtp(
    engine: Annotated[
        str, typer.Option(help="The player and its settings, as in matches: 'uct iterations=50000', 'random'.")
    ] = "uct iterations=20000 exploration=0.5",
    size: Annotated[
        int | None,
        typer.Option(min=1, max=19, help="Side of the board until 'boardsize' says another; 19 if not given."),
    ] = None,
    resign: Annotated[
        float, typer.Option(min=0.0, max=0.5, help="Winning chance below which the player resigns; 0 for never.")
    ] = 0.0,
) -> None:
    """Speaks GTP 2 on standard input and output, for Sabaki, Lizzie, GoGui and Go servers."""
    from philidor.arena.engines import parse_engine
    from philidor.core.errors import ConfigError
    from philidor.frontends.gtp.engine import GtpEngine
    from philidor.frontends.gtp.loop import GtpLoop
    from philidor.frontends.uci.input import read_lines
    from philidor.games.go import Go
    from philidor.players import can_play, check_networks, player_class

    spec = parse_engine(engine)
    if spec.player is None:
        raise ConfigError(f"the engine is one of our players, got the program {engine!r}")
    kind = player_class(spec.player)
    game = Go(size or 19, size or 19)
    if not can_play(kind, game):
        raise ConfigError(f"{spec.player} does not play Go")
    player = kind(spec.config())
    if size is not None:
        check_networks(player, game)
    GtpLoop(GtpEngine(player, size or 19, resign)).run(read_lines(0))
