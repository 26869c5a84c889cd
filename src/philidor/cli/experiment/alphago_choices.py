"""`philidor experiment alphago-choices`: what settings of AlphaGo's search are worth, by the moves that they choose."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer

from philidor.cli.arguments import AsJson, give, stop_signals
from philidor.cli.people.options import progress

_PAPER: dict[str, Any] = {"mixing": 0.5, "c_puct": 5.0, "policy_temperature": 0.67, "threshold": 8}
# Beside the policy without a search: name and settings.
VARIANTS: dict[str, dict[str, Any]] = {
    "paper": _PAPER,
    "default": {},
    "half-rollouts": {"mixing": 0.5},
    "values": {"mixing": 0.0},
    "rollouts": {"mixing": 1.0},
    "late-expansion": {"threshold": 8},
}


def alphago_choices(
    positions: Annotated[int, typer.Option(min=1, help="Positions to choose in.")] = 30,
    simulations: Annotated[int, typer.Option(min=1, help="Simulations of a choice.")] = 400,
    judge_simulations: Annotated[int, typer.Option(min=1, help="Simulations of each of the two judges.")] = 800,
    as_json: AsJson = False,
) -> None:
    """Judges the moves of AlphaGo's search under different settings by longer searches, on 9x9."""
    from philidor.games import load_game
    from philidor.pipelines.alphago_choices import Choice, choice_rows, choices
    from philidor.players import load_engine

    variants = {"policy": load_engine("alphago-sl")}
    variants |= {name: load_engine("alphago", simulations=simulations, **each) for name, each in VARIANTS.items()}
    # One judge of each kind, so that neither is the judge in its own case.
    judges = [load_engine("alphago", simulations=judge_simulations, **each) for each in (_PAPER, {"mixing": 0.5})]
    opening = load_engine("alphago-sl", temperature=1.0)
    found: list[Choice] = []
    with stop_signals() as is_stopped, progress() as update:
        for choice in choices(load_game("go-9x9"), opening, variants, judges, positions, is_stopped=is_stopped):
            found.append(choice)
            update("choosing", len(found), positions)
    rows = choice_rows(found)
    lines = [f"{len(found)} positions", f"{'variant':>14} {'regret':>8} {'error':>7} {'not as the policy':>18}"]
    lines += [f"{row.name:>14} {row.regret:8.4f} {row.error:7.4f} {row.changed:18}" for row in rows]
    give({"positions": len(found), "rows": [asdict(row) for row in rows]}, "\n".join(lines), as_json=as_json)
