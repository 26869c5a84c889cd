"""`philidor experiment alphago-overfitting`: what a value network learns by heart from whole games."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from philidor.cli.arguments import AsJson, RunFolder, give, say_stopped, stop_signals
from philidor.cli.people.options import progress
from philidor.cli.train.torch_extra import torch_extra

if TYPE_CHECKING:
    from philidor.pipelines.alphago_overfitting import Twin

PAPER = "the paper, 19x19: 0.226 learned, 0.234 others; whole games of people 0.19 learned, 0.37 others"


def alphago_overfitting(
    out: RunFolder,
    policy: Annotated[
        Path, typer.Option(metavar="NET", help="The policy that plays the games: a network, or a linear policy.")
    ] = Path("alphago-9x9-tree"),
    game: Annotated[str, typer.Option(help="The game, with its komi.")] = "go-9x9,komi=7.5",
    games: Annotated[int, typer.Option(min=2, help="Games of which one position each is learned.")] = 20_000,
    steps: Annotated[int, typer.Option(min=1, help="Steps of each training, of 256 positions.")] = 2_000,
    blocks: Annotated[int, typer.Option(min=0, help="3x3 convolutions of the network.")] = 3,
    filters: Annotated[int, typer.Option(min=1, help="Channels of the network.")] = 32,
    measurements: Annotated[int, typer.Option(min=1, help="Measurements of each training.")] = 8,
    seed: Annotated[int, typer.Option(min=0, help="Seed of all chance.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Trains a value network on one position a game, and on whole games, and compares the errors (AlphaGo's 0.37)."""
    with torch_extra():
        from philidor.train.torch import value_network  # noqa: F401 - only to see whether torch is here
    from philidor.pipelines.alphago_overfitting import train_twins
    from philidor.train.value_config import ValueTrainingConfig

    config = ValueTrainingConfig(
        sl=policy,
        rl=policy,
        game=game,
        games=games,
        steps=steps,
        blocks=blocks,
        filters=filters,
        measure_every=max(1, steps // measurements),
        seed=seed,
    )
    with stop_signals() as is_stopped, progress() as update:

        def show(name: str, event: dict[str, Any]) -> None:
            share = event["share"] if event["event"] == "games" else event["progress"]
            update(f"{name}: {'games' if event['event'] == 'games' else 'training'}", round(100 * share), 100)

        twins = train_twins(config, out, is_stopped=is_stopped, report=show)
    if twins is None:
        say_stopped(as_json=as_json)
    give({"run": str(out), "twins": [asdict(twin) for twin in twins]}, _table(twins), as_json=as_json)


def _table(twins: list[Twin]) -> str:
    lines = [f"{twin.name}: {twin.positions:,} positions of {twin.games:,} games" for twin in twins]
    lines += ["", f"{'':>8}" + "".join(f"{twin.name:>22}" for twin in twins)]
    lines += [f"{'step':>8}" + f"{'learned':>13}{'others':>9}" * len(twins) + "   (error; 0.25: nothing)"]
    for row, step in enumerate(twins[0].steps):
        errors = (f"{twin.train_errors[row]:13.3f}{twin.test_errors[row]:9.3f}" for twin in twins)
        lines.append(f"{step:8,}" + "".join(errors))
    common = ", ".join(f"{twin.name} {twin.common_error:.3f}" for twin in twins)
    return "\n".join([*lines, "", f"on one position of each game that neither learned: {common}", PAPER])
