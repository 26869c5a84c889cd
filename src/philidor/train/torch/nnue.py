"""Trains an NNUE network on scored positions (book, 4.6.3).

The network's centipawns and the recorded score both become expectations by a sigmoid; the target mixes the score's with
the result of the game. A run can be stopped at any moment and goes on from its last checkpoint.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from philidor.core.errors import ConfigError, RunError
from philidor.core.runs import Run, atomic_file
from philidor.nets.nnue import Network, save_network
from philidor.train.nnue_config import NnueTrainingConfig
from philidor.train.nnue_data import Batch, Batches, TrainingPositions
from philidor.train.torch.nnue_integers import QuantizationReport, quantization_report
from philidor.train.torch.nnue_model import NnueModel

CHECKPOINT = "state.pt"


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
    loss: float
    """Mean over the last steps."""
    positions_per_second: float
    held_out_loss: float | None = None
    """After each epoch."""


class Trainer:
    """A run in progress."""

    def __init__(self, config: NnueTrainingConfig, run: Run, data: TrainingPositions, *, threads: int = 1) -> None:
        """Goes on from the run's checkpoint if it has one. Raises RunError if that is damaged or of another shape."""
        self.config, self.run, self.data = config, run, data
        self.device = torch_device(config)
        torch.manual_seed(config.seed)
        self.model = NnueModel(config.architecture).to(self.device)
        self.optimizer = torch.optim.AdamW(
            self.model.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay, fused=self._is_cuda
        )
        self._batches = Batches(data.train, config.architecture, config.batch, threads=threads)
        self.held_out_batches = Batches(data.held_out, config.architecture, config.batch, threads=threads)
        self.step = 0
        self._restore()

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
        checkpoint_every_s: float = 300.0,
    ) -> bool:
        """Trains to the end, or until stopped; says which. The state is saved either way."""
        saved, began, seen, losses = time.monotonic(), time.monotonic(), 0, _Mean()
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
                if time.monotonic() - saved > checkpoint_every_s:
                    self.save()
                    saved = time.monotonic()
            speed = seen / max(time.monotonic() - began, 1e-9)
            self._report(report, losses.take(), speed, held_out=self.held_out_loss())
            self.save()
        return True

    def _rest_of_epoch(self) -> Iterator[Batch]:
        epoch, done = divmod(self.step, self.steps_per_epoch)
        for number, batch in enumerate(self._batches.epoch(self.config.seed * 1_000_003 + epoch)):
            if number >= done:
                yield batch

    def _learn(self, batch: Batch) -> Tensor:
        for group in self.optimizer.param_groups:
            group["lr"] = self._learning_rate()
        self.optimizer.zero_grad(set_to_none=True)
        loss = self._loss(batch, self._result_share())
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimizer.step()
        self.model.clip()
        self.step += 1
        return loss.detach()

    def _loss(self, batch: Batch, result_share: float) -> Tensor:
        own, theirs, bucket, score, result = (
            torch.from_numpy(array).to(self.device, non_blocking=True)
            for array in (batch.own, batch.theirs, batch.bucket, batch.score, batch.result)
        )
        expected = torch.sigmoid(self.model(own, theirs, bucket.long()) / self.config.score_scale)
        target = (1 - result_share) * torch.sigmoid(score / self.config.score_scale) + result_share * result
        return ((expected - target).abs() + 1e-9).pow(self.config.exponent).mean()

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
        for batch in self.held_out_batches.in_order():
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
            "shape": self.config.shape,
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

    def network(self, description: str = "") -> Network:
        """Returns the network as integers."""
        return self.model.to_network(description)


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


def export(trainer: Trainer, path: Path, description: str) -> QuantizationReport:
    """Writes the network's file and says what rounding has cost."""
    network = trainer.network(description)
    save_network(network, path)
    return quantization_report(trainer.model, network, trainer.held_out_batches)
