"""Lets engines judge the key positions of the book's AlphaZero game (4.6.4, Figures 4.20 to 4.22).

    python benchmarks/key_positions.py [--engine classic --engine "nnue net=FILE" ...] [--seconds 1,10] [--json]

An engine is one of philidor's, written as for `philidor match`. Without any: the handcrafted evaluation, Giraffe, our
network, and Stockfish 12's where PHILIDOR_SHARED is a folder with nets/nn-82215d0fd0df.nnue.zst. Scores are in pawns
and White's view. Figures 4.20 and 4.21 are pictures; docs/nnue.md says why they are taken to be these positions.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from measure import as_json, headline, machine

from philidor.arena.engines import parse_engine
from philidor.book.chapter4.games import KEY_POSITIONS, white_score
from philidor.core.errors import ConfigError, PhilidorError
from philidor.players import Player, player_class


def default_engines() -> list[str]:
    """Returns what is there to be compared."""
    engines = ["classic", "giraffe", "nnue"]
    shared = os.environ.get("PHILIDOR_SHARED")
    net = Path(shared or ".") / "nets" / "nn-82215d0fd0df.nnue.zst"
    return [*engines, f"nnue net={net} name=nn-82215"] if shared and net.exists() else engines


def load(text: str) -> tuple[str, Player]:
    """Returns an engine and its name. Raises ConfigError."""
    spec = parse_engine(text)
    if spec.player is None:
        raise ConfigError(f"{text!r} is no engine of philidor's")
    return spec.name, player_class(spec.player)(spec.config())


def judge(name: str, player: Player, seconds: Sequence[float]) -> list[dict[str, Any]]:
    """Lets an engine think about every position, each time with nothing remembered."""
    rows = []
    for key in KEY_POSITIONS:
        for limit in seconds:
            if hasattr(player, "new_game"):
                player.new_game()
            analysis = player.analyse(key.position, movetime=limit)
            rows.append(
                {
                    "engine": name,
                    "position": key.name,
                    "seconds": limit,
                    "score": white_score(key.position, analysis),
                    "move": key.position.san(key.position.parse_uci(analysis.best or "")),
                    "depth": analysis.depth,
                    "nodes": analysis.nodes,
                }
            )
    return rows


def table(rows: Sequence[dict[str, Any]], seconds: Sequence[float]) -> str:
    """Writes the table of docs/nnue.md: a row for a position and a time, a column for an engine."""
    engines = list(dict.fromkeys(row["engine"] for row in rows))
    lines = [f"| position | seconds | {' | '.join(engines)} | the book |", "|---" * (len(engines) + 3) + "|"]
    for key in KEY_POSITIONS:
        for limit in seconds:
            found = {row["engine"]: row for row in rows if row["position"] == key.name and row["seconds"] == limit}
            cells = [f"{row['score']} {row['move']}, depth {row['depth']}" for row in map(found.__getitem__, engines)]
            lines.append(f"| {key.name} | {limit:g} | {' | '.join(cells)} | {key.book} |")
    return "\n".join(lines)


def main() -> None:
    """Reads the command line, searches and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", action="append", help="one of philidor's engines; may be repeated")
    parser.add_argument("--seconds", default="1,10", help="times to think, separated by commas")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    try:
        seconds = [float(text) for text in arguments.seconds.split(",")]
        engines = [load(text) for text in arguments.engine or default_engines()]
    except (PhilidorError, ValueError) as error:
        parser.error(str(error))
    where = machine()
    rows = [row for name, player in engines for row in judge(name, player, seconds)]
    print(as_json("key_positions", where, rows) if arguments.json else f"{headline(where)}\n\n{table(rows, seconds)}")


if __name__ == "__main__":
    main()
