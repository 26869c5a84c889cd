"""Measures the classic engine's nodes per second, in one thread, beside Stockfish's classical search.

    python benchmarks/classic.py [--json [FILE]] [--repeats 5] [--depth 16] [--peer PROGRAM]

Both programs search their own `bench` positions, and the peer searches ours too. They take turns, so that a busy
moment of the machine hits both; the median counts. A node is a move made on the board, in both programs; seconds are of
CPU time.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from measure import as_json, headline, machine, median
from peer import NOT_FOUND, Peer, find_stockfish
from rich.console import Console
from rich.progress import track
from rich.table import Table

from philidor.players.bench import POSITIONS, run_bench
from philidor.players.classic import ClassicConfig, ClassicPlayer

HASH_MB = 16
PEER_DEPTH = 13
TARGET = 1.2
OURS = "philidor"

# Nodes and CPU seconds of one run.
Run = tuple[int, float]


@dataclass
class Row:
    """One program on one set of positions."""

    program: str
    positions: str
    depth: int
    runs: list[Run] = field(default_factory=list)

    def rate(self) -> float:
        """Nodes per second."""
        return median([nodes / seconds for nodes, seconds in self.runs]) or 0.0


def our_run(player: ClassicPlayer, depth: int) -> Run:
    """`philidor bench --engine classic`."""
    before = time.process_time()
    result = run_bench(player, depth)
    return result.nodes, time.process_time() - before


def peer_run(peer: Peer, depth: int, positions: str) -> Run:
    """Stockfish's `bench` with the classical evaluation; `positions` is `default` or a file."""
    before = peer.used_s()
    answer = peer.ask(f"bench {HASH_MB} 1 {depth} {positions} depth classical", until="Nodes searched")
    return int(answer.split(":")[1]), peer.used_s() - before


def measure(depth: int, repeats: int, program: str | None, console: Console) -> list[Row]:
    """Lets everybody take turns, `repeats` times over."""
    player = ClassicPlayer(ClassicConfig(threads=1, hash=HASH_MB))
    turns: list[tuple[Row, Callable[[], Run]]] = [(Row(OURS, "its own", depth), lambda: our_run(player, depth))]
    with tempfile.NamedTemporaryFile("w", suffix=".fen") as file:
        file.write("\n".join(POSITIONS) + "\n")
        file.flush()
        peer = Peer(program) if program else None
        if peer:
            turns += [
                (Row("stockfish", "its own", PEER_DEPTH), lambda: peer_run(peer, PEER_DEPTH, "default")),
                (Row("stockfish", "philidor's", depth), lambda: peer_run(peer, depth, file.name)),
            ]
        for row, run in track(turns * repeats, description="searching", console=console):
            row.runs.append(run())
        if peer:
            peer.end()
    return [row for row, _ in turns]


def summaries(rows: list[Row]) -> list[dict[str, object]]:
    """Returns what the table shows, and all single runs; a ratio is ours to that row's."""
    ours = rows[0].rate()
    return [
        {
            **asdict(row),
            "nodes_per_second": row.rate(),
            "ratio": None if row.program == OURS else ours / row.rate(),
            "reaches_target": None if row.program == OURS else ours / row.rate() >= TARGET,
        }
        for row in rows
    ]


def table(rows: list[Row]) -> Table:
    """Shows the rates, and what part of ours they are."""
    shown = Table("program", "positions", "depth", title=f"search, one thread; target: {TARGET} times stockfish")
    shown.add_column("million nodes/s", justify="right")
    shown.add_column("philidor / it", justify="right")
    for row, summary in zip(rows, summaries(rows), strict=True):
        ratio = f"{summary['ratio']:.2f}" if summary["ratio"] else ""
        shown.add_row(row.program, row.positions, str(row.depth), f"{row.rate() / 1e6:.2f}", ratio)
    return shown


def main() -> int:
    """Prints a table, or JSON."""
    parser = argparse.ArgumentParser(description="nodes per second of the classic engine, beside Stockfish's")
    parser.add_argument("--json", nargs="?", const="-", metavar="FILE", help="write JSON, to stdout without a FILE")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--depth", type=int, default=16, help="of our positions (16)")
    parser.add_argument("--peer", default=find_stockfish(), metavar="PROGRAM", help="a Stockfish, to compare with")
    arguments = parser.parse_args()
    where, console = machine(), Console(stderr=arguments.json == "-")
    if arguments.peer is None:
        console.print(f"[dim]without the peer: {NOT_FOUND}")
    rows = measure(arguments.depth, max(1, arguments.repeats), arguments.peer, console)
    console.print(headline(where))
    console.print(table(rows))
    if arguments.json is not None:
        text = as_json("classic", where, summaries(rows))
        print(text) if arguments.json == "-" else Path(arguments.json).write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
