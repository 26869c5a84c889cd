"""Measures the training of zero networks: positions a second of the loader alone, of a step alone, and of both.

    python benchmarks/zero_training.py [--json] [--recipe chess-zero] [--shards FILE.rec ...] [--device cuda]

Without shards it plays some games first: enough for speed, not for strength. A step alone learns from one batch that
lies ready; both is what `philidor train` does, with the state written at the end. The three take turns, and the median
counts, by the clock.
"""

from __future__ import annotations

import argparse
import dataclasses
import tempfile
import time
from pathlib import Path

import numpy as np
import torch
from measure import as_json, headline, machine, median

from philidor.encodings.encoding import Batch
from philidor.evaluators.network import Judgments
from philidor.games import load_game
from philidor.pipelines.recipes import ZeroRecipe, load_recipe
from philidor.search.pool import Pool
from philidor.selfplay.zero_games import Shards, play
from philidor.train.torch.zero import Plan, ZeroTrainer, use_threads
from philidor.train.zero_data import ReplayWindow, Samples

PARTS = ("loader", "step", "both")
GAMES = 200
LEARNING_RATE = 1e-4


def some_games(recipe: ZeroRecipe, folder: Path) -> list[Path]:
    """Plays short games with a judge that knows nothing."""

    def judge(batch: Batch) -> Judgments:
        return Judgments(
            np.zeros(len(batch.legal_index), np.float32), np.full((len(batch), 3), 1 / 3, np.float32), None
        )

    game = load_game(recipe.game)
    quick = dataclasses.replace(recipe.self_play, simulations=16, cheap_simulations=0, max_plies=80)
    pool = Pool(game, recipe.network.load_encoding(), quick, games=GAMES)
    pool.stop_after(GAMES)
    with Shards(folder, game) as shards:
        for finished in play(pool, judge, batch=GAMES):
            shards.add(finished)
    return shards.paths()


class Bench:
    """A trainer whose parts are timed one at a time."""

    def __init__(self, trainer: ZeroTrainer, window: ReplayWindow, checkpoint: Path) -> None:
        self._trainer, self._window, self._checkpoint = trainer, window, checkpoint
        self._ready = self._draw(0)

    def _draw(self, step: int) -> Samples:
        return self._window.draw(self._trainer.config.batch, np.random.default_rng(step))

    def rate(self, part: str, steps: int) -> float:
        """Returns positions a second."""
        self._wait()
        began = time.perf_counter()
        if part == "both":
            self._trainer.train(self._window, Plan(0, steps, LEARNING_RATE), checkpoint=self._checkpoint)
        else:
            self._trainer.model.train()
            for step in range(steps):
                if part == "loader":
                    self._draw(step)
                else:
                    self._trainer.learn(self._ready, LEARNING_RATE)
        self._wait()
        return steps * self._trainer.config.batch / (time.perf_counter() - began)

    def _wait(self) -> None:
        if self._trainer.device.type == "cuda":
            torch.cuda.synchronize()


def main() -> None:
    """Prints the table or its JSON."""
    parser = argparse.ArgumentParser(description="Measures the training of zero networks.")
    parser.add_argument("--json", action="store_true")
    has_gpu = torch.cuda.is_available()
    parser.add_argument("--recipe", default="chess-zero" if has_gpu else "connect4-zero")
    parser.add_argument(
        "--shards", nargs="*", type=Path, default=[], help="games of self-play; some are played without"
    )
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cuda" if has_gpu else "cpu")
    parser.add_argument("--batch", type=int, help="positions a step, if not the recipe's")
    parser.add_argument("--steps", type=int, default=100 if has_gpu else 10, help="of each part in each round")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    where, recipe = machine(), load_recipe(arguments.recipe)
    use_threads(recipe.threads)
    batch = arguments.batch or recipe.training.batch
    config = dataclasses.replace(recipe.training, device=arguments.device, batch=batch)
    with tempfile.TemporaryDirectory() as folder:
        window = ReplayWindow(load_game(recipe.game), recipe.network.load_encoding(), config)
        for shard in arguments.shards or some_games(recipe, Path(folder)):
            window.add(shard)
        bench = Bench(ZeroTrainer(recipe.network, config, 1), window, Path(folder) / "trainer.pt")
        rates: dict[str, list[float]] = {part: [] for part in PARTS}
        for part in PARTS:  # kernels are chosen and memory is found
            bench.rate(part, 5)
        for _ in range(arguments.rounds):
            for part in PARTS:
                rates[part].append(bench.rate(part, arguments.steps))
    rows: list[dict[str, object]] = [
        {"part": part, "recipe": arguments.recipe, "device": config.device, "batch": batch, "rate": median(rates[part])}
        for part in PARTS
    ]
    if arguments.json:
        print(as_json("zero_training", where, rows))
        return
    print(headline(where))
    for part in PARTS:
        print(f"{part:>8} {median(rates[part]):>12,.0f} positions/s")
    print(f"{arguments.recipe} on {config.device}, batches of {batch:,}, {window.size:,} positions")


if __name__ == "__main__":
    main()
