"""Trains the small float networks: Giraffe's to judge, DeepChess's to compare (book, 2.14).

With a result share of 1 everything is learned from who won: DeepChess's own way, and the way to an evaluation that
likes what works among amateurs (book, 4.8).
"""

from __future__ import annotations

import itertools
from abc import abstractmethod
from collections.abc import Iterator
from typing import TypeVar, final

import torch
from torch import Tensor, nn

from philidor.core.runs import Run
from philidor.nets.dense import DeepChessNetwork, GiraffeNetwork
from philidor.train.dense_config import DeepChessTrainingConfig, DenseTrainingConfig, GiraffeTrainingConfig
from philidor.train.dense_data import DenseBatch, MakeBatch, deepchess_batch, giraffe_batch, in_order, shuffled
from philidor.train.nnue_data import TrainingPositions
from philidor.train.torch.dense_models import DeepChessModel, GiraffeModel, clip
from philidor.train.torch.loop import PositionTrainer

C = TypeVar("C", bound=DenseTrainingConfig)
M = TypeVar("M", bound=nn.Module)


class DenseTrainer(PositionTrainer[C, M, DenseBatch]):
    """A run of either kind."""

    def __init__(self, config: C, run: Run, data: TrainingPositions, *, threads: int = 1) -> None:
        """`threads` make each batch."""
        super().__init__(config, run, data)
        self._threads = threads

    @property
    @abstractmethod
    def _make_batch(self) -> MakeBatch:
        """Makes the batches that the model takes."""

    def _epoch(self, seed: int, first: int) -> Iterator[DenseBatch]:
        parts = shuffled(self.config.batch, len(self.data.train), seed)
        for part in itertools.islice(parts, first, None):
            yield self._make_batch(self.data.train, part, self._threads)

    def _held_out(self) -> Iterator[DenseBatch]:
        for part in in_order(self.config.batch, len(self.data.held_out)):
            yield self._make_batch(self.data.held_out, part, self._threads)

    def _clip(self) -> None:
        clip(self.model)


@final
class GiraffeTrainer(DenseTrainer[GiraffeTrainingConfig, GiraffeModel]):
    """A run in progress: tanh of the output is to be the expected result."""

    @property
    def shape(self) -> str:
        """The network's kind."""
        return "giraffe"

    def _make_model(self) -> GiraffeModel:
        return GiraffeModel(self.config.widths, self.config.hidden)

    @property
    def _make_batch(self) -> MakeBatch:
        return giraffe_batch

    def _loss(self, batch: DenseBatch, result_share: float) -> Tensor:
        inputs, score, result = _tensors(batch, self.device)
        expected = (1 + torch.tanh(self.model(inputs))) / 2
        target = (1 - result_share) * torch.sigmoid(score / self.config.score_scale) + result_share * result
        return (expected - target).square().mean()

    def network(self, description: str) -> GiraffeNetwork:
        """Returns what was learned. As (1 + tanh(x)) / 2 is sigmoid(2 x), an output of 1 is two score scales."""
        return self.model.to_network(2 * self.config.score_scale, description)


@final
class DeepChessTrainer(DenseTrainer[DeepChessTrainingConfig, DeepChessModel]):
    """A run in progress: of two positions, the one with the better score and result is to be called better."""

    @property
    def shape(self) -> str:
        """The network's kind."""
        return "deepchess"

    def _make_model(self) -> DeepChessModel:
        return DeepChessModel(self.config.vector, self.config.hidden)

    @property
    def _make_batch(self) -> MakeBatch:
        return deepchess_batch

    def _loss(self, batch: DenseBatch, result_share: float) -> Tensor:
        inputs, score, result = _tensors(batch, self.device)
        vectors = self.model.embed(inputs)
        losses = []
        for number in range(1, self.config.pairs + 1):
            # Far apart in the batch, so that the two are from different games where it is not shuffled.
            shift = max(1, len(batch) * number // (self.config.pairs + 1))
            better = self.model(vectors, vectors.roll(shift, 0))
            by_score = torch.sigmoid((score - score.roll(shift)) / self.config.score_scale)
            by_result = (1 + (result - result.roll(shift)).sign()) / 2
            target = (1 - result_share) * by_score + result_share * by_result
            losses.append(nn.functional.binary_cross_entropy_with_logits(better, target))
        return torch.stack(losses).mean()

    def network(self, description: str) -> DeepChessNetwork:
        """Returns what was learned."""
        return self.model.to_network(description)


def _tensors(batch: DenseBatch, device: torch.device) -> tuple[Tensor, Tensor, Tensor]:
    inputs, score, result = (
        torch.from_numpy(array).to(device, non_blocking=True) for array in (batch.inputs, batch.score, batch.result)
    )
    return inputs, score, result
