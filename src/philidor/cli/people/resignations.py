"""`philidor net resignations`: how often the player human would resign games that people did not lose."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from philidor.arena.people.resignations import ResignationConfig
from philidor.cli.arguments import AsJson, give
from philidor.cli.options import with_config
from philidor.cli.people.options import Games, Threads, progress
from philidor.core.config import to_dict
from philidor.core.cores import cores
from philidor.nets.shipped import HUMAN_NET


@with_config(ResignationConfig)
def resignations(
    config: ResignationConfig,
    games: Games,
    net: Annotated[Path, typer.Option(metavar="NET", help="The network of the player human.")] = Path(HUMAN_NET),
    resign_loss: Annotated[
        float | None, typer.Option(min=0.5, max=1, help="Probability of losing from which it resigns.")
    ] = None,
    resign_moves: Annotated[int | None, typer.Option(min=1, help="Moves in a row at which that must hold.")] = None,
    threads: Threads = None,
    as_json: AsJson = False,
) -> None:
    """Measures how often the player human would resign a game that the person in its place did not lose.

    People's games are replayed with the ratings of both players; the player's own rule decides unless it is replaced.
    """
    from philidor.arena.people.report import estimate_facts
    from philidor.arena.people.resignations import follow_games, resignation_text, summarize_resignations
    from philidor.arena.people.sample import draw_sample
    from philidor.players import load_engine
    from philidor.players.human import HumanPlayer

    given = {"resign_loss": resign_loss, "resign_moves": resign_moves}
    rule: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    player = load_engine("human", net=net, threads=threads or cores(), **rule)
    assert isinstance(player, HumanPlayer)
    with progress() as update:
        sample = draw_sample(games, config, lambda seen: update("reading games", seen, None))
        rows = summarize_resignations(sample, follow_games(sample, player, report=update))
    facts: list[dict[str, Any]] = [
        {
            "band": row.band,
            "games": row.games,
            "lost": row.lost,
            "resigned": row.resigned,
            "false": estimate_facts(row.false),
        }
        for row in rows
    ]
    settings = {**to_dict(config), "games": [str(file) for file in games], "net": str(net)}
    settings |= {"resign_loss": player.config.resign_loss, "resign_moves": player.config.resign_moves}
    give({"sample": settings, "rows": facts}, resignation_text(rows), as_json=as_json)
