"""Compares chess positions by a small network of floats, as DeepChess did (book, 2.14)."""

from __future__ import annotations

from pathlib import Path
from typing import final

from philidor.core.errors import ConfigError
from philidor.core.game import AnyState
from philidor.evaluators.native import NativeDeepChess, compile_deepchess
from philidor.games.chess import Position
from philidor.nets.dense import DeepChessNetwork, load_deepchess
from philidor.nets.dense.layers import Floats

View = tuple[Floats, Position]
"""A position's vector, and the position for the rare case that it has to be turned around."""

_MOST_VIEWS = 200_000


@final
class DeepChessJudge:
    """A network that is ready to compare; a judge for `philidor.search.comparing`."""

    def __init__(self, network: DeepChessNetwork) -> None:
        self.network = network
        self.native: NativeDeepChess = compile_deepchess(network)
        self._views: dict[int, View] = {}

    @classmethod
    def load(cls, path: str | Path) -> DeepChessJudge:
        """Reads a `.phfl` file. Raises NetError."""
        return cls(load_deepchess(path))

    def look(self, state: AnyState, /) -> View:
        """Returns the vector of a position; the same position is computed once."""
        if not isinstance(state, Position):
            raise ConfigError(f"DeepChess's network compares positions of chess, not of {type(state).__name__}")
        found = self._views.get(state.key)
        if found is None:
            if len(self._views) >= _MOST_VIEWS:
                self._views.clear()
            found = self._views[state.key] = self.native.embed(state.native), state
        return found

    def compare(self, first: View, second: View, /) -> float:
        """Returns a number above zero if the first is better for White."""
        return self.native.compare(first[0], second[0])

    def compare_with_draw(self, view: View, /) -> float:
        """Returns a number above zero if White stands better.

        The network knows no draws. But a position is even if it is as good as itself with the colors changed.
        """
        return self.native.compare(view[0], self.native.embed(_mirrored(view[1]).native))


def _mirrored(position: Position) -> Position:
    """Returns the same position with colors changed."""
    return Position.from_board(position.to_board().mirror())
