"""Towers judge the positions that an NNUE network learns from, in place of a search (book, ch. 4.6.3).

Without a search a tower judges far better than an NNUE network, and a GPU asks it many times as often a second as
sixteen cores can search. What towers have learned from few scores the small network learns from many judgments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from philidor.core.errors import ConfigError, NetError
from philidor.encodings import load_encoding
from philidor.evaluators.torch import TorchBackend, to_device
from philidor.games import known_game
from philidor.nets.onnx.signature import WDL
from philidor.nets.torch.files import load_network

if TYPE_CHECKING:
    from philidor.train.native import PositionSet

_ENCODINGS = ("leela-1-flat", "leela-1-planes", "alphazero")
# Chances beyond these are not told apart: 18 in a billion is 2,700 centipawns on a scale of 150.
_LEAST_CHANCE = 1.5e-8
_BATCH = {"cuda": 8192, "cpu": 256}
_Inputs = tuple[Tensor, Tensor]
"""Planes and scalars, on the device."""


class Teacher:
    """Networks whose expectations become scores; those of several, the mean of their scores."""

    def __init__(self, paths: Sequence[Path], device: torch.device, *, is_compiled: bool = False) -> None:
        """Raises NetError for a file that is no such network, ConfigError for one that cannot teach chess."""
        self._size = _BATCH[device.type]
        self._towers = [_Tower(path, device, self._size if is_compiled else None) for path in paths]
        self._device = device

    def judge(
        self,
        positions: PositionSet,
        scale: float,
        *,
        largest: int,
        threads: int = 1,
        report: Callable[[int], None] = lambda _: None,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> bool:
        """Replaces all scores, in centipawns of the side to move; False if it was stopped.

        An expectation e becomes scale * ln(e / (1 - e)), at most `largest`. Raises NetError for an answer that is no
        number.
        """
        waiting: list[tuple[int, Tensor]] = []
        for first in range(0, len(positions), self._size):
            if is_stopped():
                return False
            count = min(self._size, len(positions) - first)
            # A GPU records its work for each size of batch, so the last one is filled up.
            rows = self._size if self._device.type == "cuda" else count
            shown: dict[str, _Inputs] = {}
            scores = []
            for tower in self._towers:
                # Towers of one encoding are shown the same.
                if tower.encoding not in shown:
                    shown[tower.encoding] = tower.encode(positions, first, count, rows, threads)
                scores.append(tower.scores(*shown[tower.encoding], scale))
            waiting.append((first, _rounded(torch.stack(scores).clamp(-largest, largest).mean(dim=0))[:count]))
            # The device works on one batch while the next is made here.
            if len(waiting) > 1:
                _keep(positions, *waiting.pop(0))
            report(first + count)
        for first, scores_there in waiting:
            _keep(positions, first, scores_there)
        return True


class _Tower:
    """One network, and how it is shown positions."""

    def __init__(self, path: Path, device: torch.device, compile_from: int | None) -> None:
        model = load_network(path)
        config = model.config
        if config.game != "chess" or config.encoding not in _ENCODINGS or config.value != "wdl":
            raise ConfigError(
                f"a teacher is a network for chess with win, draw and loss and one of the encodings "
                f"{', '.join(_ENCODINGS)}; {str(path)!r} is for {config.game} with {config.encoding!r}"
            )
        twin = load_encoding(config.encoding, known_game("chess", "the teacher")).twin
        assert twin is not None
        self._kind, self._arguments = twin
        self._backend = TorchBackend(model, device, compile_from=compile_from)
        self.encoding = config.encoding

    def encode(self, positions: PositionSet, first: int, count: int, rows: int, threads: int) -> _Inputs:
        """Sends some positions to the device; rows behind them are empty."""
        shape, device = self._backend.shape, self._backend.device
        planes = np.zeros((rows, shape.packed_planes), np.uint64)
        scalars = np.zeros((rows, shape.scalar_planes), np.float32)
        encode = getattr(positions, f"encode_{self._kind}")
        encode(first, planes[:count], scalars[:count], threads, *self._arguments)
        data = torch.from_numpy(planes.astype("<u8", copy=False).view("u1").reshape(*planes.shape, 8))
        return to_device(data, device), to_device(torch.from_numpy(scalars), device)

    @torch.inference_mode()
    def scores(self, planes: Tensor, scalars: Tensor, scale: float) -> Tensor:  # [rows]
        """Returns the centipawns of what was encoded."""
        wdl = self._backend.compute(planes, scalars)[WDL].double()
        won, lost = wdl[:, 0] + wdl[:, 1] / 2, wdl[:, 2] + wdl[:, 1] / 2
        return scale * (won.clamp_min(_LEAST_CHANCE) / lost.clamp_min(_LEAST_CHANCE)).log()


def _rounded(scores: Tensor) -> Tensor:
    """Rounds to whole centipawns; what is no number becomes the smallest one, which no score is."""
    return torch.where(scores.isfinite(), scores.round(), torch.iinfo(torch.int16).min).short()


def _keep(positions: PositionSet, first: int, scores: Tensor) -> None:
    found = scores.cpu().numpy()
    if (found == np.iinfo(np.int16).min).any():
        raise NetError("the teacher gave an answer that is no number")
    positions.set_scores(first, found)
