"""Hexapawn as the book's network sees it: 21 inputs and 28 outputs on 3x3 (ch. 5.1, Fig. 5.3).

White's pawns from a3 to c1, top row first, Black's pawns likewise, then a row of ones if White is to move. Other sizes
have 2 * width * height + width inputs. The outputs are the game's own numbers of the moves, which are the book's.
"""

from typing import Any

from philidor.core.game import FIRST, Symmetry
from philidor.core.grid import Grid
from philidor.encodings.encoding import ReadableEncoding, Shape
from philidor.games.hexapawn import Hexapawn, HexapawnState, PawnMove


class HexapawnEncoding(ReadableEncoding[HexapawnState]):
    """The book's bit vector: one row of bits, so that a network flattens nothing."""

    name = "hexapawn"
    twin = ("hexapawn", ())

    def __init__(self, game: Hexapawn | None = None) -> None:
        self._game = Hexapawn() if game is None else game
        self.example = self._game.state()
        grid = self._game.grid
        self.shape = Shape(1, 0, 1, 2 * grid.size + grid.width, self._game.action_count)

    def moved_inputs(self, symmetry: Symmetry[Any, Any], /) -> tuple[int, ...] | None:
        """Returns where each input goes: pawns with their squares, and the row that tells who moves not at all."""
        grid = self._game.grid
        if symmetry.squares is None:
            return None
        order = _reading_order(grid)
        places = {square: place for place, square in enumerate(order)}
        moved = [places[symmetry.squares[square]] for square in order]
        return (*moved, *(grid.size + place for place in moved), *range(2 * grid.size, self.shape.width))

    def planes(self, state: HexapawnState) -> tuple[list[int], list[float]]:
        """Returns the inputs as the bits of one plane, the first input lowest."""
        grid = state.grid
        inputs = [pawns >> square & 1 for pawns in state.pawns for square in _reading_order(grid)]
        inputs += [int(state.to_move == FIRST)] * grid.width
        return [sum(bit << place for place, bit in enumerate(inputs))], []

    def policy_index(self, state: HexapawnState, move: PawnMove) -> int:
        """Returns the book's number of the move."""
        return self._game.action_index(state, move)


def _reading_order(grid: Grid) -> list[int]:
    """Returns the squares from the top left, as a page is read."""
    return [row * grid.width + column for row in reversed(range(grid.height)) for column in range(grid.width)]
