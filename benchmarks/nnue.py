"""Measures NNUE: one evaluation with each set of kernels, and `bench` beside Stockfish's with its own network.

    python benchmarks/nnue.py [--json [FILE]] [--net FILE] [--repeats 5] [--depth 14] [--peer PROGRAM]

All take turns, so that a busy moment of the machine hits everybody. An evaluation is timed after each legal move of the
test positions, and a position's quickest round counts; the time for the move itself is taken off. Speeds of a whole
search are nodes per second of CPU time, the median of the repeats, without the start of the program. The network is
nn-82215d0fd0df.nnue, Stockfish 12's, in the folder nets of PHILIDOR_SHARED unless another is named; the peer is
`stockfish` on the PATH or in /usr/games.
"""

import argparse
import os
import re
import resource
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from measure import as_json, headline, machine, median
from peer import find_stockfish
from rich.console import Console
from rich.progress import track
from rich.table import Table

from philidor.evaluators.native import compile_network, nnue_kernels
from philidor.games.chess import Position
from philidor.nets.nnue import load_network
from philidor.players.bench import POSITIONS, run_bench
from philidor.players.nnue import NnueConfig, NnuePlayer

NET = "nn-82215d0fd0df.nnue.zst"
PEER = "Stockfish"
PEER_DEPTHS = (8, 13)
ROUNDS = 12
# Microseconds to stay below, and nodes per second to reach.
TARGETS_US = {"avx2": 0.50, "vnni": 0.42}
TARGET_RATE = 1_500_000


@dataclass
class Kernels:
    """Nanoseconds of one set of kernels, one for each repeat."""

    name: str
    incremental_ns: list[float] = field(default_factory=list)
    refreshed_ns: list[float] = field(default_factory=list)


@dataclass
class Program:
    """Nodes per CPU second of one program, one for each repeat."""

    name: str
    rates: list[float] = field(default_factory=list)


def test_positions() -> list[Position]:
    """The positions of `bench` and those three moves of each later, kings in all corners of the board."""
    found = []
    for fen in POSITIONS:
        position = Position(fen)
        for step in range(4):
            found.append(position)
            moves = position.legal_moves()
            if not moves:
                break
            position = position.play(moves[(7 * step + 3) % len(moves)])
    return found


def time_kernels(rows: list[Kernels], net: Path, repeats: int) -> None:
    """Times an evaluation, each set of kernels in turn."""
    network = load_network(net)
    positions = [position.native for position in test_positions()]
    compiled = {row.name: compile_network(network, row.name) for row in rows}
    for _ in track(range(repeats), "evaluations", console=Console(stderr=True)):
        for row in rows:
            move, kept, refreshed = compiled[row.name].time(positions, ROUNDS)
            row.incremental_ns.append(kept - move)
            row.refreshed_ns.append(refreshed - move)


def our_rate(net: Path, kernels: str, depth: int) -> float:
    """Nodes per CPU second of our `bench`, in this process."""
    os.environ["PHILIDOR_KERNELS"] = kernels
    player = NnuePlayer(NnueConfig(net=net))
    del os.environ["PHILIDOR_KERNELS"]
    start = time.process_time()
    nodes = run_bench(player, depth).nodes
    return nodes / (time.process_time() - start)


def peer_rate(program: str) -> float:
    """Nodes per CPU second of Stockfish's `bench`: two depths, and the difference, so that its start does not count."""
    nodes, seconds = [], []
    for depth in PEER_DEPTHS:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [program, "bench", "16", "1", str(depth), "default", "depth", "NNUE"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found = re.search(r"Nodes searched\s*:\s*(\d+)", done.stderr)
        assert found is not None, done.stderr[-500:]
        nodes.append(int(found[1]))
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return (nodes[1] - nodes[0]) / (seconds[1] - seconds[0])


def time_searches(net: Path, names: list[str], depth: int, repeats: int, peer: str | None) -> list[Program]:
    """Runs `bench` with each set of kernels and the peer in turn."""
    rows = [Program(name) for name in names] + ([Program(PEER)] if peer else [])
    for _ in track(range(repeats), "searches", console=Console(stderr=True)):
        for row in rows:
            row.rates.append(peer_rate(peer) if row.name == PEER and peer else our_rate(net, row.name, depth))
    return rows


def show(where: dict[str, object], kernels: list[Kernels], programs: list[Program]) -> None:
    """Prints both tables."""
    console = Console()
    console.print(headline(where))
    table = Table("kernels", "kept from move to move", "refreshed", "target", box=None)
    for row in kernels:
        target = f"{TARGETS_US[row.name]:.2f} µs" if row.name in TARGETS_US else ""
        kept, refreshed = median(row.incremental_ns) or 0, median(row.refreshed_ns) or 0
        table.add_row(row.name, f"{kept / 1000:.3f} µs", f"{refreshed / 1000:.3f} µs", target)
    console.print(table)
    peer = next((median(row.rates) for row in programs if row.name == PEER), None)
    table = Table("bench", "nodes/s", "times the peer", "target", box=None)
    for program in programs:
        rate = median(program.rates) or 0
        is_peer = program.name == PEER
        ratio = f"{rate / peer:.2f}" if peer and not is_peer else ""
        table.add_row(program.name, f"{rate:,.0f}", ratio, "" if is_peer else f"{TARGET_RATE:,}")
    console.print(table)


def default_net() -> Path | None:
    """Stockfish 12's network, if the reference data are here."""
    folder = os.environ.get("PHILIDOR_SHARED")
    path = Path(folder, "nets", NET) if folder else None
    return path if path is not None and path.exists() else None


def main() -> int:
    """Returns 1 without a network."""
    parser = argparse.ArgumentParser(description="Measures NNUE evaluations and searches.")
    parser.add_argument("--json", nargs="?", const="-", metavar="FILE", help="print JSON, or write it to FILE")
    parser.add_argument("--net", type=Path, default=default_net(), help=f"the network ({NET} of PHILIDOR_SHARED)")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--depth", type=int, default=14)
    parser.add_argument("--peer", default=find_stockfish())
    arguments = parser.parse_args()
    if arguments.net is None:
        print("no network: name one with --net, or the reference data with PHILIDOR_SHARED", file=sys.stderr)
        return 1
    where = machine()
    kernels = [Kernels(name) for name in nnue_kernels() if name != "plain"]
    time_kernels(kernels, arguments.net, arguments.repeats)
    names = [row.name for row in kernels if row.name in ("avx2", nnue_kernels()[0])]
    programs = time_searches(arguments.net, names, arguments.depth, arguments.repeats, arguments.peer)
    if not arguments.json:
        show(where, kernels, programs)
        return 0
    text = as_json("nnue", where, [vars(row) for row in [*kernels, *programs]])
    print(text) if arguments.json == "-" else Path(arguments.json).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
