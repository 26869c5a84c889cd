"""Asks a network about positions whose moves and results are known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from philidor.nets.onnx.signature import POLICY, VALUE, WDL
from philidor.train.game_data import GameData
from philidor.train.game_lessons import lesson
from philidor.train.matching import Predictions, equal_chances, join, phases_of, tables
from philidor.train.torch.inputs import inputs_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from philidor.nets.torch.model import Model
    from philidor.train.game_data import GameBatch
    from philidor.train.games_config import GamesTrainingConfig
    from philidor.train.training_batch import TrainingBatch


@dataclass(frozen=True, slots=True, eq=False)
class HeldOut:
    """Positions that are not learned from, ready to be asked about."""

    lessons: Sequence[TrainingBatch]
    played: Sequence[NDArray[np.int64]]
    results: Sequence[NDArray[np.float32]]
    """Win, draw and loss as they were, whatever the value learns from."""
    phases: NDArray[np.str_] | None
    ratings: NDArray[np.uint16]
    games: NDArray[np.uint32]
    """The number of each position's game."""
    bands: tuple[int, ...]
    counted: NDArray[np.bool_]
    """Which of the lessons' positions count; the columns above have only these."""

    def __len__(self) -> int:
        return len(self.ratings)

    @property
    def equal_chances(self) -> dict[str, float]:
        """What a player without knowledge reaches."""
        legal = np.concatenate([np.diff(each.batch.legal_offsets) for each in self.lessons])
        return equal_chances(legal[self.counted])


def hold_out(
    data: GameData,
    config: GamesTrainingConfig,
    *,
    has_ratings: bool,
    threads: int = 1,
    prepare: Callable[[GameBatch], GameBatch] = lambda batch: batch,
) -> HeldOut:
    """Takes as many positions as the config wants, each once. Raises ConfigError if there are none.

    Positions that `prepare` gives no weight do not count.
    """
    kept: list[GameBatch] = []
    with data.batches(epochs=1, threads=threads) as stream:
        for batch in stream:
            kept.append(prepare(batch))
            if sum(int((each.weight > 0).sum()) for each in kept) >= config.measured:
                break
    counted = np.concatenate([batch.weight > 0 for batch in kept])
    is_chess = any(batch.phase.any() for batch in kept)
    ply, phase = (np.concatenate([getattr(batch, name) for batch in kept]) for name in ("ply", "phase"))
    return HeldOut(
        lessons=[lesson(batch, config, has_ratings=has_ratings) for batch in kept],
        played=[batch.played.astype(np.int64) for batch in kept],
        results=[batch.wdl for batch in kept],
        phases=phases_of(ply, phase)[counted] if is_chess else None,
        ratings=np.concatenate([batch.ratings[:, 0] for batch in kept])[counted],
        games=np.concatenate([batch.game for batch in kept])[counted],
        bands=data.config.rating_bands,
        counted=counted,
    )


def measure(model: Model, held_out: HeldOut, is_stopped: Callable[[], bool] = lambda: False) -> dict[str, Any] | None:
    """Returns the tables of `philidor.train.matching`; None if it was stopped on the way."""
    found = predict(model, held_out, is_stopped)
    if found is None:
        return None
    return tables(found, phases=held_out.phases, ratings=held_out.ratings, bands=held_out.bands)


def predict(model: Model, held_out: HeldOut, is_stopped: Callable[[], bool] = lambda: False) -> Predictions | None:
    """Returns what a network says of the positions, in their order; None if it was stopped on the way."""
    device = next(model.parameters()).device
    was_training = model.training
    model.eval()
    parts = []
    try:
        for given, played, result in zip(held_out.lessons, held_out.played, held_out.results, strict=True):
            if is_stopped():
                return None
            parts.append(_predictions(model, given, played, result, device))
    finally:
        model.train(was_training)
    return join(parts).take(held_out.counted)


@torch.no_grad()
def _predictions(
    model: Model, given: TrainingBatch, played: NDArray[np.int64], result: NDArray[np.float32], device: torch.device
) -> Predictions:
    planes, targets = inputs_of(model.shape, given, model.heads, device)
    outputs = model.predict(planes)
    logs = outputs[POLICY].masked_fill(~targets["legal"], float("-inf")).log_softmax(dim=1)
    own = logs.gather(1, torch.from_numpy(played).to(device)[:, None])
    rank = (logs > own).sum(dim=1)
    wanted = torch.from_numpy(result).to(device)
    chances = _chances(outputs)
    brier = ((chances - wanted) ** 2).sum(dim=1)
    error = ((chances[:, 0] - chances[:, 2]) - (wanted[:, 0] - wanted[:, 2])) ** 2
    numbers = (each.double().cpu().numpy() for each in (own[:, 0], brier, error))
    log_likelihood, briers, errors = numbers
    return Predictions(log_likelihood, rank.cpu().numpy(), briers, errors)


def _chances(outputs: dict[str, Tensor]) -> Tensor:
    """Returns win, draw and loss; a network with one expected result knows no draws."""
    if WDL in outputs:
        return outputs[WDL]
    value = outputs[VALUE][:, 0]
    return torch.stack([(1 + value) / 2, torch.zeros_like(value), (1 - value) / 2], dim=1)
