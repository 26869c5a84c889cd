"""Batches of recorded games as lessons: what each head is taught, and how ratings are shown (facts: docs/human.md)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from philidor.encodings.human import at_ratings
from philidor.nets.onnx.signature import MOVES_LEFT, POLICY, WDL
from philidor.train.game_data import NO_SCORE
from philidor.train.shares import Shares
from philidor.train.training_batch import TrainingBatch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from philidor.encodings.encoding import Batch
    from philidor.train.game_data import GameBatch
    from philidor.train.games_config import GamesTrainingConfig

_LARGEST_EXPONENT = 60.0


def lesson(
    batch: GameBatch, config: GamesTrainingConfig, *, has_ratings: bool, random: np.random.Generator | None = None
) -> TrainingBatch:
    """Returns what a step learns from. With `random` some positions are not told the ratings, as the config says."""
    policy = Shares(batch.target_offsets, batch.target_index, batch.target_weight)
    return TrainingBatch(
        shown(batch, config.rating_dropout if random is not None else 0.0, random) if has_ratings else batch.inputs,
        {POLICY: policy},
        {WDL: value_target(batch, config), MOVES_LEFT: batch.moves_left},
        batch.weight,
    )


def without_passes(batch: GameBatch, points: int) -> GameBatch:
    """Returns a batch in which positions do not count where a pass was played: places from `points` on are passes."""
    return replace(batch, weight=np.where(batch.played < points, batch.weight, 0).astype(np.float32))


def shown(batch: GameBatch, dropout: float = 0.0, random: np.random.Generator | None = None) -> Batch:
    """Returns the inputs with the ratings of the side to move and of its opponent.

    Both are unknown in this share of the positions: players who do not say how strong they are get an answer too.
    """
    ratings = batch.ratings
    if dropout and random is not None:
        ratings = np.where(random.random((len(batch), 1)) < dropout, 0, ratings)
    return at_ratings(batch.inputs, ratings)


def value_target(batch: GameBatch, config: GamesTrainingConfig) -> NDArray[np.float32]:  # [n, 3]
    """Returns what the value learns: the result, mixed with an engine's score where there is one."""
    if not config.score_share:
        return batch.wdl
    is_known = (batch.score != NO_SCORE)[:, np.newaxis]
    expected = score_wdl(batch.score, config.score_half, config.score_spread)
    mixed = config.score_share * expected + (1 - config.score_share) * batch.wdl
    return np.where(is_known, mixed, batch.wdl).astype(np.float32)


def score_wdl(score: NDArray[np.int16], half: float, spread: float) -> NDArray[np.float32]:  # [n, 3]
    """Returns the chances that centipawns of the side to move stand for: two logistic curves, as Stockfish has them."""
    centipawns = score.astype(np.float64)
    win = _logistic((centipawns - half) / spread)
    loss = _logistic((-centipawns - half) / spread)
    return np.stack([win, 1 - win - loss, loss], axis=1).astype(np.float32)


def _logistic(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(1 / (1 + np.exp(-np.clip(x, -_LARGEST_EXPONENT, _LARGEST_EXPONENT))))
