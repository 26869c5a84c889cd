"""AlphaGo Zero's planes for any game of stones on a board, readable (book, ch. 4.2.1, Fig. 4.6).

For the last eight positions the stones of the player to move, then for the same positions those of the other player,
then whether the first player is to move: 17 planes. With fewer steps of history there are fewer planes, as suits games
in which the past decides nothing. The policy is the game's own numbering of moves.
"""

from collections.abc import Iterator
from typing import Any, Protocol, runtime_checkable

from philidor.core.errors import EncodingError
from philidor.core.game import FIRST, AnyGame
from philidor.core.grid import Grid
from philidor.encodings.encoding import ReadableEncoding, Shape

ALPHAGO_ZERO_HISTORY = 8


@runtime_checkable
class StonesOnGrid(Protocol):
    """What a state needs for these planes. One that also has a `parent` shows its history."""

    @property
    def grid(self) -> Grid:
        """The board's shape."""

    @property
    def board_bits(self) -> tuple[int, int]:
        """Both players' stones: square row * width + column is that bit, row 0 at the bottom."""


class BoardEncoding(ReadableEncoding[Any]):
    """Planes of own and other stones, one state at a time."""

    def __init__(self, game: AnyGame, history: int = ALPHAGO_ZERO_HISTORY) -> None:
        start = game.state()
        if not isinstance(start, StonesOnGrid):
            raise EncodingError(f"the states of {game.name!r} have no stones on a grid: no `grid` or no `board_bits`")
        if not 1 <= history <= 64:
            raise EncodingError(f"the history has 1 to 64 boards, got {history}")
        self.name = f"boards-{history}"
        self.shape = Shape(2 * history, 1, start.grid.height, start.grid.width, game.action_count)
        self._game = game
        self.example = game.state()
        self.history = history

    def planes(self, state: Any) -> tuple[list[int], list[float]]:
        """Returns own boards, the other side's boards, and 1 for the first player."""
        own, other = state.to_move, 1 - state.to_move
        boards = [position.board_bits for position, _ in zip(_line(state), range(self.history), strict=False)]
        boards += [(0, 0)] * (self.history - len(boards))
        planes = [board[player] for player in (own, other) for board in boards]
        return planes, [float(own == FIRST)]

    def policy_index(self, state: Any, move: Any) -> int:
        """Returns the game's own number of the move."""
        return self._game.action_index(state, move)


def _line(state: Any) -> Iterator[Any]:
    """Yields a state and those before it, as far as it knows them."""
    while state is not None:
        yield state
        state = getattr(state, "parent", None)
