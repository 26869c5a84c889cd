"""Trains the small float networks: Giraffe's to judge, DeepChess's to compare (book, 2.14).

With a result share of 1 everything is learnt from who won: DeepChess's own way, and the way to an evaluation that likes
what works among amateurs (book, 4.8).
"""

from __future__ import annotations

from typing import final

import torch
from torch import Tensor, nn

from philidor.nets.dense import DeepChessNetwork, GiraffeNetwork
from philidor.train.dense_config import DeepChessTrainingConfig, GiraffeTrainingConfig
from philidor.train.dense_data import DenseBatch, MakeBatch, deepchess_batch, giraffe_batch
from philidor.train.torch.dense_loop import DenseTrainer
from philidor.train.torch.dense_models import DeepChessModel, GiraffeModel


@final
class GiraffeTrainer(DenseTrainer[GiraffeTrainingConfig, GiraffeModel]):
    """A run in progress: tanh of the output is to be the expected result."""

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
        """Returns what was learnt. As (1 + tanh(x)) / 2 is sigmoid(2 x), an output of 1 is two score scales."""
        return self.model.to_network(2 * self.config.score_scale, description)


@final
class DeepChessTrainer(DenseTrainer[DeepChessTrainingConfig, DeepChessModel]):
    """A run in progress: of two positions, the one with the better score and result is to be called better."""

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
        """Returns what was learnt."""
        return self.model.to_network(description)


def _tensors(batch: DenseBatch, device: torch.device) -> tuple[Tensor, Tensor, Tensor]:
    inputs, score, result = (
        torch.from_numpy(array).to(device, non_blocking=True) for array in (batch.inputs, batch.score, batch.result)
    )
    return inputs, score, result
