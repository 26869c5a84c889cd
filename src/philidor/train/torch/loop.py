"""The loop of training on scored positions: epochs of shuffled batches, schedules, reports, checkpoints.

A run can be stopped at any moment and goes on from its last checkpoint, to the same end as an unbroken one.
"""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sized
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import torch
from torch import Tensor, nn

from philidor.core.runs import Run
from philidor.train.dense_config import DenseTrainingConfig
from philidor.train.nnue_config import NnueTrainingConfig
from philidor.train.nnue_data import TrainingPositions
from philidor.train.torch.devices import torch_device
from philidor.train.torch.state import State, load_state, save_state
from philidor.train.torch.tensorboard import FOLDER, Board

CHECKPOINT = "state.pt"
C = TypeVar("C", bound=NnueTrainingConfig | DenseTrainingConfig)
M = TypeVar("M", bound=nn.Module)
B = TypeVar("B", bound=Sized)


@dataclass(frozen=True, slots=True)
class TrainingStep:
    """How far a run is."""

    step: int
    epoch: float
    progress: float
    """From 0 to 1: by steps, or by time where that is limited."""
    loss: float
    """Mean over the last steps."""
    positions_per_second: float
    held_out_loss: float | None = None
    """After each epoch."""


class PositionTrainer(ABC, Generic[C, M, B]):
    """A run in progress; a subclass says what is trained, on what batches and towards what."""

    def __init__(self, config: C, run: Run, data: TrainingPositions, *, seconds: float | None = None) -> None:
        """Goes on from the run's checkpoint if it has one. Raises RunError if that is damaged or of another shape.

        Within `seconds` from now the schedules run to their end, over fewer epochs if need be, but for one at least.
        """
        self.config, self.run, self.data = config, run, data
        self._seconds = seconds
        self.device = torch_device(config.device)
        torch.manual_seed(config.seed)
        self.model = self._make_model().to(self.device)
        self.optimizer = torch.optim.AdamW(
            self.model.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay, fused=True
        )
        # What a process did after its last checkpoint is done again.
        self._board = Board(run.report / FOLDER, purges=True)
        self.step = 0
        self._progress_before = 0.0
        self._began = time.monotonic()
        self._restore()

    # --- What a subclass says -------------------------------------------------------------------------------

    @property
    @abstractmethod
    def shape(self) -> str:
        """What the network is called in a checkpoint."""

    @abstractmethod
    def _make_model(self) -> M:
        """Returns a new model."""

    @abstractmethod
    def _epoch(self, seed: int, first: int) -> Iterable[B]:
        """Makes the shuffled batches of an epoch from this one on."""

    @abstractmethod
    def _held_out(self) -> Iterable[B]:
        """Makes batches of the positions held out."""

    @abstractmethod
    def _loss(self, batch: B, result_share: float) -> Tensor:
        """Returns the mean error, where the game's result has this share."""

    @abstractmethod
    def _clip(self) -> None:
        """Keeps every weight inside what the network's file can hold."""

    def _parts(self, batch: B) -> Iterable[B]:
        """Cuts a batch into pieces to be computed one after the other."""
        return (batch,)

    # --- The loop -------------------------------------------------------------------------------------------

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

    def _rest_of_epoch(self) -> Iterable[B]:
        epoch, done = divmod(self.step, self.steps_per_epoch)
        return self._epoch(self.config.seed * 1_000_003 + epoch, done)

    def learn(self, batch: B) -> Tensor:
        """Makes one step and returns its loss. Nothing here waits for a GPU."""
        for group in self.optimizer.param_groups:
            group["lr"] = self._learning_rate()
        self.optimizer.zero_grad(set_to_none=True)
        result_share = self._result_share()
        total = torch.zeros((), device=self.device)
        for part in self._parts(batch):
            loss = self._loss(part, result_share) * (len(part) / len(batch))
            loss.backward()  # type: ignore[no-untyped-call]
            total += loss.detach()
        self.optimizer.step()
        self._clip()
        self.step += 1
        return total

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
        for batch in self._held_out():
            for part in self._parts(batch):
                total += self._loss(part, self.config.final_result_share) * len(part)
        return total.item() / len(self.data.held_out)

    def _report(
        self, report: Callable[[TrainingStep], None], loss: float, speed: float, held_out: float | None = None
    ) -> None:
        now = TrainingStep(self.step, self.step / self.steps_per_epoch, self.progress, loss, speed, held_out)
        metrics: dict[str, Any] = {"epoch": round(now.epoch, 4), "loss": loss}
        metrics |= {"positions_per_second": round(speed), "learning_rate": self._learning_rate()}
        if held_out is not None:
            metrics["held_out_loss"] = held_out
        self.run.log({"step": now.step, **metrics})
        self._board.add(metrics, now.step)
        report(now)

    # --- State ----------------------------------------------------------------------------------------------

    @property
    def checkpoint(self) -> Path:
        """Where the state is kept."""
        return self.run.checkpoints / CHECKPOINT

    def save(self) -> None:
        """Writes weights, moments and the step; the old state stays until the new one is whole."""
        model, optimizer = self.model.state_dict(), self.optimizer.state_dict()
        save_state(State(self.shape, self.step, len(self.data.train), self.progress, model, optimizer), self.checkpoint)

    def _restore(self) -> None:
        if not self.checkpoint.exists():
            return
        state = load_state(self.checkpoint, self.device, positions=len(self.data.train))
        state.restore(self.model, self.optimizer, self.checkpoint)
        self.step, self._progress_before = state.step, state.progress


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
