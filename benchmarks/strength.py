"""Plays the matches that docs/strength.md and docs/search.md report.

    python benchmarks/strength.py peers threads --out runs/strength [--minutes 9] [--concurrency 15]

Every set goes on where it was when it is run again with the same folder. DIR/SET.txt has the report, DIR/SET.json the
same for programs, DIR/strength.md a table of all sets so far; games and state are in DIR/SET.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from measure import machine

from philidor.arena.game import GameResult
from philidor.arena.match import Match, MatchConfig
from philidor.arena.report import data_report, text_report
from philidor.core.errors import PhilidorError
from philidor.core.programs import find_program
from philidor.players.native import search_features

HASH_MB = 64
"""For both sides of every timed match."""

# Options are given where an engine has them, under the name that it gives them: one thread, no book of its own, and
# ten milliseconds in reserve for each move.
PEERS = {
    "gnuchess": ("gnuchess --uci", {"OwnBook": "false"}),
    "toga2": ("toga2", {"OwnBook": "false", "Number of Threads": "1"}),
    "glaurung": ("glaurung", {"OwnBook": "false", "Threads": "1"}),
    "ethereal": ("ethereal-chess", {"Threads": "1", "MoveOverhead": "10"}),
    "stockfish": ("stockfish", {"Threads": "1", "Move Overhead": "10"}),
}


@dataclass(frozen=True, slots=True)
class Measurement:
    """One match, or a gauntlet of the first engine against all others."""

    engines: tuple[str, ...]
    games: int
    """Of each two engines."""
    settings: dict[str, Any] = field(default_factory=dict)
    """Of the match config: clock or nodes."""
    threads: int = 1
    """That the hungriest engine uses while it thinks."""


def engine_text(command: str, name: str, options: dict[str, str]) -> str:
    """Writes an engine as `philidor match` reads it."""
    words = [shlex.quote(f"option.{key}={value}") for key, value in {"Hash": str(HASH_MB), **options}.items()]
    return " ".join([command, f"name={name}", *words])


def ours(command: str, name: str = "philidor", threads: int = 1) -> str:
    """Our engine as everybody meets it: a UCI program."""
    return engine_text(command, name, {"Threads": str(threads), "Move Overhead": "10"})


def program(engine: str) -> str:
    """The command of an engine of ours."""
    return f"{shlex.quote(sys.executable)} -m philidor uci --engine {engine}"


def peer(name: str) -> str:
    """A peer, fairly configured."""
    command, options = PEERS[name]
    return engine_text(command, name, options)


def measurements(command: str | None, peers: Sequence[str], slow_peer: str) -> dict[str, Measurement]:
    """Returns all sets by name; without a command the classic engine plays, and `nnue` where it meets that."""
    network, command = command or program("nnue"), command or program("classic")
    without = tuple(f"classic without={name} name=-{name}" for name, _, _ in search_features())
    return {
        "peers": Measurement((ours(command), *map(peer, peers)), 100, {"tc": "2+0.02", "mode": "gauntlet"}),
        "peers-slow": Measurement((ours(command), peer(slow_peer)), 100, {"tc": "10+0.1"}),
        "network": Measurement((ours(network, "nnue"), ours(program("classic"), "classic")), 200, {"tc": "2+0.02"}),
        "threads": Measurement(
            (ours(command, "two-threads", 2), ours(command, "one-thread")), 800, {"tc": "1+0.01"}, threads=2
        ),
        "stability": Measurement((ours(command, "first"), ours(command, "second")), 1000, {"tc": "1+0.01"}),
        "features": Measurement(("classic", *without), 800, {"nodes": 5000, "mode": "gauntlet"}),
    }


def play(name: str, measurement: Measurement, arguments: argparse.Namespace, deadline: float | None) -> Match:
    """Plays what is missing of one set, as far as time allows."""
    settings = {**measurement.settings, "time_margin": arguments.time_margin}
    if arguments.openings:
        settings["openings"] = arguments.openings
    for limit in ("tc", "nodes"):
        if getattr(arguments, limit) is not None and limit in settings:
            settings[limit] = getattr(arguments, limit)
    match = Match(MatchConfig(engines=measurement.engines, **settings), arguments.out / name)
    games = arguments.games or measurement.games
    planned = games * len(match.encounters)
    cores = arguments.concurrency or default_concurrency(measurement.threads, is_timed="tc" in settings)
    start = time.monotonic()
    print(f"== {name}: {match.standings.games} of {planned} games are there, {cores} at a time", flush=True)

    def show(result: GameResult) -> None:
        if result.fault:
            loser = match.engines[result.black if result.white_points == 1.0 else result.white].name
            print(f"   game {result.number + 1}: {result.fault} by {loser}: {result.detail}", flush=True)
        if match.standings.games % max(1, planned // 10) == 0:
            print(f"   {match.standings.games} games, {time.monotonic() - start:.0f} s", flush=True)

    left = None if deadline is None else deadline - time.monotonic()
    if left is None or left > 0:
        match.play(games, cores, show, left)
    return match


def default_concurrency(threads: int, *, is_timed: bool) -> int:
    """All cores at fixed nodes; with clocks a core for each thread that thinks, and one for everything else."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, (cores - 1) // threads) if is_timed else cores


def write_reports(name: str, match: Match, folder: Path) -> None:
    """Writes what a set has come to, and the table over all sets of the folder."""
    text = text_report(match)
    print(text, flush=True)
    (folder / f"{name}.txt").write_text(text + "\n", encoding="utf-8")
    limit = str(match.config.limit)
    data = {"set": name, "limit": limit, "machine": machine(), **data_report(match)}
    (folder / f"{name}.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    if name == "features":
        (folder / "features.md").write_text("\n".join(feature_table(data)) + "\n", encoding="utf-8")
    sets = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]
    (folder / "strength.md").write_text("\n".join(table(sets)) + "\n", encoding="utf-8")


def table(sets: Sequence[dict[str, Any]]) -> list[str]:
    """Writes a line of Markdown for each two engines that have met; Elo and score are the first one's."""
    lines = ["| set | limit | engine | opponent | games | won, drawn, lost | score | Elo | faults |"]
    lines.append("|---|---|---|---|---:|---|---:|---:|---|")
    for data in sets:
        for row in data["encounters"]:
            share = 100 * row["points"] / row_games(row)
            cells = [data["set"], data["limit"], row["engine"], row["opponent"], str(row_games(row))]
            cells += [f"{row['wins']}, {row['draws']}, {row['losses']}", f"{share:.1f} %", shown_elo(row)]
            cells.append(named_faults(row))
            lines.append(f"| {' | '.join(cells)} |")
    return lines


def feature_table(data: dict[str, Any]) -> list[str]:
    """Writes the table of docs/search.md: what the whole search gains over one without a feature, the dearest first."""
    meanings = {name: meaning for name, _, meaning in search_features()}
    lines = ["| left out | what it does | Elo lost | games (won, drawn, lost) |", "|---|---|---:|---|"]
    for row in sorted(data["encounters"], key=lambda row: -row["points"] / row_games(row)):
        name = row["opponent"].removeprefix("-")
        games = f"{row['wins']}, {row['draws']}, {row['losses']}"
        lines.append(f"| `{name}` | {meanings[name]} | {shown_elo(row)} | {games} |")
    return lines


def row_games(row: dict[str, Any]) -> int:
    """Returns the games of two engines."""
    return int(row["wins"] + row["draws"] + row["losses"])


def shown_elo(row: dict[str, Any]) -> str:
    """Writes a difference and its error; nothing where one side has won everything."""
    elo, error = row["elo"]["value"], row["elo"]["error"]
    return "" if elo is None else f"{elo:+.0f}" + ("" if error is None else f" ± {error:.0f}")


def named_faults(row: dict[str, Any]) -> str:
    """Names the faults of both engines."""
    sides = ((row["engine"], row["faults"]), (row["opponent"], row["opponent_faults"]))
    return ", ".join(f"{name}: {count} {kind}" for name, faults in sides for kind, count in faults.items()) or "none"


def parse_arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Reads the command line; peers that are not installed are refused here."""
    names = list(measurements("", list(PEERS), "toga2"))
    parser = argparse.ArgumentParser(description="Plays the matches that docs/strength.md reports.")
    parser.add_argument("sets", nargs="+", choices=names, metavar="SET", help=f"what to measure: {', '.join(names)}")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where everything is kept")
    parser.add_argument("--minutes", type=float, metavar="N", help="stop after that time, all sets together")
    parser.add_argument("--games", type=int, metavar="N", help="games of each pairing, instead of the set's own")
    parser.add_argument("--concurrency", type=int, metavar="N", help="games at a time")
    parser.add_argument("--tc", help="another clock, for the sets that have one")
    parser.add_argument("--time-margin", type=float, default=0.0, help="seconds that a clock may be overstepped")
    parser.add_argument("--nodes", type=int, help="other nodes a move, for the sets that have them")
    parser.add_argument("--openings", type=Path, metavar="FILE", help="EPD or PGN instead of those that philidor ships")
    parser.add_argument("--peers", default=",".join(PEERS), metavar="A,B", help=f"default: {','.join(PEERS)}")
    parser.add_argument("--slow-peer", default="toga2", choices=list(PEERS), help="the opponent of peers-slow")
    parser.add_argument(
        "--engine", help="which of our engines plays: classic, nnue, 'nnue --net FILE' (nnue in network, else classic)"
    )
    parser.add_argument("--command", help="our engine as a UCI program, instead")
    arguments = parser.parse_args(argv)
    if arguments.command is None and arguments.engine is not None:
        arguments.command = program(arguments.engine)
    arguments.peers = arguments.peers.split(",")
    needed = [*(arguments.peers if "peers" in arguments.sets else [])]
    needed += [arguments.slow_peer] if "peers-slow" in arguments.sets else []
    for name in needed:
        if name not in PEERS:
            parser.error(f"no peer {name!r}; there are {', '.join(PEERS)}")
        if not find_program(needed_program := PEERS[name][0].split()[0]):
            parser.error(f"{needed_program} is neither on the PATH nor in /usr/games; --peers names the ones to meet")
    return arguments


def main(argv: Sequence[str] | None = None) -> int:
    """Returns 1 when something went wrong, 0 when everything was played or time was over."""
    arguments = parse_arguments(argv)
    arguments.out.mkdir(parents=True, exist_ok=True)
    deadline = None if arguments.minutes is None else time.monotonic() + 60 * arguments.minutes
    sets = measurements(arguments.command, arguments.peers, arguments.slow_peer)
    try:
        for name in arguments.sets:
            match = play(name, sets[name], arguments, deadline)
            if match.standings.games:
                write_reports(name, match, arguments.out)
    except PhilidorError as error:
        print(f"strength: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
