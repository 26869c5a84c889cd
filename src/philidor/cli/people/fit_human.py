"""`philidor net fit-human`: how much what it sees must count, for the player human to err as people do."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from philidor.arena.people.looks import FitConfig
from philidor.cli.arguments import AsJson, give
from philidor.cli.options import with_config
from philidor.cli.people.options import EngineWorkers, Games, Threads, progress
from philidor.core.config import to_dict
from philidor.core.cores import cores
from philidor.nets.shipped import HUMAN_NET
from philidor.players.human_sight import LAPSES


@with_config(FitConfig)
def fit_human(
    config: FitConfig,
    games: Games,
    net: Annotated[Path, typer.Option(metavar="NET", help="The network of the player human.")] = Path(HUMAN_NET),
    cache: Annotated[
        Path, typer.Option(metavar="FILE", help="Looks that are kept from run to run; made if it is not there.")
    ] = Path("looks.jsonl"),
    temperatures: Annotated[
        str | None,
        typer.Option(metavar="A,B,C", help="Temperatures of opening, middle game and endgame; the player's own."),
    ] = None,
    lapses: Annotated[
        float, typer.Option(min=0.0, max=0.9, help="Share of moves drawn without a look; of a fit, not of --measure.")
    ] = LAPSES,
    judgments: Annotated[
        Path, typer.Option(metavar="FILE", help="File of judgments kept from run to run, as of net errors.")
    ] = Path("judgments.sqlite"),
    measure: Annotated[
        bool, typer.Option("--measure", help="Measure the player's own table instead of fitting one.")
    ] = False,
    threads: Threads = None,
    workers: EngineWorkers = None,
    as_json: AsJson = False,
) -> None:
    """Fits how much a loss that the player human sees counts, so that its moves lose what people's moves lose.

    Losses are those by a judge who searches longer than the player looks. A command that was stopped continues where it
    was. What it prints is the table HABITS of players/human_sight.py.
    """
    from philidor.arena.people.fitting import fit_all, fit_text, measure_all
    from philidor.arena.people.judgments import Judgments
    from philidor.arena.people.looks import draw_looked_at, judge_all, look_at_all
    from philidor.arena.people.report import estimate_facts
    from philidor.core.errors import ConfigError
    from philidor.games.chess.phases import PHASES
    from philidor.players import load_engine
    from philidor.players.human import HumanPlayer

    given = _numbers(temperatures)
    player = load_engine("human", net=net, threads=threads or cores())
    assert isinstance(player, HumanPlayer)
    if not player.network.knows_ratings:
        raise ConfigError(f"{str(net)!r} knows no ratings: there is nothing to fit by them")
    with progress() as update:
        sample = draw_looked_at(games, config, lambda seen: update("reading games", seen, None))
        looked = look_at_all(sample, player.network, player.config, cache, update)
        with Judgments(judgments, config.judging) as store:
            judged = judge_all(looked, store, workers=workers or cores(), report=update)
    phases = PHASES if config.phase == "all" else (config.phase,)
    rows = measure_all(judged, config.parsed_bands()) if measure else fit_all(judged, given, phases, lapses)
    facts: list[dict[str, Any]] = [
        {
            "phase": row.phase,
            "positions": row.positions,
            **(row.habit._asdict() if row.habit else {}),
            "drawn": row.found,
            "first": row.first,
            "log_chance": row.log_chance,
            "loss": row.loss,
            "ratio": estimate_facts(row.ratio),
            "errors": row.errors,
            "error_ratios": {size: estimate_facts(ratio) for size, ratio in row.error_ratios.items()},
        }
        for row in rows
    ]
    settings = {**to_dict(config), "games": [str(file) for file in games], "net": str(net)}
    share = LAPSES if measure else lapses
    give({"sample": settings, "lapses": share, "rows": facts}, fit_text(rows, share), as_json=as_json)


def _numbers(text: str | None) -> list[float] | None:
    from philidor.core.errors import ConfigError

    if text is None:
        return None
    try:
        found = [float(part) for part in text.split(",")]
    except ValueError:
        found = []
    if len(found) != 3 or not all(0.05 <= number <= 10 for number in found):
        raise ConfigError(f"temperatures are three numbers from 0.05 to 10, as 1,0.75,0.75, got {text!r}")
    return found
