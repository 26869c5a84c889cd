"""Measures rollout UCT: simulations per second from the start positions, in one thread (book, ch. 3.5).

    python benchmarks/uct.py [--json] [--repeats 7] [--peer PYTHON]

The peer is OpenSpiel (`pip install open_spiel`, here or in the Python that `--peer` names): its C++ MCTSBot with one
random rollout runs in turn with ours, on the same games, for the same number of simulations, without its solver.
Repeats are interleaved, so that a busy moment of the machine hits everybody; the median counts. Rates are by the
clock; those by CPU time tell, on a busy machine, how much of it was waiting.
"""

import argparse
import importlib.util
import json
import statistics
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, field

from measure import machine

from philidor.games import load_game
from philidor.search import native
from philidor.search.uct import UctConfig

# (game, OpenSpiel's name, simulations, rate to reach): DESIGN's table of numbers.
GAMES = (
    ("tictactoe", "tic_tac_toe", 300_000, 3_000_000),
    ("connect4", "connect_four", 100_000, 800_000),
    ("chess", "chess", 1_000, 5_000),
)
PEER_PROGRAM = """
import sys, time, pyspiel
name, simulations, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
game = pyspiel.load_game(name)
evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
bot = pyspiel.MCTSBot(game, evaluator, 1.4142, simulations, 4096, False, seed, False)
state = game.new_initial_state()
start, cpu = time.perf_counter(), time.process_time()
bot.step(state)
print(simulations / (time.perf_counter() - start), simulations / (time.process_time() - cpu))
"""


@dataclass
class Row:
    """One game's rates, in simulations per second."""

    game: str
    simulations: int
    target: int
    rates: list[float] = field(default_factory=list)
    cpu_rates: list[float] = field(default_factory=list)
    peer_rates: list[float] = field(default_factory=list)
    peer_cpu_rates: list[float] = field(default_factory=list)

    def summary(self) -> dict[str, object]:
        """Returns what the table shows, and all single rates."""
        median = statistics.median(self.rates)
        peer = statistics.median(self.peer_rates) if self.peer_rates else None
        return {
            **asdict(self),
            "median": median,
            "cpu_median": statistics.median(self.cpu_rates),
            "reaches_target": median >= self.target,
            "peer_median": peer,
            "ratio": median / peer if peer else None,
        }


def our_rates(game: str, simulations: int, seed: int) -> tuple[float, float]:
    """Runs one search, result and all; returns simulations by second and by CPU second."""
    state = load_game(game).state()
    start, cpu = time.perf_counter(), time.process_time()
    native.uct(state, UctConfig(iterations=simulations, seed=seed))
    return simulations / (time.perf_counter() - start), simulations / (time.process_time() - cpu)


def peer_rates(python: str, name: str, simulations: int, seed: int) -> tuple[float, float]:
    """Does the same with OpenSpiel in a process of its own; loading it is not counted."""
    command = [python, "-c", PEER_PROGRAM, name, str(simulations), str(seed)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return float(output[-2]), float(output[-1])


def measure(repeats: int, peer: str | None) -> list[Row]:
    """Runs every game in turn, `repeats` times over."""
    rows = [Row(game, simulations, target) for game, _, simulations, target in GAMES]
    for row in rows:  # load everything, touch the memory
        our_rates(row.game, row.simulations // 10, 0)
    for repeat in range(repeats):
        for row, (_, peer_name, simulations, _) in zip(rows, GAMES, strict=True):
            rate, cpu_rate = our_rates(row.game, simulations, repeat)
            row.rates.append(rate)
            row.cpu_rates.append(cpu_rate)
            if peer is not None:
                rate, cpu_rate = peer_rates(peer, peer_name, simulations, repeat)
                row.peer_rates.append(rate)
                row.peer_cpu_rates.append(cpu_rate)
    return rows


def main() -> int:
    """Prints a table or JSON."""
    parser = argparse.ArgumentParser(description="simulations per second of rollout UCT")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--peer", metavar="PYTHON", help="a Python with OpenSpiel, to compare with")
    arguments = parser.parse_args()
    peer = arguments.peer or (sys.executable if importlib.util.find_spec("pyspiel") else None)
    if peer is None:
        print("OpenSpiel is not installed here, and no --peer was named: no comparison", file=sys.stderr)
    before = machine()
    summaries = [row.summary() for row in measure(max(1, arguments.repeats), peer)]
    if arguments.json:
        print(json.dumps({"benchmark": "uct", "machine": before, "threads": 1, "rows": summaries}, indent=2))
        return 0
    print(f"{before['cpu']}, {before['logical_cpus']} logical CPUs, load {before['load']:.1f}; one thread, medians")
    for row in summaries:
        print(f"{row['game']:>10}: {row['median']:>9,.0f} simulations/s ({row['cpu_median']:,.0f} by CPU time)", end="")
        print(f", target {row['target']:,}", end="")
        print(f"; OpenSpiel {row['peer_median']:,.0f}, ratio {row['ratio']:.1f}" if row["ratio"] else "")
    return 0


if __name__ == "__main__":
    sys.exit(main())
