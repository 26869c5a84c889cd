"""`philidor train personal`: the human network, trained further on one person's games."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from philidor.cli.arguments import AsJson, ReadingThreads, say, say_stopped, stop_signals
from philidor.cli.options import with_config
from philidor.cli.train.games import open_games_run, shown
from philidor.cli.train.torch_extra import torch_extra
from philidor.core.cores import cores
from philidor.pipelines.personal import PersonalConfig

if TYPE_CHECKING:
    from philidor.pipelines.personal import Outcome

_UNSAFE = re.compile(r"[^a-z0-9]+")


@with_config(PersonalConfig)
def personal(
    config: PersonalConfig,
    games: Annotated[
        list[Path], typer.Option(metavar="FILE", help="The person's games: PGN or .rec; may be repeated.")
    ],
    player: Annotated[str, typer.Option(metavar="NAME", help="The person, as the games write the name.")],
    net: Annotated[
        str,
        typer.Option(help="Network to begin with: a .safetensors over human-1 or leela-1-flat, or a shipped one."),
    ] = "human-1",
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="DIR", help="The run folder; runs/personal-NAME if not given.")
    ] = None,
    threads: ReadingThreads = None,
    as_json: AsJson = False,
) -> None:
    """Trains the human network further on one person's games, and says how much better it predicts that person.

    A fifth of the games is kept to measure on. At least 50 games are needed; some hundred make a difference.
    """
    from philidor.core.runs import no_empty_run
    from philidor.nets.shipped import find_net

    with torch_extra():
        from philidor.pipelines.games_report import write_games_report
        from philidor.pipelines.personal import PersonalLoop, personal_recipe, split_games
        from philidor.train.torch import games as _  # noqa: F401 - only to see whether torch is here
    recipe = personal_recipe(find_net(net), games, config.training, threads or cores())
    folder = out or Path("runs") / f"personal-{_UNSAFE.sub('-', player.lower()).strip('-') or 'player'}"
    with no_empty_run(folder), stop_signals() as is_stopped, shown(as_json) as watch:
        run = open_games_run(recipe, folder)
        split = split_games(games, player, run, watch=watch, is_stopped=is_stopped)
        if split is None:
            say_stopped(as_json=as_json)
        person = PersonalLoop(recipe, run, *split, threads=recipe.threads, watch=watch, is_stopped=is_stopped)
        is_done = person.go()
        write_games_report(run, recipe)
        outcome = person.outcome() if is_done else None
    if outcome is None:
        say_stopped(as_json=as_json)
    network = person.loop.network_path
    if as_json:
        facts = {**dataclasses.asdict(outcome), "is_better": outcome.is_better}
        print(json.dumps({"network": str(network), "player": player, **facts}))
        return
    say(describe_outcome(outcome, player))
    say(str(network))


def describe_outcome(outcome: Outcome, player: str) -> str:
    """Writes what the training has brought, in two or three lines."""
    top1, surprise = outcome.top1, outcome.cross_entropy
    lines = [
        f"{outcome.positions:,} moves of {player} in {outcome.kept_games} games that were not learned from:",
        f"first choice {outcome.top1_before:.1%} before, {outcome.top1_after:.1%} after "
        f"({100 * top1.mean:+.1f} ± {100 * top1.margin:.1f} points)",
        f"cross-entropy {outcome.cross_entropy_before:.3f} before, {outcome.cross_entropy_after:.3f} after "
        f"({surprise.mean:+.3f} ± {surprise.margin:.3f}; less is better)",
    ]
    if not outcome.is_better:
        lines.append("No improvement beyond chance: more games would help, or the network before is as good.")
    return "\n".join(lines)
