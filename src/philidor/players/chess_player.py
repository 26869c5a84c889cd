"""What chess players have in common, whatever is inside them."""

from __future__ import annotations

from typing import Protocol

from philidor.core.errors import ConfigError
from philidor.core.game import AnyState
from philidor.games.chess import Position
from philidor.players.player import Player


class ExplainingPlayer(Player, Protocol):
    """A player that GUIs can choose: it also says how it judges a position."""

    def explain(self, position: Position, /) -> str:
        """Returns how the position is judged without search, for people."""


def chess_position(state: AnyState) -> Position:
    """Returns the state as the position that it is. Raises ConfigError for another game's."""
    if not isinstance(state, Position):
        raise ConfigError(f"a chess engine plays chess, not {type(state).__name__} {state!r}")
    return state
