"""Measures what the ratings of the sparring partner are worth, on the scale of Stockfish's UCI_Elo.

    python tools/calibrate_sparring.py --games 100 --concurrency 16 --stockfish stockfish --out runs/sparring

Partners of all ratings and Stockfish at several form a ladder, ordered by rating, and each plays the next two. The
list at the end tells what each is worth; Stockfish's ratings are the anchors. Without Stockfish the partner in the
middle is, and only the distances mean something. The last lines are the knobs of src/philidor/players/sparring.py with
the ratings that were measured: paste them there, and the next run should find what they say. A run that was stopped
goes on.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
from pathlib import Path

from philidor.arena.game import GameResult
from philidor.arena.match import Match, MatchConfig
from philidor.arena.ratings import Encounter, rating_list
from philidor.arena.report import text_report
from philidor.players.sparring import HIGHEST_ELO, LOWEST_ELO, knobs_for


def lineup(step: int, stockfish: str | None, nodes: int) -> dict[str, tuple[float, str, bool]]:
    """Returns (rating, engine, whether it is Stockfish) by name, from the weakest to the strongest."""
    found = {
        f"sparring-{elo}": (float(elo), f"sparring elo={elo} name=sparring-{elo}", False)
        for elo in range(LOWEST_ELO, HIGHEST_ELO + 1, step)
    }
    if stockfish is not None:
        for elo in range(1350, HIGHEST_ELO + 1, 300):
            options = f"option.UCI_LimitStrength=true option.UCI_Elo={elo} option.Threads=1 option.Hash=16"
            text = f"'{stockfish}' {options} nodes={nodes} name=stockfish-{elo}"
            found[f"stockfish-{elo}"] = (float(elo), text, True)
    return dict(sorted(found.items(), key=lambda item: item[1][0]))


def measured(match: Match, anchors: dict[str, float]) -> dict[str, float]:
    """Returns the rating of each engine."""
    standings = match.standings
    encounters = {}
    for a, b in standings.encounters():
        score = standings.between(a, b)
        encounters[a, b] = Encounter(score.games, score.points, score.pairs)
    names = [spec.name for spec in match.engines]
    ratings = rating_list(len(names), encounters, {names.index(name): elo for name, elo in anchors.items()})
    assert ratings is not None, "a ladder connects everybody"
    return {name: rating.value for name, rating in zip(names, ratings, strict=True)}


def main() -> int:
    """Plays and prints."""
    parser = argparse.ArgumentParser(description="Measures the ratings of the sparring partner.")
    parser.add_argument("--games", type=int, default=40, help="games of each pairing (40)")
    parser.add_argument("--concurrency", type=int, default=1, help="games at a time (1)")
    parser.add_argument("--step", type=int, default=200, help="between two ratings (200)")
    parser.add_argument("--stockfish", help="a Stockfish that knows UCI_Elo, for the anchors")
    parser.add_argument("--nodes", type=int, default=50_000, help="positions that Stockfish looks at (50,000)")
    parser.add_argument("--out", type=Path, help="run folder; a run that is in it continues")
    arguments = parser.parse_args()
    engines = lineup(arguments.step, arguments.stockfish, arguments.nodes)
    config = MatchConfig(engines=tuple(text for _, text, _ in engines.values()), mode="ladder", tc="300+2")
    match = Match(config, arguments.out)

    def show(result: GameResult) -> None:
        print(f"\r{match.standings.games} games", end="", file=sys.stderr, flush=True)

    match.play(arguments.games, arguments.concurrency, show)
    print(file=sys.stderr)
    own = [name for name, (_, _, is_anchor) in engines.items() if not is_anchor]
    anchors = {name: elo for name, (elo, _, is_anchor) in engines.items() if is_anchor}
    anchors = anchors or {own[len(own) // 2]: engines[own[len(own) // 2]][0]}
    print(text_report(match, anchors))
    ratings = measured(match, anchors)
    for name in own:
        print(dataclasses.replace(knobs_for(engines[name][0]), elo=round(ratings[name])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
