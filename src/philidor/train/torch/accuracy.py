"""How often a policy's first choice was played: of the policy alone, or of its mean over a position's symmetric forms.

Silver et al. 2016, Extended Data Table 3.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from philidor.core.errors import ConfigError
from philidor.nets.onnx.signature import POLICY
from philidor.train.symmetric_forms import SymmetricForms
from philidor.train.torch.devices import precision
from philidor.train.torch.inputs import unpack

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from philidor.core.game import AnyGame
    from philidor.encodings.encoding import Batch, Encoding
    from philidor.nets.torch.model import Model
    from philidor.train.game_data import GameData


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Shares of positions."""

    forms: int
    """Symmetric forms whose answers are averaged."""
    first: float
    """Share in which the likeliest move was played."""
    first_five: float
    """Share in which one of the five likeliest moves was played."""


class FormsMean:
    """A network that is asked about the first symmetric forms of each position, and answers with the mean."""

    def __init__(self, model: Model, game: AnyGame, encoding: Encoding, device: torch.device) -> None:
        """Raises ConfigError where the encoding does not say where squares and moves go."""
        forms = SymmetricForms.of(game, encoding)
        if forms is None:
            raise ConfigError(f"the encoding {encoding.name!r} has no symmetric forms")
        self._model, self._device = model.eval(), device
        self._sources = torch.from_numpy(forms.sources).to(device)  # [forms, squares]
        self._places = torch.from_numpy(forms.places.astype(np.int64)).to(device)  # [forms, moves]

    @torch.no_grad()
    def chances(self, batch: Batch, counts: Sequence[int]) -> list[Tensor]:  # of [n, moves]
        """Returns the probabilities of the legal moves, for each of these numbers of forms, which must ascend."""
        data = torch.from_numpy(batch.planes.astype("<u8", copy=False).view(np.uint8)).to(self._device)
        scalars = torch.from_numpy(batch.scalars.astype(np.float32, copy=False)).to(self._device)
        shown = unpack(data, scalars, self._model.shape)
        legal = self._legal(batch)
        found, total = [], torch.zeros(legal.shape, device=self._device)
        for form in range(max(counts)):
            inputs = shown.flatten(2)[:, :, self._sources[form]].view(shown.shape)
            with precision(self._device):
                logits = self._model(inputs.contiguous())[POLICY].float()
            own = logits[:, self._places[form]].masked_fill(~legal, float("-inf"))
            total += own.softmax(dim=1)
            if form + 1 in counts:
                found.append(total / (form + 1))
        return found

    def _legal(self, batch: Batch) -> Tensor:  # [n, moves]
        rows = np.repeat(np.arange(len(batch)), np.diff(batch.legal_offsets))
        mask = np.zeros((len(batch), self._model.shape.policy_size), bool)
        mask[rows, batch.legal_index] = True
        return torch.from_numpy(mask).to(self._device)


def measure_accuracy(
    asked: FormsMean,
    data: GameData,
    *,
    forms: Sequence[int] = (1,),
    points: int,
    most: int = 0,
    threads: int = 1,
    is_stopped: Callable[[], bool] = lambda: False,
    report: Callable[[int], None] = lambda _: None,
) -> tuple[int, list[Accuracy]]:
    """Asks about the positions of these games in which no pass was played, or about some of them.

    Places from `points` on are passes. Returns how many there were, and a row for each number of forms.
    """
    counts = sorted(set(forms))
    total, firsts, fives = 0, np.zeros(len(counts), np.int64), np.zeros(len(counts), np.int64)
    with data.batches(epochs=1, threads=threads) as stream:
        for batch in stream:
            kept = batch.played < points
            played = torch.from_numpy(batch.played[kept].astype(np.int64))
            for number, chances in enumerate(asked.chances(batch.inputs, counts)):
                best = chances.cpu()[torch.from_numpy(kept)].topk(min(5, points), dim=1).indices
                hits = best == played[:, None]
                firsts[number] += int(hits[:, 0].sum())
                fives[number] += int(hits.sum())
            total += int(kept.sum())
            report(total)
            if is_stopped() or (most and total >= most):
                break
    return total, _rows(counts, firsts, fives, max(total, 1))


def _rows(counts: list[int], firsts: NDArray[np.int64], fives: NDArray[np.int64], total: int) -> list[Accuracy]:
    rows = zip(counts, firsts.tolist(), fives.tolist(), strict=True)
    return [Accuracy(count, first / total, five / total) for count, first, five in rows]
