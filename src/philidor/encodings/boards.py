"""AlphaGo Zero's planes for any game of stones on a board, readable (book, ch. 4.2.1, Fig. 4.6).

For the last eight positions the stones of the player to move, then for the same positions those of the other player,
then whether the first player is to move: 17 planes. With fewer steps of history there are fewer planes, as suits games
in which the past decides nothing. The policy is the game's own numbering of moves.
"""

from collections.abc import Iterator
from typing import Any

from philidor.core.abilities import HasTwin, RemembersPast, StonesOnGrid
from philidor.core.errors import EncodingError
from philidor.core.game import FIRST, AnyGame
from philidor.encodings.encoding import ReadableEncoding, Shape

ALPHAGO_ZERO_HISTORY = 8


class BoardEncoding(ReadableEncoding[Any]):
    """Planes of own and other stones, one state at a time. States that remember the past show their history."""

    shows_squares = True

    def __init__(self, game: AnyGame, history: int = ALPHAGO_ZERO_HISTORY) -> None:
        start = game.state()
        if not isinstance(start, StonesOnGrid):
            raise EncodingError(f"the states of {game.name!r} show no stones on a grid (`StonesOnGrid`)")
        if not 1 <= history <= 64:
            raise EncodingError(f"the history has 1 to 64 boards, got {history}")
        self.name = f"boards-{history}"
        self.shape = Shape(2 * history, 1, start.grid.height, start.grid.width, game.action_count)
        self._game = game
        self.example = game.state()
        # Where the past is remembered, a longer history than the compiled state's is for Python alone.
        shown = start.twin_history if isinstance(start, HasTwin) else 1
        self.twin = None if history > shown and isinstance(start, RemembersPast) else ("boards", (history,))
        self._history = history

    def planes(self, state: Any) -> tuple[list[int], list[float]]:
        """Returns own boards, the other side's boards, and 1 for the first player."""
        own, other = state.to_move, 1 - state.to_move
        boards = [position.board_bits for position, _ in zip(_line(state), range(self._history), strict=False)]
        boards += [(0, 0)] * (self._history - len(boards))
        planes = [board[player] for player in (own, other) for board in boards]
        return planes, [float(own == FIRST)]

    def policy_index(self, state: Any, move: Any) -> int:
        """Returns the game's own number of the move."""
        return self._game.action_index(state, move)


def _line(state: Any) -> Iterator[Any]:
    """Yields a state and those before it, as far as it knows them."""
    while state is not None:
        yield state
        state = state.parent if isinstance(state, RemembersPast) else None
