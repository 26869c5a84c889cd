"""What UCI and matches ask of a chess player beyond a move: obey clocks, report while thinking, stop when told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from philidor.core.errors import ConfigError
from philidor.core.game import AnyState
from philidor.games.chess import Position
from philidor.protocols.uci import Best, Go, Info


def chess_position(state: AnyState) -> Position:
    """Returns the state as the position that it is. Raises ConfigError for another game's."""
    if not isinstance(state, Position):
        raise ConfigError(f"a chess engine plays chess, not {type(state).__name__} {state!r}")
    return state


class Thinker(Protocol):
    """One search at a time. `stop` and `ponder_hit` may be called from another thread while `reports` is read."""

    @property
    def config(self) -> Any:
        """The settings in force; they may be changed while nothing is searched, which may raise ConfigError."""

    @config.setter
    def config(self, config: Any) -> None: ...

    def start(self, position: Position, go: Go, *, spent_us: int = 0) -> None:
        """Begins to think in the background, without any other order in force.

        `spent_us` is how long ago the order came in, in microseconds. Raises IllegalMoveError for "searchmoves" that
        are none.
        """

    def reports(self) -> Iterator[Info | Best]:
        """Yields what the search says, from the side to move's view; its last word is the best move.

        With "infinite" this comes after `stop`, with "ponder" after `stop` or `ponder_hit`.
        """

    def stop(self) -> None:
        """Ends the search; nothing happens if there is none."""

    def ponder_hit(self, spent_us: int = 0) -> None:
        """Turns pondering into an ordinary search, whose clock began `spent_us` ago."""

    def new_game(self) -> None:
        """Forgets what was learned from earlier positions."""

    def explain(self, position: Position) -> str:
        """Returns how the position is judged without search, for people."""
