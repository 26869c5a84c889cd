"""`philidor experiment alphago-accuracy`: how often a policy of Go foresees the move, by symmetric forms."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal

import typer

from philidor.cli.arguments import AsJson, give, stop_signals
from philidor.cli.people.options import progress
from philidor.cli.train.torch_extra import torch_extra
from philidor.core.cores import cores
from philidor.core.errors import ConfigError

GoGamesFile = Annotated[Path, typer.Option("--games", metavar="FILE", help="Games of Go, as records (.rec).")]
Part = Annotated[
    Literal["train", "validation", "test", "all"],
    typer.Option(help="Which games: learned from, measured on during the training, at its end, or all."),
]


def alphago_accuracy(
    net: Annotated[Path, typer.Argument(metavar="NET", help="A policy network of Go, or a shipped one's name.")],
    games: GoGamesFile,
    part: Part = "test",
    forms: Annotated[str, typer.Option(metavar="A,B,...", help="Symmetric forms to average over.")] = "1,2,4,8",
    positions: Annotated[int, typer.Option(min=0, help="Positions to ask about, at most; 0 for all.")] = 0,
    device: Annotated[Literal["auto", "cpu", "cuda"], typer.Option(help="Where to compute.")] = "auto",
    threads: Annotated[int, typer.Option(min=0, help="Threads that read games; 0 is one for each core.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Measures how often a policy network's first choice was played (AlphaGo's Extended Data Table 3)."""
    with torch_extra():
        from philidor.train.torch.accuracy import FormsMean, measure_accuracy
        from philidor.train.torch.devices import place, torch_device
    from philidor.games import load_game
    from philidor.nets.shipped import find_net
    from philidor.nets.torch.files import load_network
    from philidor.train.game_data import GameData, GameDataConfig

    counts = _counts(forms)
    model, where = load_network(find_net(net)), torch_device(device)
    place(model, where)
    workers = threads or cores()
    game, encoding = load_game(model.config.game), model.config.load_encoding()
    data = GameData([games], game, encoding, GameDataConfig(batch=256, shuffle=4096), part=part, threads=workers)
    with stop_signals() as is_stopped, progress() as update:
        total, rows = measure_accuracy(
            FormsMean(model, game, encoding, where),
            data,
            forms=counts,
            points=encoding.shape.height * encoding.shape.width,
            most=positions,
            threads=workers,
            is_stopped=is_stopped,
            report=lambda done: update("asking", done, positions or data.positions),
        )
    lines = [f"{'forms':>6} {'first':>8} {'first five':>11}   {total:,} positions of {data.games:,} games"]
    lines += [f"{row.forms:6} {row.first:8.1%} {row.first_five:11.1%}" for row in rows]
    facts = {"net": str(net), "part": part, "positions": total, "rows": [asdict(row) for row in rows]}
    give(facts, "\n".join(lines), as_json=as_json)


def _counts(text: str) -> list[int]:
    try:
        found = [int(number) for number in text.split(",")]
    except ValueError:
        found = []
    if not found or not all(1 <= number <= 8 for number in found):
        raise ConfigError(f"numbers of symmetric forms are 1 to 8, separated by commas; got {text!r}")
    return found
