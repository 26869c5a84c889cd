"""Trains an NNUE network on scored positions (book, 4.6.3).

The centipawns of the network and of the record both become expectations by a sigmoid, and their difference is the
error; so do those of the network and the result of the game, by a steeper one. A run can be stopped at any moment and
goes on from its last checkpoint.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from philidor.core.errors import ConfigError
from philidor.core.runs import Run
from philidor.nets.nnue import Network, load_network, save_network
from philidor.train.nnue_config import NnueTrainingConfig
from philidor.train.nnue_data import MAX_INPUTS, Batch, Batches, TrainingPositions
from philidor.train.torch.metrics import Metrics
from philidor.train.torch.nnue_integers import QuantizationReport, quantization_report
from philidor.train.torch.nnue_model import NnueModel
from philidor.train.torch.nnue_state import State, load_state, save_state

CHECKPOINT = "state.pt"
# Positions whose gradient is computed at a time on a CPU: their numbers stay in its cache, which makes a step of a
# 768-input network 2.2 times as fast. A GPU wants all at once.
_CPU_PART = 2048


def torch_device(config: NnueTrainingConfig) -> torch.device:
    """Returns where to compute. Raises ConfigError if it is not there."""
    if config.device == "cuda" and not torch.cuda.is_available():
        raise ConfigError("device is 'cuda', but torch sees no GPU here")
    return torch.device("cuda" if config.device != "cpu" and torch.cuda.is_available() else "cpu")


@dataclass(frozen=True, slots=True)
class TrainingStep:
    """How far a run is."""

    step: int
    total: int
    epoch: float
    progress: float
    """From 0 to 1: by steps, or by time where that is limited."""
    loss: float
    """Mean over the last steps."""
    positions_per_second: float
    held_out_loss: float | None = None
    """After each epoch."""


class Trainer:
    """A run in progress."""

    def __init__(
        self,
        config: NnueTrainingConfig,
        run: Run,
        data: TrainingPositions,
        *,
        threads: int = 1,
        seconds: float | None = None,
    ) -> None:
        """Goes on from the run's checkpoint if it has one. Raises RunError if that is damaged or of another shape.

        Raises NetError or ConfigError for a network to begin with that cannot be read or has another shape.

        `threads` make batches. Within `seconds` from now the schedules run to their end, over fewer epochs if need be,
        but for one at least.
        """
        self.config, self.run, self.data = config, run, data
        self._seconds = seconds
        self.device = torch_device(config)
        torch.manual_seed(config.seed)
        self.model = NnueModel(config.architecture)
        if config.start is not None:
            self.model.take_network(load_network(config.start))
        self.model.to(self.device)
        self.optimizer = torch.optim.AdamW(
            self.model.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay, fused=True
        )
        is_cuda = self.device.type == "cuda"
        self._part = config.batch if is_cuda else _CPU_PART
        room = _pinned_room if is_cuda else Batch.empty
        self.batches = Batches(data.train, config.architecture, config.batch, threads=threads, room=room)
        self.held_out_batches = Batches(data.held_out, config.architecture, config.batch, threads=threads, room=room)
        self._metrics = Metrics(run)
        self.step = 0
        self._progress_before = 0.0
        self._began = time.monotonic()
        self._restore()

    @property
    def steps_per_epoch(self) -> int:
        """Batches that make up all positions."""
        return -(-len(self.data.train) // self.config.batch)

    @property
    def total_steps(self) -> int:
        """Of the whole run."""
        return self.steps_per_epoch * self.config.epochs

    @property
    def progress(self) -> float:
        """How much of the run is done, from 0 to 1."""
        by_steps = self.step / max(self.total_steps, 1)
        passed = 0.0 if self._seconds is None else (time.monotonic() - self._began) / max(self._seconds, 1e-9)
        by_time = self._progress_before + (1 - self._progress_before) * passed
        # One epoch there is in any case: a network that has seen nothing is of no use.
        return min(max(by_steps, min(by_time, self.step / self.steps_per_epoch)), 1.0)

    def train(
        self,
        report: Callable[[TrainingStep], None] = lambda _: None,
        *,
        is_stopped: Callable[[], bool] = lambda: False,
        report_every_s: float = 2.0,
        checkpoint_every_s: float = 300.0,
    ) -> bool:
        """Trains to the end, or until stopped; says which. The state is saved either way."""
        began = reported = saved = time.monotonic()
        seen, losses = 0, _Mean()
        while self.progress < 1:
            for batch in self._rest_of_epoch():
                losses.add(self.learn(batch))
                seen += len(batch)
                now = time.monotonic()
                if is_stopped():
                    self.save()
                    return False
                if now - reported >= report_every_s:
                    self._report(report, losses.take(), seen / (now - began))
                    reported = time.monotonic()
                if now - saved >= checkpoint_every_s:
                    self.save()
                    saved = time.monotonic()
                if self.progress >= 1:
                    break
            speed = seen / max(time.monotonic() - began, 1e-9)
            self._report(report, losses.take(), speed, held_out=self.held_out_loss())
        self.save()
        return True

    def _rest_of_epoch(self) -> Iterator[Batch]:
        epoch, done = divmod(self.step, self.steps_per_epoch)
        return self.batches.epoch(self.config.seed * 1_000_003 + epoch, first=done)

    def learn(self, batch: Batch) -> Tensor:
        """Makes one step and returns its loss. Nothing here waits for a GPU."""
        for group in self.optimizer.param_groups:
            group["lr"] = self._learning_rate()
        self.optimizer.zero_grad(set_to_none=True)
        result_share = self._result_share()
        total = torch.zeros((), device=self.device)
        for part in batch.parts(self._part):
            loss = self._loss(part, result_share) * (len(part) / len(batch))
            loss.backward()  # type: ignore[no-untyped-call]
            total += loss.detach()
        self.optimizer.step()
        self.model.clip()
        self.step += 1
        return total

    def _loss(self, batch: Batch, result_share: float) -> Tensor:
        own, theirs, bucket, score, result = (
            torch.from_numpy(array).to(self.device, non_blocking=True)
            for array in (batch.own, batch.theirs, batch.bucket, batch.score, batch.result)
        )
        found = self.model(own, theirs, bucket.long())
        scale = self.config.score_scale
        wrong = (torch.sigmoid(found / scale) - torch.sigmoid(score / scale)).abs()
        loss = (wrong + 1e-9).pow(self.config.exponent).mean()
        if result_share == 0:
            return loss
        # Squared, whatever the exponent: only then is the mean result what a network does best to expect.
        surprise = (torch.sigmoid(found / self.config.result_scale) - result).square().mean()
        return (1 - result_share) * loss + result_share * surprise

    def _learning_rate(self) -> float:
        high, low = self.config.learning_rate, self.config.final_learning_rate
        by_steps = (self.step + 1) / min(500, max(self.total_steps // 20, 1))
        warm_up = min(1.0, max(by_steps, 20 * self.progress))
        return warm_up * (low + (high - low) * 0.5 * (1 + math.cos(math.pi * self.progress)))

    def _result_share(self) -> float:
        first, last = self.config.result_share, self.config.final_result_share
        return first + (last - first) * self.progress

    @torch.no_grad()
    def held_out_loss(self) -> float | None:
        """Returns the loss on the games held out, with the final share of the result; None if there are none."""
        if len(self.data.held_out) == 0:
            return None
        total = torch.zeros((), device=self.device)
        for batch in self.held_out_batches.in_order():
            for part in batch.parts(self._part):
                total += self._loss(part, self.config.final_result_share) * len(part)
        return total.item() / len(self.data.held_out)

    def _report(
        self, report: Callable[[TrainingStep], None], loss: float, speed: float, held_out: float | None = None
    ) -> None:
        epoch = self.step / self.steps_per_epoch
        now = TrainingStep(self.step, self.total_steps, epoch, self.progress, loss, speed, held_out)
        metrics: dict[str, Any] = {"step": now.step, "epoch": round(now.epoch, 4), "loss": loss}
        metrics |= {"positions_per_second": round(speed), "learning_rate": self._learning_rate()}
        if held_out is not None:
            metrics["held_out_loss"] = held_out
        self._metrics.log(metrics)
        report(now)

    @property
    def checkpoint(self) -> Path:
        """Where the state is kept."""
        return self.run.checkpoints / CHECKPOINT

    def save(self) -> None:
        """Writes weights, moments and the step; the old state stays until the new one is whole."""
        model, optimizer = self.model.state_dict(), self.optimizer.state_dict()
        save_state(
            State(self.config.shape, self.step, len(self.data.train), self.progress, model, optimizer), self.checkpoint
        )

    def _restore(self) -> None:
        if not self.checkpoint.exists():
            return
        state = load_state(self.checkpoint, self.device, positions=len(self.data.train))
        state.restore(self.model, self.optimizer, self.checkpoint)
        self.step, self._progress_before = state.step, state.progress

    def network(self, description: str = "") -> Network:
        """Returns the network as integers."""
        return self.model.to_network(description)


class _Mean:
    """Adds up losses where they are computed; asking for the value is what waits for the GPU."""

    def __init__(self) -> None:
        self._sum: Tensor | None = None
        self._count = 0
        self._last = float("nan")

    def add(self, loss: Tensor) -> None:
        self._sum = loss if self._sum is None else self._sum + loss
        self._count += 1

    def take(self) -> float:
        """Returns the mean since the last call; the last one again if there was nothing since."""
        if self._sum is not None:
            self._last = self._sum.item() / self._count
            self._sum, self._count = None, 0
        return self._last


def _pinned_room(size: int) -> Batch:
    """Makes room in memory that a GPU copies from by itself; torch does not give it out again before it has."""
    lists, number = (size, MAX_INPUTS), torch.float32
    return Batch(
        torch.empty(lists, dtype=torch.int32, pin_memory=True).numpy(),
        torch.empty(lists, dtype=torch.int32, pin_memory=True).numpy(),
        torch.empty(size, dtype=torch.uint8, pin_memory=True).numpy(),
        torch.empty(size, dtype=number, pin_memory=True).numpy(),
        torch.empty(size, dtype=number, pin_memory=True).numpy(),
    )


def export(trainer: Trainer, path: Path, description: str) -> QuantizationReport:
    """Writes the network's file and says what rounding has cost."""
    network = trainer.network(description)
    save_network(network, path)
    has_held_out = len(trainer.data.held_out) > 0  # few games may have none
    batches = trainer.held_out_batches if has_held_out else trainer.batches
    return quantization_report(trainer.model, network, batches)
