"""Measures the training of NNUE networks: positions a second of the loader alone, of a step alone, and of both.

    python benchmarks/nnue_training.py GAMES.rec ... [--shape halfkp-256] [--device cuda] [--threads N] [--seconds 10]

Without games it plays some: enough for speed, not for strength. A step alone trains on one batch that lies ready; both
is what `philidor train nnue` does. The three take turns, so that a busy moment of the machine hits all of them.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import torch
from measure import as_json, headline, machine, median

from philidor.core.runs import Run
from philidor.records import RecordWriter
from philidor.selfplay.engine_games import EngineGamesConfig, GameMaker
from philidor.train.nnue_config import NnueTrainingConfig
from philidor.train.nnue_data import Batch, PositionFilter, TrainingPositions
from philidor.train.torch.nnue import Trainer

# Positions a second that a laptop's two cores and a large GPU shall reach.
TARGETS = {("mirrored-256", "cpu"): 100_000, ("halfkp-256", "cuda"): 3_000_000}
PARTS = ("loader", "step", "both")
GAMES = 60


def endless(trainer: Trainer) -> Iterator[Batch]:
    """Yields whole batches for ever; an epoch follows the other."""
    for epoch in count():
        yield from (batch for batch in trainer.batches.epoch(epoch) if len(batch) == trainer.config.batch)


class Bench:
    """A trainer whose parts are timed one at a time."""

    def __init__(self, trainer: Trainer) -> None:
        self._trainer = trainer
        self._ready = next(endless(trainer))

    def rate(self, part: str, seconds: float) -> float:
        """Returns positions a second."""
        batches = endless(self._trainer)
        next(batches)  # threads have begun
        self._wait()
        began, seen = time.perf_counter(), 0
        while time.perf_counter() - began < seconds:
            batch = self._ready if part == "step" else next(batches)
            if part != "loader":
                self._trainer.learn(batch)
            seen += len(batch)
        self._wait()
        return seen / (time.perf_counter() - began)

    def _wait(self) -> None:
        if self._trainer.device.type == "cuda":
            torch.cuda.synchronize()


def some_games(folder: Path) -> Path:
    """Plays games of the classic engine."""
    path = folder / "games.rec"
    maker = GameMaker(EngineGamesConfig(nodes=50, settings=("hash=1",)))
    with RecordWriter(path) as writer:
        for record in map(maker.game, range(GAMES)):
            assert record is not None
            writer.add(record)
    return path


def main() -> int:
    """Returns 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", type=Path, help="scored games; some are played without them")
    parser.add_argument("--shape", default="halfkp-256" if torch.cuda.is_available() else "mirrored-256")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu", choices=("cpu", "cuda"))
    parser.add_argument("--batch", type=int, default=16_384)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="that make batches")
    parser.add_argument("--seconds", type=float, default=3.0, help="of each part in each round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    where = machine()
    with tempfile.TemporaryDirectory() as folder:
        # Few games must still fill a batch.
        chosen = PositionFilter(held_out=0.0, only_quiet=bool(arguments.games), skip_plies=0)
        batch = arguments.batch if arguments.games else min(arguments.batch, 2_048)
        config = NnueTrainingConfig(shape=arguments.shape, device=arguments.device, batch=batch, positions=chosen)
        data = TrainingPositions(chosen)
        for _ in data.read(arguments.games or [some_games(Path(folder))], threads=arguments.threads):
            pass
        bench = Bench(Trainer(config, Run.create("bench", config, Path(folder)), data, threads=arguments.threads))
        for part in PARTS:  # kernels are chosen and memory is found
            bench.rate(part, 0.5)
        rates: dict[str, list[float]] = {part: [] for part in PARTS}
        for _ in range(arguments.rounds):
            for part in PARTS:
                rates[part].append(bench.rate(part, arguments.seconds))
    rows: list[dict[str, object]] = [
        {"part": part, "shape": config.shape, "device": config.device, "batch": batch, "rate": median(rates[part])}
        for part in PARTS
    ]
    if arguments.json:
        print(as_json("nnue_training", where, rows))
        return 0
    print(headline(where))
    for part in PARTS:
        print(f"{part:>8} {median(rates[part]):>12,.0f} positions/s")
    target = TARGETS.get((config.shape, config.device))
    goal = f"; target: {target:,}" if target else ""
    print(f"{config.shape} on {config.device}, batches of {batch:,}, {len(data.train):,} positions{goal}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
