"""The loop of training small float networks: epochs of shuffled batches, reports, checkpoints.

A run takes minutes. It can be stopped at any moment and goes on from its last epoch or stop, to the same end as an
unbroken one.
"""

from __future__ import annotations

import io
import itertools
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import torch
from torch import Tensor, nn

from philidor.core.errors import ConfigError, RunError
from philidor.core.runs import Run, atomic_file
from philidor.train.dense_config import DenseTrainingConfig
from philidor.train.dense_data import DenseBatch, MakeBatch, in_order, shuffled
from philidor.train.nnue_data import TrainingPositions
from philidor.train.torch.dense_models import clip

CHECKPOINT = "state.pt"
C = TypeVar("C", bound=DenseTrainingConfig)
M = TypeVar("M", bound=nn.Module)


def torch_device(config: DenseTrainingConfig) -> torch.device:
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
    loss: float
    """Mean over the last steps."""
    positions_per_second: float
    held_out_loss: float | None = None
    """After each epoch."""


class DenseTrainer(ABC, Generic[C, M]):
    """A run in progress; a subclass says what is trained, on what batches and towards what."""

    def __init__(self, config: C, run: Run, data: TrainingPositions, *, threads: int = 1) -> None:
        """Goes on from the run's checkpoint if it has one. Raises RunError if that is damaged or of another shape."""
        self.config, self.run, self.data = config, run, data
        self.device = torch_device(config)
        torch.manual_seed(config.seed)
        self.model = self._make_model().to(self.device)
        self.optimizer = torch.optim.AdamW(
            self.model.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay, fused=self._is_cuda
        )
        self._threads = threads
        self.step = 0
        self._restore()

    @abstractmethod
    def _make_model(self) -> M:
        """Returns a new model."""

    @property
    @abstractmethod
    def _make_batch(self) -> MakeBatch:
        """Makes the batches that the model takes."""

    @abstractmethod
    def _loss(self, batch: DenseBatch, result_share: float) -> Tensor:
        """Returns the mean error, where the target has this share of the game's result."""

    @property
    def _is_cuda(self) -> bool:
        return self.device.type == "cuda"

    @property
    def steps_per_epoch(self) -> int:
        """Batches that make up all positions."""
        return -(-len(self.data.train) // self.config.batch)

    @property
    def total_steps(self) -> int:
        """Of the whole run."""
        return self.steps_per_epoch * self.config.epochs

    def train(
        self,
        report: Callable[[TrainingStep], None] = lambda _: None,
        *,
        is_stopped: Callable[[], bool] = lambda: False,
        report_every: int = 50,
    ) -> bool:
        """Trains to the end, or until stopped; says which. The state is saved either way."""
        began, seen, losses = time.monotonic(), 0, _Mean()
        while self.step < self.total_steps:
            for batch in self._rest_of_epoch():
                losses.add(self._learn(batch))
                seen += len(batch)
                if self.step % report_every == 0 and self.step % self.steps_per_epoch != 0:
                    speed = seen / max(time.monotonic() - began, 1e-9)
                    self._report(report, losses.take(), speed)
                if is_stopped():
                    self.save()
                    return False
            speed = seen / max(time.monotonic() - began, 1e-9)
            self._report(report, losses.take(), speed, held_out=self.held_out_loss())
            self.save()
        return True

    def _rest_of_epoch(self) -> Iterator[DenseBatch]:
        epoch, done = divmod(self.step, self.steps_per_epoch)
        parts = shuffled(self.config.batch, len(self.data.train), self.config.seed * 1_000_003 + epoch)
        for part in itertools.islice(parts, done, None):
            yield self._make_batch(self.data.train, part, self._threads)

    def _learn(self, batch: DenseBatch) -> Tensor:
        for group in self.optimizer.param_groups:
            group["lr"] = self._learning_rate()
        self.optimizer.zero_grad(set_to_none=True)
        loss = self._loss(batch, self._result_share())
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimizer.step()
        clip(self.model)
        self.step += 1
        return loss.detach()

    def _progress(self) -> float:
        return min(self.step / max(self.total_steps, 1), 1.0)

    def _learning_rate(self) -> float:
        high, low = self.config.learning_rate, self.config.final_learning_rate
        warm_up = min(1.0, (self.step + 1) / min(500, max(self.total_steps // 20, 1)))
        cosine = 0.5 * (1 + torch.cos(torch.tensor(torch.pi * self._progress())).item())
        return warm_up * (low + (high - low) * cosine)

    def _result_share(self) -> float:
        first, last = self.config.result_share, self.config.final_result_share
        return first + (last - first) * self._progress()

    @torch.no_grad()
    def held_out_loss(self) -> float | None:
        """Returns the loss on the games held out, with the final mix of targets; None if there are none."""
        if len(self.data.held_out) == 0:
            return None
        self.model.eval()
        total = 0.0
        for part in in_order(self.config.batch, len(self.data.held_out)):
            batch = self._make_batch(self.data.held_out, part, self._threads)
            total += self._loss(batch, self.config.final_result_share).item() * len(batch)
        self.model.train()
        return total / len(self.data.held_out)

    def _report(
        self, report: Callable[[TrainingStep], None], loss: float, speed: float, held_out: float | None = None
    ) -> None:
        now = TrainingStep(self.step, self.total_steps, self.step / self.steps_per_epoch, loss, speed, held_out)
        metrics: dict[str, Any] = {"step": now.step, "epoch": round(now.epoch, 4), "loss": loss}
        metrics |= {"positions_per_second": round(speed), "learning_rate": self._learning_rate()}
        if held_out is not None:
            metrics["held_out_loss"] = held_out
        self.run.log(metrics)
        report(now)

    # --- State ----------------------------------------------------------------------------------------------

    @property
    def checkpoint(self) -> Path:
        """Where the state is kept."""
        return self.run.checkpoints / CHECKPOINT

    def save(self) -> None:
        """Writes weights, moments and the step; the old state stays until the new one is whole."""
        state = {
            "step": self.step,
            "positions": len(self.data.train),
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
        }
        buffer = io.BytesIO()
        torch.save(state, buffer)
        with atomic_file(self.checkpoint) as file:
            file.write(buffer.getbuffer())

    def _restore(self) -> None:
        if not self.checkpoint.exists():
            return
        try:
            state = torch.load(self.checkpoint, map_location=self.device, weights_only=True)
            if state["positions"] != len(self.data.train):
                raise RunError(
                    f"{str(self.checkpoint)!r} was trained on {state['positions']:,} positions, "
                    f"these are {len(self.data.train):,}: give it the same games"
                )
            self.model.load_state_dict(state["model"])
            self.optimizer.load_state_dict(state["optimizer"])
            self.step = int(state["step"])
        except RunError:
            raise
        except Exception as error:  # torch names a damaged file in many ways
            raise RunError(f"cannot go on from {str(self.checkpoint)!r}: {type(error).__name__} {error}") from None


class _Mean:
    """Adds up losses where they are computed; asking for the value is what waits for the GPU."""

    def __init__(self) -> None:
        self._sum: Tensor | None = None
        self._count = 0

    def add(self, loss: Tensor) -> None:
        self._sum = loss if self._sum is None else self._sum + loss
        self._count += 1

    def take(self) -> float:
        mean = float("nan") if self._sum is None else (self._sum / self._count).item()
        self._sum, self._count = None, 0
        return mean
