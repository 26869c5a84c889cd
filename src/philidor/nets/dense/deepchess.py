"""DeepChess's network: which of two positions is better for White? (book, 2.14; David, Netanyahu and Wolf 2016)

The same layers turn each position into a vector; further layers look at two vectors. In the paper these have two
outputs, "the first" and "the second", which may contradict each other when the positions are swapped. Here the second
output is the first one's with the positions swapped, so the network cannot contradict itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from philidor.core.errors import NetError
from philidor.games.chess import Position
from philidor.nets.dense.layers import Floats, Layer, check_chain, rectified

INPUTS = 773
"""A bit for each piece on each square, one for White to move and four for the rights to castle."""


def active_inputs(position: Position) -> list[int]:
    """Returns the inputs that are on, in ascending order."""
    found = [64 * plane + square for plane, letter in enumerate("PNBRQKpnbrqk") for square in position.pieces(letter)]
    if position.turn:
        found.append(768)
    board = position.to_board()
    rights = [board.has_kingside_castling_rights, board.has_queenside_castling_rights]
    found += [769 + 2 * (not color) + side for color in (True, False) for side in (0, 1) if rights[side](color)]
    return found


@dataclass(frozen=True, slots=True, eq=False)
class DeepChessNetwork:
    """The weights, and the reference that the native network gives the same floats as."""

    position: tuple[Layer, ...]
    """From the inputs to a position's vector."""
    comparison: tuple[Layer, ...]
    """From two vectors, one behind the other, to one number."""
    description: str = ""

    def __post_init__(self) -> None:
        if not self.position or not self.comparison:
            raise NetError("there must be layers for a position and layers for the comparison")
        width = check_chain(self.position, INPUTS, "position layer")
        if check_chain(self.comparison, 2 * width, "comparison layer") != 1:
            raise NetError("the last layer should have one output")

    def embed(self, position: Position) -> Floats:
        """Returns a position's vector."""  # [width]
        values = np.zeros(INPUTS, np.float32)
        values[active_inputs(position)] = 1
        for layer in self.position:
            values = rectified(layer.sums(values))
        return values

    def compare(self, first: Floats, second: Floats) -> float:
        """Returns a number above zero if the first vector's position is better for White."""
        return float(self._say(first, second) - self._say(second, first))

    def _say(self, first: Floats, second: Floats) -> np.float32:
        values = np.concatenate([first, second])
        for layer in self.comparison[:-1]:
            values = rectified(layer.sums(values))
        return np.float32(self.comparison[-1].sums(values)[0])
