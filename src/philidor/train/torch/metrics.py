"""What a training run measures, line by line: metrics.jsonl, and TensorBoard's event files where that is installed."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from philidor.core.runs import Run

if TYPE_CHECKING:
    from torch.utils.tensorboard import SummaryWriter

FOLDER = "tensorboard"
_log = logging.getLogger(__name__)


class Metrics:
    """Writes measurements down. For TensorBoard: `tensorboard --logdir runs`."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._writer: SummaryWriter | None = None
        self._is_closed = False

    def log(self, metrics: Mapping[str, Any]) -> None:
        """Keeps the numbers of one moment; `step` says which."""
        self._run.log(metrics)
        try:
            self._show(metrics)
        # A picture of the run is no reason to end it: metrics.jsonl has the same numbers.
        except OSError as error:
            _log.warning("no more numbers for TensorBoard: %s", error)
            self._writer, self._is_closed = None, True

    def _show(self, metrics: Mapping[str, Any]) -> None:
        writer = self._tensorboard(int(metrics["step"]))
        if writer is None:
            return
        for name, value in metrics.items():
            if name != "step":
                writer.add_scalar(name, value, metrics["step"])
        writer.flush()

    def close(self) -> None:
        """Lets go of the files."""
        try:
            if self._writer is not None:
                self._writer.close()
        except OSError as error:
            _log.warning("the last numbers for TensorBoard are missing: %s", error)
        self._is_closed = True

    def _tensorboard(self, step: int) -> SummaryWriter | None:
        """Opens the event file with the first number; None where TensorBoard is not installed."""
        if self._writer is None and not self._is_closed:
            try:
                with warnings.catch_warnings():
                    # Its imports are not ours to mend.
                    warnings.simplefilter("ignore")
                    from torch.utils.tensorboard import SummaryWriter
            except ImportError:
                self._is_closed = True
                return None
            # What a process wrote after its last checkpoint will be written again.
            folder = str(self._run.report / FOLDER)
            self._writer = SummaryWriter(folder, purge_step=step)
        return self._writer
