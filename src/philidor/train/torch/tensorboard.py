"""The numbers of a run for TensorBoard, where that is installed: `tensorboard --logdir runs`."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch.utils.tensorboard import SummaryWriter

FOLDER = "tensorboard"
_log = logging.getLogger(__name__)


class Board:
    """Writes the numbers of any training; without TensorBoard it does nothing."""

    def __init__(self, folder: Path, *, purges: bool = False) -> None:
        """`purges` hides what an earlier process wrote from this one's first step on: it will be written again."""
        self._folder = folder
        self._purges = purges
        self._writer: SummaryWriter | None = None
        self._is_over = False

    def add(self, numbers: Mapping[str, Any], step: int) -> None:
        """Writes all numbers of one moment, those of tables inside as TABLE/NAME; what is no number is left out."""
        if self._is_over:
            return
        try:
            if self._writer is None:
                self._writer = self._open(step)
            for name, number in _numbers(numbers, ""):
                self._writer.add_scalar(name, number, step)
            self._writer.flush()
        except ImportError:
            self._is_over = True
        # A picture of the run is no reason to end it: metrics.jsonl has the same numbers.
        except Exception as error:
            _log.warning("no more numbers for TensorBoard: %s", error)
            self._writer, self._is_over = None, True

    def _open(self, step: int) -> SummaryWriter:
        """Begins an event file, with the first number: a run that writes none has none."""
        with warnings.catch_warnings():
            # Its imports are not ours to mend.
            warnings.simplefilter("ignore")
            from torch.utils.tensorboard import SummaryWriter
        return SummaryWriter(str(self._folder), purge_step=step if self._purges else None)


def _numbers(values: Mapping[str, Any], path: str) -> Iterator[tuple[str, float]]:
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from _numbers(value, f"{path}{key}/")
        elif isinstance(value, int | float):
            yield f"{path}{key}", float(value)
