"""Trains an NNUE network on scored positions (book, 4.6.3).

The centipawns of the network and of the record both become expectations by a sigmoid, and their difference is the
error; so do those of the network and the result of the game, by a steeper one.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import torch
from torch import Tensor

from philidor.core.runs import Run
from philidor.nets.nnue import Network, load_network, save_network
from philidor.train.nnue_config import NnueTrainingConfig
from philidor.train.nnue_data import MAX_INPUTS, Batch, Batches, TrainingPositions
from philidor.train.nnue_growth import grow
from philidor.train.torch.loop import PositionTrainer
from philidor.train.torch.nnue_integers import QuantizationReport, quantization_report
from philidor.train.torch.nnue_model import NnueModel

# Positions whose gradient is computed at a time on a CPU: their numbers stay in its cache, which makes a step of a
# 768-input network 2.2 times as fast. A GPU wants all at once.
_CPU_PART = 2048


class Trainer(PositionTrainer[NnueTrainingConfig, NnueModel, Batch]):
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
        """Also raises NetError or ConfigError for a network to begin with that cannot be read or used.

        `threads` make batches.
        """
        super().__init__(config, run, data, seconds=seconds)
        is_cuda = self.device.type == "cuda"
        self._part = config.batch if is_cuda else _CPU_PART
        room = _pinned_room if is_cuda else Batch.empty
        self.batches = Batches(data.train, config.architecture, config.batch, threads=threads, room=room)
        self.held_out_batches = Batches(data.held_out, config.architecture, config.batch, threads=threads, room=room)

    @property
    def shape(self) -> str:
        """The architecture's name."""
        return self.config.shape

    def _make_model(self) -> NnueModel:
        model = NnueModel(self.config.architecture)
        if self.config.start is not None:
            start = load_network(self.config.start)
            if start.architecture != self.config.architecture:
                start = grow(start, model.to_network(), seed=self.config.seed)
            model.take_network(start)
        return model

    def _epoch(self, seed: int, first: int) -> Iterator[Batch]:
        return self.batches.epoch(seed, first=first)

    def _held_out(self) -> Iterator[Batch]:
        return self.held_out_batches.in_order()

    def _parts(self, batch: Batch) -> Iterator[Batch]:
        return batch.parts(self._part)

    def _loss(self, batch: Batch, result_share: float) -> Tensor:
        own, theirs, bucket, score, result = (
            torch.from_numpy(array).to(self.device, non_blocking=True)
            for array in (batch.own, batch.theirs, batch.bucket, batch.score, batch.result)
        )
        found = self.model(own, theirs, bucket)
        scale = self.config.score_scale
        wrong = (torch.sigmoid(found / scale) - torch.sigmoid(score / scale)).abs()
        losses = (wrong + 1e-9).pow(self.config.exponent)
        if result_share:
            # Squared, whatever the exponent: only then is the mean result what a network does best to expect.
            surprises = (torch.sigmoid(found / self.config.result_scale) - result).square()
            losses = losses + result_share * (result >= 0) * (surprises - losses)
        return losses.mean()

    def _clip(self) -> None:
        self.model.clip()

    def network(self, description: str = "") -> Network:
        """Returns the network as integers."""
        return self.model.to_network(description)


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


def random_network(config: NnueTrainingConfig) -> Network:
    """Returns a network that has learned nothing: the weights that training begins with."""
    torch.manual_seed(config.seed)
    return NnueModel(config.architecture).to_network(f"{config.shape}, random weights")


def export(trainer: Trainer, path: Path, description: str) -> QuantizationReport:
    """Writes the network's file and says what rounding has cost."""
    network = trainer.network(description)
    save_network(network, path)
    has_held_out = len(trainer.data.held_out) > 0  # few games may have none
    batches = trainer.held_out_batches if has_held_out else trainer.batches
    return quantization_report(trainer.model, network, batches)
