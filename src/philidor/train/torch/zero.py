"""Trains a network on samples of self-play, generation after generation (book, ch. 4.2.2, 4.3 and 5.4).

The loss is the sum of the heads' own, each times its weight. The batches follow from the seed and the step alone, so
that a trainer that was killed and goes on from its last state draws what it would have drawn.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import torch
from torch import Tensor

from philidor.core.config import from_dict, to_dict
from philidor.core.errors import RunError
from philidor.nets.network_config import NetworkConfig
from philidor.nets.onnx.signature import POLICY, VALUE, WDL
from philidor.nets.torch.losses import Targets
from philidor.nets.torch.model import Model
from philidor.train.torch.devices import place, precision, torch_device
from philidor.train.torch.first_model import first_model
from philidor.train.torch.inputs import inputs_of
from philidor.train.torch.norms import estimate_norms
from philidor.train.torch.state import read_fields, state_of, write_fields
from philidor.train.torch.step import Learner

if TYPE_CHECKING:
    from philidor.train.zero_config import ZeroTrainingConfig
    from philidor.train.zero_data import Samples

_CHECKPOINT_EVERY_S = 60.0
_MEASURED_AT_ONCE = 1024
# Enough to know how far off a network is; a generation may have a hundred times as many.
_MEASURED_ROWS = 4096


class Source(Protocol):
    """Where samples come from."""

    def draw(self, count: int, random: np.random.Generator, /) -> Samples:
        """Draws samples."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a generation's training is."""

    generation: int
    """Whose games were added last; the network that comes out is the next one's."""
    steps: int
    learning_rate: float


def use_threads(count: int) -> None:
    """Lets the CPU compute with so many threads; 0 leaves it to torch."""
    if count:
        torch.set_num_threads(count)


class ZeroTrainer:
    """A network that learns from self-play: a learner, its schedule, and how far it is."""

    def __init__(
        self,
        network: NetworkConfig,
        config: ZeroTrainingConfig,
        seed: int = 1,
        *,
        generation: int = 0,
        start: Path | None = None,
    ) -> None:
        """Begins as the network of this generation, with random weights or those of the file `start`."""
        self.network, self.config = network, config
        self.device = torch_device(config.device)
        model = first_model(network, seed, start=start, scale_inputs=config.scale_inputs)
        place(model, self.device, config.bfloat16)
        self.learner = Learner(model, config, is_compiled=config.compile, in_half=config.bfloat16)
        """Makes the steps."""
        self.generation = generation
        """Generations trained to the end."""
        self.is_growing = False
        """Whether it is new and still to be taught by what a smaller network has played."""
        self.steps_done = 0
        """Steps of the generation at hand."""
        self._seed = seed

    @property
    def step(self) -> int:
        """Steps in all."""
        return self.learner.step

    @property
    def model(self) -> Model:
        """The network that learns."""
        return self.learner.model

    @property
    def average(self) -> Model | None:
        """The running mean of its weights, if the config wants one."""
        return self.learner.average

    @property
    def player(self) -> Model:
        """The network that plays: the running mean, if there is one."""
        return self.learner.player

    def train(
        self,
        source: Source,
        plan: Plan,
        *,
        checkpoint: Path,
        is_stopped: Callable[[], bool] = lambda: False,
        report: Callable[[int, int], None] = lambda done, total: None,
    ) -> dict[str, float] | None:
        """Trains a generation to its end and returns mean losses by head; None if it was stopped before.

        The state is saved now and then, when stopped and at the end. Raises RunError for a loss that is no number.
        """
        saved = time.monotonic()
        self.learner.take_means()  # those of a training that was stopped are of no use
        for samples in self._batches(source, plan.steps - self.steps_done):
            if is_stopped():
                self.save(checkpoint)
                return None
            self.learn(samples, plan.learning_rate)
            self.steps_done += 1
            report(self.steps_done, plan.steps)
            if time.monotonic() - saved > _CHECKPOINT_EVERY_S:
                self.save(checkpoint)
                saved = time.monotonic()
        losses = self.learner.take_means()
        if not all(map(math.isfinite, losses.values())):
            raise RunError(f"the loss is no number any more after step {self.step}: {losses}; lower the learning rate")
        self._estimate_norms(source)
        self.generation, self.steps_done, self.is_growing = plan.generation + 1, 0, False
        self.save(checkpoint)
        return losses

    def _estimate_norms(self, source: Source) -> None:
        """Gives the running mean of the weights statistics of its own, if the config wants it."""
        if self.average is None:
            return

        def planes() -> Iterator[Tensor]:
            for number in range(self.config.norm_batches):
                # Other batches than those of the steps, whose seeds end with a zero that nobody writes.
                random = np.random.default_rng([self._seed, self.step, number + 1])
                yield _planes_and_targets(self.player, source.draw(self.config.batch, random))[0]

        with precision(self.device, self.config.bfloat16):
            estimate_norms(self.average, planes())

    def _batches(self, source: Source, count: int) -> Iterator[Samples]:
        """Yields the next batches; while a GPU learns from one, a thread draws the next."""

        def drawn(step: int) -> Samples:
            return source.draw(self.config.batch, np.random.default_rng([self._seed, step]))

        steps = range(self.step, self.step + count)
        if self.device.type != "cuda":
            yield from map(drawn, steps)
            return
        with ThreadPoolExecutor(1, "samples") as thread:
            following = thread.submit(drawn, steps[0]) if steps else None
            for step in steps:
                assert following is not None
                samples = following.result()
                following = thread.submit(drawn, step + 1) if step + 1 in steps else None
                yield samples

    def learn(self, samples: Samples, learning_rate: float) -> dict[str, Tensor]:
        """Makes one step; returns the losses by head, and their weighted sum as "loss"."""
        return self.learner.learn(samples.lesson(), learning_rate)

    @torch.no_grad()
    def measure(self, samples: Samples) -> dict[str, float]:
        """Returns how far the playing network is from samples: what games it has not seen yet say of it.

        `policy_kl` is the surprise at the search's choice, `agreement` the share of positions in which both like the
        same move best, `value_error` the mean square of the expected result's error, and `draw_error` that of somebody
        who always expects a draw: a value that is no better has learned nothing, or games by heart. Of more than 4,096
        samples as many are looked at, at even distances.
        """
        if not len(samples):
            return {}
        self.player.eval()
        if len(samples) > _MEASURED_ROWS:
            samples = samples.take(np.linspace(0, len(samples) - 1, _MEASURED_ROWS).astype(np.int64))
        sums = np.zeros(4)
        for start in range(0, len(samples), _MEASURED_AT_ONCE):
            part = samples.take(np.arange(start, min(len(samples), start + _MEASURED_AT_ONCE)))
            sums += _distances(self.player, part)
        kl, agreement, error, draw_error = (sums / len(samples)).tolist()
        return {"policy_kl": kl, "agreement": agreement, "value_error": error, "draw_error": draw_error}

    # --- State ----------------------------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """Writes everything that going on needs; the old state stays until the new one is whole. Raises RunError."""
        own = {"generation": self.generation, "steps_done": self.steps_done, "is_growing": self.is_growing}
        write_fields({**self.learner.state(), **own, "network": to_dict(self.network)}, path)

    def restore(self, path: Path) -> None:
        """Goes on from a saved state. Raises RunError if it is damaged or of another network."""
        self._restore(read_fields(path, self.device), path)

    def _restore(self, fields: dict[str, Any], path: Path) -> None:
        with state_of(path):
            self.learner.restore(fields)
            self.generation, self.steps_done = int(fields["generation"]), int(fields["steps_done"])
            self.is_growing = bool(fields["is_growing"])


def load_trainer(
    path: Path, network: NetworkConfig, config: ZeroTrainingConfig, seed: int, start: Path | None = None
) -> ZeroTrainer:
    """Returns the trainer of a saved state, whose network may have another size by now; a new one if there is none.

    Only a new one reads `start`. Raises RunError if the state is damaged, NetError for a `start` that does not fit.
    """
    if not path.exists():
        return ZeroTrainer(network, config, seed, start=start)
    fields = read_fields(path, torch_device(config.device))
    with state_of(path):
        saved = from_dict(NetworkConfig, fields["network"])
        trainer = ZeroTrainer(saved, config, seed)
    trainer._restore(fields, path)
    return trainer


def head_losses(model: Model, samples: Samples) -> dict[str, Tensor]:
    """Returns the mean loss of each head; `philidor.nets.torch.losses.weighted_sum` adds them up."""
    planes, targets = _planes_and_targets(model, samples)
    return model.loss(model(planes), targets)


def _planes_and_targets(model: Model, samples: Samples) -> tuple[Tensor, Targets]:
    device = next(model.parameters()).device
    return inputs_of(model.shape, samples.lesson(), model.heads, device)


def _distances(model: Model, samples: Samples) -> np.ndarray[Any, Any]:
    """Returns the sums of divergence, agreement, squared error, and squared error of a draw."""
    planes, targets = _planes_and_targets(model, samples)
    outputs = model.predict(planes)
    logs = outputs[POLICY].masked_fill(~targets["legal"], float("-inf")).log_softmax(dim=1)
    wanted = targets[POLICY]
    kl = (wanted * (wanted.clamp_min(1e-9).log() - logs.masked_fill(wanted == 0, 0.0))).sum()
    agreement = (logs.argmax(dim=1) == wanted.argmax(dim=1)).sum()
    wdl = outputs.get(WDL)
    value = outputs[VALUE][:, 0] if wdl is None else wdl[:, 0] - wdl[:, 2]
    result = targets[WDL][:, 0] - targets[WDL][:, 2]
    error, draw_error = ((value - result) ** 2).sum(), (result**2).sum()
    return np.array([kl.item(), agreement.item(), error.item(), draw_error.item()])
