"""The compiled encoders: the same numbers as leela.py and alphazero.py, a whole batch at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from philidor._native import _ext
from philidor.core.game import Symmetry
from philidor.encodings.alphazero import ALPHAZERO_SHAPE, check_standard
from philidor.encodings.encoding import Batch, Shape, check_states
from philidor.encodings.leela import HistoryFill, LeelaInput, LeelaPolicy, leela_name, leela_shape
from philidor.games.chess import Position

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class NativeLeelaEncoding:
    """`LeelaEncoding`, but fast."""

    def __init__(
        self,
        input_format: LeelaInput = LeelaInput.CLASSICAL,
        fill: HistoryFill = HistoryFill.FEN_ONLY,
        policy: LeelaPolicy = LeelaPolicy.FLAT,
    ) -> None:
        self.input_format = input_format
        self.fill = fill
        self.name = leela_name(input_format, policy)
        self.policy = policy
        self.shape = leela_shape(policy)
        # What the compiled core wants to know.
        self._arguments = (int(input_format), _ext.HistoryFill[fill.name], _ext.LeelaPolicy[policy.name])
        self.twin = ("leela", self._arguments)

    def filled(self, fill: HistoryFill) -> NativeLeelaEncoding:
        """Returns the same encoding with another view of what was before the first known board."""
        return NativeLeelaEncoding(self.input_format, fill, self.policy)

    def moved_inputs(self, symmetry: Symmetry[Any, Any], /) -> None:
        """Chess has no symmetry but the identity."""

    def encode(self, states: Sequence[Position], /) -> Batch:
        """Encodes positions with their histories."""
        check_states(states, Position, self.name)
        return Batch(*_ext.encode_leela([state.native for state in states], *self._arguments))


class NativeAlphaZeroEncoding:
    """`AlphaZeroEncoding`, but fast."""

    name = "alphazero"
    shape = ALPHAZERO_SHAPE
    twin = ("alphazero", ())

    def moved_inputs(self, symmetry: Symmetry[Any, Any], /) -> None:
        """Chess has no symmetry but the identity."""

    def encode(self, states: Sequence[Position], /) -> Batch:
        """Encodes positions with their histories."""
        check_states(states, Position, self.name)
        for state in states:
            check_standard(state)
        return Batch(*_ext.encode_alphazero([state.native for state in states]))


def expand(batch: Batch, shape: Shape) -> NDArray[np.float32]:  # [n, planes, height, width]
    """Unpacks a batch into the network's input, as `philidor.encodings.encoding.expand` does."""
    expanded: Any = _ext.expand_planes(batch.planes, batch.scalars, shape.height, shape.width)
    return expanded  # type: ignore[no-any-return]
