"""What one step of training learns from, as arrays: encoded positions and a target for each head."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from philidor.encodings.encoding import Batch
    from philidor.train.shares import Shares


@dataclass(frozen=True, slots=True, eq=False)
class TrainingBatch:
    """Positions and targets; `philidor.nets.heads` says which target each head learns from."""

    batch: Batch
    """Packed planes, scalars and legal moves."""
    shares: Mapping[str, Shares]
    """Targets that are moves, such as "policy": places and their shares."""
    numbers: Mapping[str, NDArray[np.float32]]
    """All other targets: "wdl" [n, 3], "moves_left" [n]."""
    weight: NDArray[np.float32] | None = None
    """How much each position counts [n]; None for all alike."""
    value_weight: NDArray[np.float32] | None = None
    """How much each position's result counts beside that [n]; None for all alike."""

    def __len__(self) -> int:
        return len(self.batch)
