"""Measures the loader of training positions: positions a second, and how far it spreads a game's positions.

    python benchmarks/game_loader.py GAMES.rec ... [--encoding leela-1-flat] [--passes 8] [--threads 2] [--seconds 10]
    python benchmarks/game_loader.py GAMES.rec --check 1000000

Without games it makes some of random moves: enough for speed, too few to say how far positions are spread.
CPU time tells more than the clock where other work is going on; the rate of two cores is twice that of a CPU second.
`--check N` compares N positions, row by row, with what the public encoder says of the replayed game; 1 as exit code
says that they differ.
"""

import argparse
import os
import random
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
from measure import as_json, headline, machine

from philidor.encodings import load_encoding
from philidor.encodings.encoding import Encoding
from philidor.games import load_game
from philidor.records import GameRecord, RecordReader, RecordWriter, Result
from philidor.train.game_data import GameBatch, GameData, GameDataConfig

CHESS = load_game("chess")
DEFAULTS = GameDataConfig()
# Positions a second on two cores, with eight boards of history.
TARGET = 300_000


def random_games(path: Path, count: int = 300) -> Path:
    """Writes games of random moves."""
    generator = random.Random(1)
    with RecordWriter(path, CHESS) as writer:
        for _ in range(count):
            state = CHESS.state()
            indices: list[int] = []
            while not state.is_over() and len(indices) < 100:
                moves = state.legal_moves()
                indices.append(generator.randrange(len(moves)))
                state = state.play(moves[indices[-1]])
            writer.add(GameRecord(indices=tuple(indices), result=Result.DRAW))
    return path


def records(paths: list[Path]) -> Iterator[GameRecord]:
    """Yields the games of files that the loader takes too: those with a result and a move."""
    for path in paths:
        with RecordReader(path) as reader:
            yield from (record for record in reader if record.result and len(record))


def agrees(batch: GameBatch, states: list[tuple[object, int]], encoding: Encoding) -> bool:
    """Says whether rows are these states, in which these moves were played."""
    wanted = encoding.encode([state for state, _ in states])
    found = batch.inputs
    played = wanted.legal_index[wanted.legal_offsets[:-1] + [index for _, index in states]]
    return (
        np.array_equal(found.planes, wanted.planes)
        and np.array_equal(found.scalars, wanted.scalars)
        and np.array_equal(found.legal_offsets, wanted.legal_offsets)
        and np.array_equal(found.legal_index, wanted.legal_index)
        and np.array_equal(batch.played, played)
    )


def check(paths: list[Path], encoding: Encoding, count: int, threads: int) -> bool:
    """Compares positions in the order of the files with the encoder's; prints the first batch that differs."""
    config = GameDataConfig(order="recorded")
    data = GameData(paths, CHESS, encoding, config, part="all", threads=threads)
    states = (pair for record in records(paths) for pair in zip(record.states(CHESS), record.indices, strict=False))
    seen = 0
    with data.batches(epochs=1, threads=threads) as stream:
        for batch in stream:
            if not agrees(batch, list(islice(states, len(batch))), encoding):
                print(f"positions {seen:,} to {seen + len(batch):,} differ from the encoder's")
                return False
            seen += len(batch)
            if seen >= count:
                break
    print(f"{seen:,} positions are what {encoding.name} makes of them")
    return True


def measure(data: GameData, threads: int, seconds: float) -> dict[str, object]:
    """Takes batches for some seconds of CPU time; what is made ahead at the end costs time and counts for nothing."""
    with data.batches(threads=threads) as stream:
        next(stream)  # the first chunk is there
        cpu, began, seen, neighbors = time.process_time(), time.perf_counter(), 0, 0
        while time.process_time() - cpu < seconds:
            batch = next(stream)
            seen += len(batch)
            _, counts = np.unique(batch.game, return_counts=True)
            neighbors += int((counts * (counts - 1)).sum())
        spent, elapsed = time.process_time() - cpu, time.perf_counter() - began
    return {
        "positions": seen,
        "per_cpu_second": seen / spent,
        "per_second": seen / elapsed,
        "same_game_in_batch": neighbors / seen,
        "memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def main() -> int:
    """Returns 0, or 1 if a check fails."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", type=Path, help=".rec files of chess; random games without them")
    parser.add_argument("--encoding", default="leela-1-flat")
    parser.add_argument("--check", type=int, metavar="N", help="positions to compare with the encoder")
    parser.add_argument("--batch", type=int, default=4_096)
    parser.add_argument("--passes", type=int, default=DEFAULTS.passes)
    parser.add_argument("--shuffle", type=int, default=DEFAULTS.shuffle)
    parser.add_argument("--threads", type=int, default=min(os.cpu_count() or 1, 2))
    parser.add_argument("--seconds", type=float, default=10.0, help="of CPU time, of all threads together")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        return run(arguments, arguments.games or [random_games(Path(folder) / "games.rec")])


def run(arguments: argparse.Namespace, games: list[Path]) -> int:
    """Checks or measures."""
    encoding = load_encoding(arguments.encoding, CHESS)
    if arguments.check is not None:
        return 0 if check(games, encoding, arguments.check, arguments.threads) else 1
    where = machine()
    config = GameDataConfig(batch=arguments.batch, passes=arguments.passes, shuffle=arguments.shuffle)
    began = time.process_time()
    data = GameData(games, CHESS, encoding, config, threads=arguments.threads)
    row = {"encoding": encoding.name, "passes": config.passes, "shuffle": config.shuffle, "batch": config.batch}
    row |= {"games": data.games, "opened_cpu_s": time.process_time() - began}
    row |= measure(data, arguments.threads, arguments.seconds)
    if arguments.json:
        print(as_json("game_loader", where, [row]))
        return 0
    print(headline(where))
    print(f"{data.games:,} games with {data.positions:,} positions, opened in {row['opened_cpu_s']:.1f} s of CPU time")
    print(f"{row['per_cpu_second']:>12,.0f} positions in a second of CPU time; target on two cores: {TARGET:,}")
    print(f"{row['per_second']:>12,.0f} positions/s by the clock on {arguments.threads} threads")
    print(f"{row['same_game_in_batch']:>12.2f} other positions of a position's game in its batch of {config.batch:,}")
    print(f"{row['memory_mb']:>12,.0f} MB of memory at most, pages of the files included")
    return 0


if __name__ == "__main__":
    sys.exit(main())
