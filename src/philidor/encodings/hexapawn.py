"""Hexapawn as the book's network sees it: 21 inputs and 28 outputs on 3x3 (ch. 5.1, Fig. 5.3).

White's pawns from a3 to c1, top row first, Black's pawns likewise, then a row of ones if White is to move. Other sizes
have 2 * width * height + width inputs. The outputs are the game's own numbers of the moves, which are the book's.
"""

from philidor.core.game import FIRST
from philidor.encodings.encoding import ReadableEncoding, Shape
from philidor.games.hexapawn import Hexapawn, HexapawnState, PawnMove


class HexapawnEncoding(ReadableEncoding[HexapawnState]):
    """The book's bit vector: one row of bits, so that a network flattens nothing."""

    name = "hexapawn"

    def __init__(self, game: Hexapawn | None = None) -> None:
        self._game = Hexapawn() if game is None else game
        self.example = self._game.state()
        grid = self._game.grid
        self.shape = Shape(1, 0, 1, 2 * grid.size + grid.width, self._game.action_count)

    def planes(self, state: HexapawnState) -> tuple[list[int], list[float]]:
        """Returns the inputs as the bits of one plane, the first input lowest."""
        grid = state.grid
        reading_order = [
            row * grid.width + column for row in reversed(range(grid.height)) for column in range(grid.width)
        ]
        inputs = [pawns >> square & 1 for pawns in state.pawns for square in reading_order]
        inputs += [int(state.to_move == FIRST)] * grid.width
        return [sum(bit << place for place, bit in enumerate(inputs))], []

    def policy_index(self, state: HexapawnState, move: PawnMove) -> int:
        """Returns the book's number of the move."""
        return self._game.action_index(state, move)
