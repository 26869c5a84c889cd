"""AlphaGo's planes by the compiled core: the same numbers, a whole batch at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from philidor._native import _ext
from philidor.core.game import Symmetry
from philidor.encodings.alphago import ALPHAGO_PLANES, AlphaGoEncoding
from philidor.encodings.encoding import Batch, check_same_game
from philidor.games.go import GoState

if TYPE_CHECKING:
    from philidor.core.game import AnyGame


class NativeAlphaGoEncoding:
    """`AlphaGoEncoding`, but fast."""

    def __init__(self, game: AnyGame, planes: int = ALPHAGO_PLANES) -> None:
        """Raises EncodingError for another game than Go, and for a number of planes that the paper has not."""
        self._readable = AlphaGoEncoding(game, planes)
        self.name, self.shape, self.twin = self._readable.name, self._readable.shape, self._readable.twin
        self._example, self._planes = game.state(), planes
        self._native_example = _ext.Go(*self._example.twin())

    def moved_inputs(self, symmetry: Symmetry[Any, Any], /) -> tuple[int, ...] | None:
        """Returns where each bit of a plane goes: with its square."""
        return self._readable.moved_inputs(symmetry)

    def encode(self, states: Sequence[GoState], /) -> Batch:
        """Encodes positions with what they know of their last moves."""
        check_same_game(states, self._example, self.name)
        games = [_ext.Go(*state.twin()) for state in states]
        return Batch(*_ext.encode_alphago(games, self._native_example, self._planes))
