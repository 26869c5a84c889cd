"""The numbers of a run for TensorBoard, where that is installed: `tensorboard --logdir runs`."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

_log = logging.getLogger(__name__)


class Board:
    """Writes the numbers of events; without TensorBoard it does nothing."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._writer: Any = None
        self._is_missing = False

    def add(self, event: Mapping[str, Any]) -> None:
        """Writes all numbers of an event under its kind, at its generation."""
        if self._writer is None and not self._is_missing:
            try:
                from torch.utils.tensorboard import SummaryWriter
            except ImportError:
                self._is_missing = True
            else:
                self._writer = SummaryWriter(str(self._folder))
        if self._writer is None:
            return
        try:
            for name, number in _numbers(event, str(event["event"])):
                self._writer.add_scalar(name, number, event["generation"])
            self._writer.flush()
        # A picture of the run is no reason to end it: metrics.jsonl has the same numbers.
        except Exception as error:
            _log.warning("no more numbers for TensorBoard: %s", error)
            self._writer, self._is_missing = None, True


def _numbers(event: Mapping[str, Any], path: str) -> Iterator[tuple[str, float]]:
    for key, value in event.items():
        if isinstance(value, Mapping):
            yield from _numbers(value, f"{path}/{key}")
        elif isinstance(value, int | float) and key != "generation":
            yield f"{path}/{key}", float(value)
