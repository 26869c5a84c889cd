"""Residual networks computed by our own compiled tower: Winograd's convolutions, laid out for 8x8 boards."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from philidor.encodings.encoding import Batch
from philidor.evaluators.native import compile_tower
from philidor.nets.heads import finished
from philidor.nets.tower import Tower

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@final
class TowerBackend:
    """A compiled network; boards are shared out among the threads of a call."""

    def __init__(self, tower: Tower, *, threads: int = 1, kernels: str | None = None) -> None:
        """Lays the weights out. Raises ConfigError for filters that the kernels do not take."""
        self.native = compile_tower(tower, kernels)
        self._heads = list(tower.heads)
        self._threads = threads

    def run(self, batch: Batch, /) -> dict[str, NDArray[np.float32]]:
        """Returns the outputs by name, one row per state."""
        raw = self.native.run(batch.planes, batch.scalars, self._threads)
        return finished(dict(zip(self._heads, raw, strict=True)))
