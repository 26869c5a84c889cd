"""`philidor experiment alphago-variants`: which part of AlphaGo is worth what, as a tournament of its variants."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from philidor.cli.arguments import AsJson, RunFolder, Workers
from philidor.core.cores import cores

# (name, how it plays, the paper's Elo: Extended Data Table 7, five seconds a move on 19x19)
VARIANTS = (
    ("both", "alphago mixing=0.5", 2890),
    ("rollouts", "alphago mixing=1", 2416),
    ("values", "alphago mixing=0", 2177),
    ("both-tree-priors", "alphago mixing=0.5 net=alphago-9x9-tree", 2077),
    ("values-tree-priors", "alphago mixing=0 net=alphago-9x9-tree", 1655),
    ("rollouts-tree-priors", "alphago mixing=1 net=alphago-9x9-tree", 1457),
    ("policy", "alphago-sl", 1517),
    ("both-rl-priors", "alphago mixing=0.5 net=alphago-9x9-rl", None),
    ("paper", "alphago mixing=0.5 c_puct=5 policy_temperature=0.67 threshold=8", None),
)
_WITHOUT_SEARCH = "alphago-sl"


def alphago_variants(
    out: RunFolder,
    simulations: Annotated[int, typer.Option(min=1, help="Simulations per move.")] = 200,
    games: Annotated[int, typer.Option(min=2, help="Games of each pairing.")] = 20,
    only: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A variant; may be repeated. All if not given.")
    ] = None,
    concurrency: Workers = None,
    minutes: Annotated[
        float | None, typer.Option(min=0, help="Stop after this many minutes; the same command continues.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Lets AlphaGo's variants play each other on 9x9: lambda 0, 0.5 and 1, tree and RL priors, no search (Table 7)."""
    from philidor.arena.match import Match, MatchConfig
    from philidor.arena.report import data_report, text_report
    from philidor.core.errors import UnknownNameError

    names = [name for name, _, _ in VARIANTS]
    for name in only or ():
        if name not in names:
            raise UnknownNameError("variant", name, names)
    chosen = [variant for variant in VARIANTS if not only or variant[0] in only]
    config = MatchConfig(
        engines=tuple(engine_of(name, text, simulations) for name, text, _ in chosen), game="go-9x9,komi=7.5"
    )
    contest = Match(config, out)
    contest.play(games, concurrency or cores(), lambda _: None, None if minutes is None else 60 * minutes)
    paper = {name: elo for name, _, elo in chosen}
    if as_json:
        print(json.dumps({**data_report(contest, {}), "paper_elo": paper}))
        return
    if contest.standings.games:
        print(text_report(contest, {}))
    told = ", ".join(f"{name} {elo}" for name, elo in paper.items() if elo is not None)
    print(f"\nThe paper's Elo on 19x19: {told}")


def engine_of(name: str, text: str, simulations: int) -> str:
    """Returns a variant as a match takes it."""
    settings = "" if text.startswith(_WITHOUT_SEARCH) else f" simulations={simulations} batch=16"
    return f"{text}{settings} name={name}"
