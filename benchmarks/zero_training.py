"""Measures the training of zero networks: positions a second of the loader alone, of a step alone, and of both.

    python benchmarks/zero_training.py [--json] [--recipe chess-zero] [--shards FILE.rec ...] [--device cuda]
        [--network 10x128-se] [--batch 1024 4096] [--modes eager graph compiled] [--parts loader step both]

A step alone learns from batches of random bits that lie ready in the host's memory; both is what `philidor train` does,
with the state written at the end but without the batches that estimate batch norm's statistics then. Loader and both
need games: without shards some are played first, enough for speed and not for strength. `graph` records the step on a
GPU, `compiled` compiles it before that, which takes about half a minute for each size of batch. Parts and modes take
turns, and the median counts, by the clock.
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

from philidor.encodings.encoding import Batch, Shape
from philidor.evaluators.network import Judgments
from philidor.games import load_game
from philidor.nets.network_config import preset
from philidor.nets.onnx.signature import MOVES_LEFT, POLICY, WDL
from philidor.pipelines.recipes import ZeroRecipe, load_recipe
from philidor.records import RecordWriter
from philidor.selfplay.pool import Pool
from philidor.selfplay.zero_games import play
from philidor.train.shares import Shares
from philidor.train.torch.step import Learner
from philidor.train.torch.zero import Plan, ZeroTrainer, use_threads
from philidor.train.training_batch import TrainingBatch
from philidor.train.zero_config import ZeroTrainingConfig
from philidor.train.zero_data import ReplayWindow

PARTS = ("loader", "step", "both")
MODES = ("eager", "graph", "compiled")
GAMES = 200
LEARNING_RATE = 1e-4
MOVES = 35
"""Legal moves of a random position: the mean of chess."""
# A recorded step runs three times as it is and is recorded by the fourth.
WARM_UP_STEPS = 6


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
    path = folder / "games.rec"
    with RecordWriter(path, game) as writer:
        for finished in play(pool, judge, batch=GAMES):
            writer.add_batch(finished)
    return [path]


def random_batch(shape: Shape, count: int, seed: int) -> TrainingBatch:
    """Returns positions of random bits with random targets."""
    random = np.random.default_rng(seed)
    moves = min(MOVES, shape.policy_size)
    legal = np.sort(np.argpartition(random.random((count, shape.policy_size)), moves - 1)[:, :moves]).astype(np.uint16)
    words = random.integers(2**63, size=(count, shape.packed_planes, shape.words), dtype=np.uint64)
    scalars = random.random((count, shape.scalar_planes), dtype=np.float32)
    batch = Batch(words, scalars, np.arange(count + 1, dtype=np.int64) * moves, legal.reshape(-1))
    shares = random.dirichlet(np.ones(moves), count).astype(np.float32).reshape(-1)
    results = np.eye(3, dtype=np.float32)[random.integers(3, size=count)]
    left = random.integers(200, size=count).astype(np.float32)
    policy = Shares(batch.legal_offsets, batch.legal_index, shares)
    return TrainingBatch(batch, {POLICY: policy}, {WDL: results, MOVES_LEFT: left})


class Bench:
    """A trainer whose parts are timed one at a time."""

    def __init__(self, recipe: ZeroRecipe, mode: str, window: ReplayWindow | None, folder: Path) -> None:
        self._trainer = ZeroTrainer(recipe.network, recipe.training)
        self._trainer.learner = Learner(
            self._trainer.model, recipe.training, is_compiled=mode == "compiled", is_recorded=mode != "eager"
        )
        self._window, self._checkpoint = window, folder / "trainer.pt"
        self._ready = [random_batch(self._trainer.model.shape, recipe.training.batch, seed) for seed in range(4)]

    def rate(self, part: str, steps: int) -> float:
        """Returns positions a second."""
        self._wait()
        began = time.perf_counter()
        if part == "step":
            for step in range(steps):
                self._trainer.learner.learn(self._ready[step % len(self._ready)], LEARNING_RATE)
        elif part == "both":
            assert self._window is not None
            self._trainer.train(self._window, Plan(0, steps, LEARNING_RATE), checkpoint=self._checkpoint)
        else:
            assert self._window is not None
            for step in range(steps):
                self._window.draw(self._trainer.config.batch, np.random.default_rng(step))
        self._wait()
        return steps * self._trainer.config.batch / (time.perf_counter() - began)

    def _wait(self) -> None:
        if self._trainer.device.type == "cuda":
            torch.cuda.synchronize()


def measured(arguments: argparse.Namespace, recipe: ZeroRecipe, folder: Path) -> list[dict[str, object]]:
    """Returns a row for each part, size of batch and mode."""
    window = None
    if arguments.parts != ["step"]:
        window = ReplayWindow(
            load_game(recipe.game), recipe.network.load_encoding(), recipe.training, has_reply=recipe.network.reply
        )
        for shard in arguments.shards or some_games(recipe, folder):
            window.add(shard)
    rows: list[dict[str, object]] = []
    for batch in arguments.batch or [recipe.training.batch]:
        # The statistics at the end of a generation are no part of a step, and these generations are short.
        training: ZeroTrainingConfig = dataclasses.replace(recipe.training, batch=batch, norm_batches=0)
        here = dataclasses.replace(recipe, training=training)
        benches = {mode: Bench(here, mode, window, folder) for mode in arguments.modes}
        rates: dict[tuple[str, str], list[float]] = {}
        for number in range(arguments.rounds + 1):
            for mode, bench in benches.items():
                for part in arguments.parts:
                    # The first round chooses kernels and finds memory.
                    found = bench.rate(part, arguments.steps if number else WARM_UP_STEPS)
                    rates.setdefault((part, mode), []).extend([found] if number else [])
        for (part, mode), values in rates.items():
            rows.append({"part": part, "mode": mode, "batch": batch, "rate": median(values)})
    return rows


def read_arguments() -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description="Measures the training of zero networks.")
    parser.add_argument("--json", action="store_true")
    has_gpu = torch.cuda.is_available()
    parser.add_argument("--recipe", default="chess-zero" if has_gpu else "connect4-zero")
    parser.add_argument(
        "--shards", nargs="*", type=Path, default=[], help="games of self-play; some are played without"
    )
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cuda" if has_gpu else "cpu")
    parser.add_argument("--network", help="a preset, if not the recipe's network")
    parser.add_argument("--batch", type=int, nargs="+", help="positions a step, if not the recipe's")
    parser.add_argument("--modes", nargs="+", choices=MODES, default=["graph"] if has_gpu else ["eager"])
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--steps", type=int, default=100 if has_gpu else 10, help="of each part in each round")
    parser.add_argument("--rounds", type=int, default=3)
    return parser.parse_args()


def main() -> None:
    """Prints the table or its JSON."""
    arguments, where = read_arguments(), machine()
    recipe = load_recipe(arguments.recipe)
    if arguments.network:
        network = preset(arguments.network, recipe.game, recipe.network.encoding)
        recipe = dataclasses.replace(recipe, network=network)
    training = dataclasses.replace(recipe.training, device=arguments.device)
    recipe = dataclasses.replace(recipe, training=training)
    use_threads(recipe.threads)
    with tempfile.TemporaryDirectory() as folder:
        rows = measured(arguments, recipe, Path(folder))
    facts = {"recipe": arguments.recipe, "network": arguments.network or "recipe", "device": arguments.device}
    if arguments.json:
        print(as_json("zero_training", where, [{**facts, **row} for row in rows]))
        return
    print(headline(where))
    for row in rows:
        print(f"{row['part']:>8} {row['mode']:>9} {row['batch']:>7} {row['rate']:>12,.0f} positions/s")
    print(", ".join(f"{name} {value}" for name, value in facts.items()))


if __name__ == "__main__":
    main()
