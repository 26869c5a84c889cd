"""What a training run measures, line by line: metrics.jsonl, and TensorBoard's event files where that is installed."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from philidor.core.runs import Run

if TYPE_CHECKING:
    from torch.utils.tensorboard import SummaryWriter

FOLDER = "tensorboard"


class Metrics:
    """Writes measurements down. For TensorBoard: `tensorboard --logdir runs`."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._writer: SummaryWriter | None = None
        self._is_closed = False

    def log(self, metrics: Mapping[str, Any]) -> None:
        """Keeps the numbers of one moment; `step` says which."""
        self._run.log(metrics)
        writer = self._tensorboard(int(metrics["step"]))
        if writer is None:
            return
        for name, value in metrics.items():
            if name != "step":
                writer.add_scalar(name, value, metrics["step"])
        writer.flush()

    def close(self) -> None:
        """Lets go of the files."""
        if self._writer is not None:
            self._writer.close()
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
