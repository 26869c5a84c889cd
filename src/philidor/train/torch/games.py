"""Trains a network on recorded games (book, ch. 4.1.3, 4.5 and 4.8).

The loader's place in its stream is part of the state, and what is left to chance follows from the seed and the step: a
training that was stopped or killed goes on with the positions it would have seen, to the same weights.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from torch import Tensor

from philidor.core.errors import RunError
from philidor.encodings.human import is_human
from philidor.nets.torch.body import PlainBody
from philidor.nets.torch.model import Model
from philidor.train.game_data import GameBatches, GameData, StreamState
from philidor.train.game_lessons import lesson
from philidor.train.torch.devices import place, precision, torch_device
from philidor.train.torch.first_model import first_model
from philidor.train.torch.inputs import inputs_of
from philidor.train.torch.norms import estimate_norms
from philidor.train.torch.state import read_fields, state_of, write_fields
from philidor.train.torch.step import Learner

if TYPE_CHECKING:
    from philidor.train.game_data import GameBatch
    from philidor.train.games_config import GamesRecipe
    from philidor.train.training_batch import TrainingBatch

CHECKPOINT = "trainer.pt"
CHECKPOINT_EVERY_S = 60.0
REPORT_EVERY_S = 0.5
_IS_DONE = "is_done"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a training is."""

    step: int
    share: float
    """Of the whole training, from 0 to 1."""
    positions_per_second: float
    """Since the process began to learn."""


class GamesTrainer:
    """A training in progress: a learner, its place in the games, and the time it has taken."""

    def __init__(
        self,
        recipe: GamesRecipe,
        data: GameData,
        *,
        threads: int = 1,
        prepare: Callable[[GameBatch], GameBatch] = lambda batch: batch,
    ) -> None:
        """Raises NetError for a network to start from that has another shape.

        `prepare` may change batches before they are learned from, such as their positions' weights.
        """
        self.recipe, self.config, self.data = recipe, recipe.training, data
        self.device = torch_device(self.config.device)
        self.has_ratings = is_human(recipe.network.encoding)
        model = first_model_of(recipe)
        place(model, self.device, self.config.bfloat16)
        self.learner = Learner(model, self.config, is_compiled=self.config.compile, in_half=self.config.bfloat16)
        self.is_done = False
        """Whether the training came to its end."""
        self._prepare = prepare
        self._threads, self._epoch = threads, data.epoch_positions
        self._place: StreamState | None = None
        self._seconds_before = 0.0
        self._began: float | None = None

    @property
    def step(self) -> int:
        """Steps in all."""
        return self.learner.step

    @property
    def player(self) -> Model:
        """The network that is written: the running mean of the weights, if there is one."""
        return self.learner.player

    @property
    def seconds(self) -> float:
        """Time spent on training, by all processes."""
        return self._seconds_before + (0.0 if self._began is None else time.monotonic() - self._began)

    @property
    def progress(self) -> float:
        """How much is done, from 0 to 1: by steps, epochs or time, whatever is further."""
        return self.config.progress(self.step, self.seconds, self._epoch / self.recipe.data.batch)

    @property
    def learning_rate(self) -> float:
        """Of the next step, without the warm-up."""
        return self.config.rate_at(self.progress)

    # --- The loop -------------------------------------------------------------------------------------------

    def train(
        self,
        checkpoint: Path,
        *,
        is_stopped: Callable[[], bool] = lambda: False,
        report: Callable[[Progress], None] = lambda _: None,
        measure: Callable[[], bool] = lambda: True,
    ) -> bool:
        """Trains to the end; False if it was stopped before.

        The state is saved every minute, when stopped and at the end. `measure` is called every `measure_every` steps
        and at the end, before the last save; False says that it was stopped. Raises RunError for a loss that is no
        number.
        """
        self._began = self._began or time.monotonic()
        if self.is_done:
            return True
        if not self._learn_all(checkpoint, is_stopped, report, measure):
            self.save(checkpoint)
            return False
        self._estimate_norms()
        self.is_done = True
        measure()
        self.save(checkpoint)
        return True

    def _learn_all(
        self,
        checkpoint: Path,
        is_stopped: Callable[[], bool],
        report: Callable[[Progress], None],
        measure: Callable[[], bool],
    ) -> bool:
        began = saved = time.monotonic()
        reported, first = 0.0, self.step
        with self.data.batches(start=self._place, threads=self._threads) as stream:
            for given, following in self._lessons(stream):
                if is_stopped():
                    return False
                if self.progress >= 1:
                    break
                self.learner.learn(given, self.learning_rate)
                self._place = following
                if self.step % self.config.measure_every == 0 and self.progress < 1 and not measure():
                    return False
                now = time.monotonic()
                if now - reported > REPORT_EVERY_S:
                    speed = (self.step - first) * self.recipe.data.batch / max(now - began, 1e-9)
                    report(Progress(self.step, self.progress, speed))
                    reported = now
                if now - saved > CHECKPOINT_EVERY_S:
                    self.save(checkpoint)
                    saved = time.monotonic()
        return True

    def _lessons(self, stream: GameBatches) -> Iterator[tuple[TrainingBatch, StreamState]]:
        """Yields lessons and where the stream goes on behind each; while one is learned, a thread makes the next."""

        def made(step: int) -> tuple[TrainingBatch, StreamState]:
            batch = next(stream)
            random = np.random.default_rng([self.recipe.seed, step])
            return lesson(self._prepare(batch), self.config, has_ratings=self.has_ratings, random=random), batch.state

        with ThreadPoolExecutor(1, "lessons") as thread:
            following = thread.submit(made, self.step)
            for step in count(self.step + 1):
                given = following.result()
                following = thread.submit(made, step)
                yield given

    def check_losses(self, losses: dict[str, float]) -> dict[str, float]:
        """Returns mean losses. Raises RunError for one that is no number."""
        if not all(map(math.isfinite, losses.values())):
            raise RunError(f"the loss is no number any more after step {self.step}: {losses}; lower the learning rate")
        return losses

    def _estimate_norms(self) -> None:
        """Gives the running mean of the weights statistics of its own, if the config wants it."""
        average, wanted = self.learner.average, self.config.norm_batches
        if average is None or not wanted:
            return

        def planes() -> Iterator[Tensor]:
            with self.data.batches(start=self._place, threads=self._threads) as stream:
                for _, (given, _) in zip(range(wanted), self._lessons(stream), strict=False):
                    yield inputs_of(average.shape, given, average.heads, self.device)[0]

        with precision(self.device, self.config.bfloat16):
            estimate_norms(average, planes())

    # --- State ----------------------------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """Writes everything that going on needs; the old state stays until the new one is whole. Raises RunError."""
        stream = None if self._place is None else asdict(self._place)
        write_fields({**self.learner.state(), "stream": stream, "seconds": self.seconds, _IS_DONE: self.is_done}, path)

    def restore(self, path: Path) -> None:
        """Goes on from a saved state. Raises RunError if it is damaged or of another network."""
        fields = read_fields(path, self.device)
        with state_of(path):
            self.learner.restore(fields)
            self._place = None if fields["stream"] is None else StreamState(**fields["stream"])
            self._seconds_before = float(fields["seconds"])
            # More steps or minutes than before: what was the end is none any more.
            self.is_done = bool(fields[_IS_DONE]) and self.progress >= 1


def first_model_of(recipe: GamesRecipe) -> Model:
    """Returns the network that a recipe begins with. Raises NetError if its file has another shape."""
    config = recipe.training
    model = first_model(recipe.network, recipe.seed, start=config.start, scale_inputs=config.scale_inputs)
    if config.batch_norm and isinstance(model.body, PlainBody):
        model.body.add_norms()
    return model
