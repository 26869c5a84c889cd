"""Measures perft with the search's own generator, in one thread, beside Stockfish's `go perft`.

    python benchmarks/perft.py [--json [FILE]] [--repeats 5] [--deep] [--peer PROGRAM]

Every variant of the compiled core that runs here and the peer take turns, so that a busy moment of the machine hits
everybody; the median counts. Seconds are of CPU time, of programs that are already running. The peer is
`stockfish` on the PATH or in /usr/games.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from measure import as_json, headline, machine, median
from peer import NOT_FOUND, Peer, find_stockfish
from rich.console import Console
from rich.progress import track
from rich.table import Table

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
VARIANTS = ("v3", "v2", "generic")
PEER = "Stockfish"
TARGET = 1.3


@dataclass(frozen=True)
class Case:
    """One tree to count. Stockfish counts the last ply in bulk, so only bulk cases compare."""

    name: str
    fen: str
    depth: int
    nodes: int
    bulk: bool = True


CASES = (
    Case("start position 6", START, 6, 119_060_324),
    Case("Kiwipete 5", KIWIPETE, 5, 193_690_690),
    Case("start position 5, not bulk", START, 5, 4_865_609, bulk=False),
    Case("Kiwipete 4, not bulk", KIWIPETE, 4, 4_085_603, bulk=False),
)
DEEP_CASES = (
    Case("start position 7", START, 7, 3_195_901_860),
    Case("start position 6, not bulk", START, 6, 119_060_324, bulk=False),
)


@dataclass
class Row:
    """CPU seconds of one program on one case, one for each repeat."""

    case: Case
    program: str
    cpu_s: list[float] = field(default_factory=list)

    def rate(self) -> float:
        """Nodes per second."""
        return self.case.nodes / (median(self.cpu_s) or float("inf"))


class Worker:
    """A Python process that runs one variant of the compiled core."""

    def __init__(self, variant: str) -> None:
        command = [sys.executable, __file__, "--serve"]
        environment = {**os.environ, "PHILIDOR_VARIANT": variant}
        self.process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        self.is_running = self.process.stdout.readline() == "ready\n"

    def cpu_s(self, case: Case) -> float:
        """Counts one tree."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps(asdict(case)), file=self.process.stdin, flush=True)
        nodes, seconds = json.loads(self.process.stdout.readline())
        return checked(case, nodes, seconds)

    def why_not(self) -> str:
        """The last line that the process wrote before it gave up."""
        return self.process.communicate()[1].strip().splitlines()[-1]


def serve() -> int:
    """Answers each case on stdin with its nodes and CPU seconds; the other half of `Worker`."""
    from philidor.games.chess import Position

    print("ready", flush=True)
    for line in sys.stdin:
        case = Case(**json.loads(line))
        position = Position(case.fen)
        position.perft(3)
        start = time.process_time()
        nodes = position.perft(case.depth, bulk=case.bulk)
        print(json.dumps([nodes, time.process_time() - start]), flush=True)
    return 0


def checked(case: Case, nodes: int, seconds: float) -> float:
    """Returns the seconds of a right count."""
    if nodes != case.nodes:
        raise RuntimeError(f"{case.name}: {nodes} nodes instead of {case.nodes}")
    return seconds


class Stockfish(Peer):
    """Counts with `go perft`."""

    def cpu_s(self, case: Case) -> float:
        """Counts one tree."""
        before = self.used_s()
        answer = self.ask(f"position fen {case.fen}\ngo perft {case.depth}", until="Nodes searched")
        return checked(case, int(answer.split(":")[1]), self.used_s() - before)


@contextmanager
def programs(peer: str | None, console: Console) -> Iterator[dict[str, Worker | Stockfish]]:
    """Starts every variant that runs here and the peer, and ends them."""
    started = {variant: Worker(variant) for variant in VARIANTS}
    running: dict[str, Worker | Stockfish] = {name: worker for name, worker in started.items() if worker.is_running}
    for variant in started.keys() - running.keys():
        console.print(f"[dim]without {variant}: {started[variant].why_not()}")
    if peer is not None:
        running[PEER] = Stockfish(peer)
    try:
        yield running
    finally:
        for program in running.values():
            program.process.communicate()


def measure(cases: tuple[Case, ...], repeats: int, peer: str | None, console: Console) -> list[Row]:
    """Lets everybody take turns, `repeats` times over."""
    with programs(peer, console) as running:
        rows = [Row(case, name) for case in cases for name in running if case.bulk or name != PEER]
        turns = [row for _ in range(repeats) for row in rows]
        for row in track(turns, description="counting", console=console):
            row.cpu_s.append(running[row.program].cpu_s(row.case))
    return rows


def summaries(rows: list[Row]) -> list[dict[str, object]]:
    """Returns what the table shows, and all single times."""
    peer_rates = {row.case: row.rate() for row in rows if row.program == PEER}
    found = []
    for row in rows:
        peer = peer_rates.get(row.case) if row.program != PEER else None
        ratio = row.rate() / peer if peer else None
        reaches = ratio >= TARGET if ratio else None
        found.append({**asdict(row), "nodes_per_second": row.rate(), "ratio": ratio, "reaches_target": reaches})
    return found


def table(rows: list[Row]) -> Table:
    """Shows the rates, and their ratio to the peer's."""
    shown = Table("position", "program", title=f"perft, one thread; target: {TARGET} times {PEER}")
    shown.add_column("million nodes/s", justify="right")
    shown.add_column("ratio", justify="right")
    for row, summary in zip(rows, summaries(rows), strict=True):
        ratio = f"{summary['ratio']:.2f}" if summary["ratio"] else ""
        shown.add_row(row.case.name, row.program, f"{row.rate() / 1e6:,.0f}", ratio)
    return shown


def main() -> int:
    """Prints a table, or JSON."""
    parser = argparse.ArgumentParser(description="nodes per second of perft, beside Stockfish's")
    parser.add_argument("--json", nargs="?", const="-", metavar="FILE", help="write JSON, to stdout without a FILE")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--deep", action="store_true", help="perft 7 too, and more that is not bulk")
    parser.add_argument("--peer", default=find_stockfish(), metavar="PROGRAM", help="a Stockfish, to compare with")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        return serve()
    where, console = machine(), Console(stderr=arguments.json == "-")
    if arguments.peer is None:
        console.print(f"[dim]without the peer: {NOT_FOUND}")
    cases = CASES + (DEEP_CASES if arguments.deep else ())
    rows = measure(cases, max(1, arguments.repeats), arguments.peer, console)
    console.print(headline(where))
    console.print(table(rows))
    if arguments.json is not None:
        text = as_json("perft", where, summaries(rows))
        print(text) if arguments.json == "-" else Path(arguments.json).write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
