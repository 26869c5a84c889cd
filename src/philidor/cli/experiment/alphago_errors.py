"""`philidor experiment alphago-errors`: how well the value network and playouts foresee results, by move number."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from philidor.cli.arguments import AsJson, give, stop_signals
from philidor.cli.people.options import progress
from philidor.cli.train.torch_extra import torch_extra
from philidor.core.errors import ConfigError
from philidor.games.go import Go


def alphago_errors(
    policy: Annotated[Path, typer.Option(metavar="NET", help="The policy network that plays.")] = Path(
        "alphago-9x9-rl"
    ),
    value: Annotated[Path, typer.Option(metavar="NET", help="The value network.")] = Path("alphago-9x9-value"),
    rollout: Annotated[Path, typer.Option(metavar="NET", help="The rollout policy.")] = Path("alphago-9x9-rollout"),
    game: Annotated[str, typer.Option(help="The game, with its komi.")] = "go-9x9,komi=7.5",
    games: Annotated[int, typer.Option(min=1, help="Games to play.")] = 64,
    playouts: Annotated[int, typer.Option(min=1, help="Playouts of each kind per position.")] = 32,
    width: Annotated[int, typer.Option(min=1, help="Plies that a row of the table is about.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="Seed of all chance.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Compares the value network with playouts at foreseeing the results of games (AlphaGo's Fig. 2b)."""
    with torch_extra():
        from philidor.nets.torch.files import load_network
    from philidor.evaluators.network import NetEvaluator
    from philidor.evaluators.patterns import PatternEvaluator
    from philidor.games import load_game
    from philidor.nets.shipped import find_net
    from philidor.pipelines.alphago_errors import measure_errors
    from philidor.players.alphago_policy import load_policy

    rules = load_game(game)
    if not isinstance(rules, Go):
        raise ConfigError(f"AlphaGo's networks play Go, got {game!r}")
    judge = load_policy(find_net(value), rules)
    if not isinstance(judge, NetEvaluator):
        raise ConfigError(f"{str(value)!r} is no value network")
    with stop_signals() as is_stopped, progress() as update:
        rows = measure_errors(
            load_network(find_net(policy)).eval(),
            judge,
            PatternEvaluator.load(find_net(rollout)),
            rules,
            games=games,
            playouts=playouts,
            width=width,
            seed=seed,
            is_stopped=is_stopped,
            report=update,
        )
    lines = [
        f"{'plies':>9} {'positions':>10} {'value network':>14} {'uniform':>8} {'rollouts':>9}   (error; 0.25: nothing)"
    ]
    lines += [
        f"{f'{row.first_ply}-{row.last_ply}':>9} {row.positions:10,} {row.value_network:14.3f} "
        f"{row.uniform_playouts:8.3f} {row.rollouts:9.3f}"
        for row in rows
    ]
    give({"rows": [asdict(row) for row in rows]}, "\n".join(lines), as_json=as_json)
