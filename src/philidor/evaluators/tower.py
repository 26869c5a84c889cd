"""Residual networks computed by our own compiled tower: Winograd's convolutions, laid out for 8x8 boards."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from philidor.encodings.encoding import Batch
from philidor.evaluators.native import compile_tower
from philidor.nets.onnx.signature import MOVES_LEFT, POLICY, VALUE, WDL
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
        self._threads = threads

    def run(self, batch: Batch, /) -> dict[str, NDArray[np.float32]]:
        """Returns the outputs by name, one row per state."""
        import numpy as np

        policy, value, moves_left = self.native.run(batch.planes, batch.scalars, self._threads)
        outputs = {POLICY: policy}
        if value.shape[1] == 3:
            powers = np.exp(value.astype(np.float64) - value.max(axis=1, keepdims=True))
            outputs[WDL] = (powers / powers.sum(axis=1, keepdims=True)).astype(np.float32)
        else:
            outputs[VALUE] = np.tanh(value)
        if moves_left is not None:
            outputs[MOVES_LEFT] = np.maximum(moves_left, 0)
        return outputs
