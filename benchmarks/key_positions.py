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
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from measure import as_json, headline, machine

from philidor.arena.engines import parse_engine
from philidor.core.analysis import Analysis
from philidor.core.errors import ConfigError, PhilidorError
from philidor.games.chess import Position
from philidor.players import Player, player_class

GAME_TEXT = (
    "d4 Nf6 c4 e6 Nf3 b6 g3 Bb7 Bg2 Bb4+ Bd2 Be7 Nc3 c6 e4 d5 e5 Ne4 O-O Ba6 b3 Nxc3 Bxc3 dxc4 b4 b5 Nd2 O-O Ne4 Bb7 "
    "Qg4 Nd7 Nc5 Nxc5 dxc5 a5 a3 axb4 axb4 Rxa1 Rxa1 Qd3 Rc1 Ra8 h4 Qd8 Be4 Qc8 Kg2 Qc7 Qh5 g6 Qg4 Bf8 h5 Rd8 Qh4 Qe7 "
    "Qf6 Qe8 Rh1 Rd7 hxg6 fxg6 Qh4 Qe7 Qg4 Rd8 Bb2 Qf7 Bc1 c3 Be3 Be7 Qe2 Bf8 Qc2 Bg7 Qxc3 Qd7 Rc1 Qc7 Bg5 Rf8 f4 h6 "
    "Bf6 Bxf6 exf6 Qf7 Ra1 Qxf6 Qxf6 Rxf6 Ra7 Rf7 Bxg6 Rd7 Kf2 Kf8 g4 Bc8 Ra8 Rc7 Ke3 h5 gxh5 Kg7 Ra2 Re7 Be4 e5 Bxc6 "
    "exf4+ Kxf4 Rf7+ Ke5 Rf5+ Kd6 Rxh5 Rg2+ Kf6 Kc7 Bf5 Kb6 Rh4 Ka5 Bg4 Bxb5 Ke7 Rg3 Bc8 Re3+ Kf7 Be2"
)
"""AlphaZero against Stockfish 8, game 8, as the book prints it; White won."""
GAME = GAME_TEXT.split()


@dataclass(frozen=True)
class KeyPosition:
    """A position of the game, and what the book's engines say about it."""

    name: str
    ply: int
    """Half moves before it."""
    book: str

    @property
    def position(self) -> Position:
        """The position with its history."""
        position = Position()
        for move in GAME[: self.ply]:
            position = position.play(move)
        return position


KEY_POSITIONS = (
    KeyPosition("Figure 4.20, before 17. Nc5", 32, "Fritz 6 -0.66, SF 8 -0.12, SF 11 -0.13, SF 12 0.00, SF 14 0.00"),
    KeyPosition("Figure 4.21, before 32. hxg6", 62, "Fritz 6 -0.66, SF 8 0.00, SF 11 +0.25, SF 12 +1.04, SF 14 +1.12"),
    KeyPosition("Figure 4.22, before 22... Ra8", 43, "SF 8 -0.35 (Ra8), SF 12 0.00 (Ra8), SF 14 +0.47 (Rd8)"),
    KeyPosition("after 23... Qd8", 46, "Fritz 6 -0.87, SF 8 -0.38, SF 12 +0.91"),
)


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


def white_score(position: Position, analysis: Analysis) -> str:
    """Writes the score in White's view, in pawns."""
    score, view = analysis.score, 1 if position.turn else -1
    if score is None:
        return "?"
    if score.cp is None:
        return f"mate {view * (score.mate or 0)}"
    return f"{view * score.cp / 100:+.2f}"


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
