"""What Giraffe's network sees of a position (book, 2.14; Lai 2015, ch. 4).

Everything is in the side to move's view: its own pieces come first and go up the board. There are three kinds of
numbers, each about 0 to 1:

- facts: four rights to castle, and how many queens, rooks, bishops, knights and pawns each side has;
- pieces: each side has a list with places for a king, a queen, two rooks, two bishops, two knights and eight pawns,
  filled file by file. A place tells whether there is a piece, where, how firmly its own side and the other hold its
  square, and for sliding pieces how far they reach in each direction. A second queen has no place, only a count;
- squares: how firmly each side holds each square: by the cheapest piece that attacks it.

Lai's own features differ in details (363 of them, White's view with a bit for the side to move).
"""

from __future__ import annotations

import numpy as np

from philidor.games.chess import Position
from philidor.nets.dense.layers import Floats

GROUPS = (14, 208, 128)
"""Facts, pieces and squares."""
COUNT = sum(GROUPS)

SLOTS = {"K": 1, "Q": 1, "R": 2, "B": 2, "N": 2, "P": 8}
CONTROL = {"K": 0.15, "Q": 0.3, "R": 0.5, "B": 0.7, "N": 0.75, "P": 1.0}
"""How firmly a piece holds the squares it attacks, the loosest first."""

_STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
_DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))
_SLIDES = {"Q": _STRAIGHT + _DIAGONAL, "R": _STRAIGHT, "B": _DIAGONAL}
_LEAPS = {
    "K": _STRAIGHT + _DIAGONAL,
    "N": ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)),
}

_Square = tuple[int, int]
"""(file, rank), seen from the side to move."""


def features(position: Position) -> Floats:
    """Returns the inputs of the network."""  # [COUNT]
    view = _View(position)
    control = [view.control(side) for side in (0, 1)]
    found = view.castling()
    found += [len(view.squares[side][kind]) / SLOTS[kind] for side in (0, 1) for kind in SLOTS if kind != "K"]
    for side in (0, 1):
        for kind, slots in SLOTS.items():
            for slot in range(slots):
                found += view.piece(side, kind, slot, control)
    found += [control[side].get((file, rank), 0.0) for side in (0, 1) for rank in range(8) for file in range(8)]
    return np.array(found, np.float32)


class _View:
    """The board as the side to move sees it; side 0 are its own pieces."""

    def __init__(self, position: Position) -> None:
        self._position = position
        is_black = not position.turn
        self.squares: list[dict[str, list[_Square]]] = [{}, {}]
        for kind in SLOTS:
            for side in (0, 1):
                letter = kind.lower() if is_black == (side == 0) else kind
                seen = [square ^ 56 if is_black else square for square in position.pieces(letter)]
                self.squares[side][kind] = sorted((square % 8, square // 8) for square in seen)
        self.occupied = {square for side in self.squares for places in side.values() for square in places}

    def castling(self) -> list[float]:
        """Own king's and queen's side, then theirs."""
        rights = self._position.to_board().castling_rights
        own, other = (0, 56) if self._position.turn else (56, 0)
        found = []
        for rank in (own, other):
            king = next(iter(self._position.pieces("K" if rank == 0 else "k")))
            rooks = [square for square in range(rank, rank + 8) if rights >> square & 1]
            found += [float(any(square > king for square in rooks)), float(any(square < king for square in rooks))]
        return found

    def ray(self, start: _Square, step: _Square) -> list[_Square]:
        """The squares that a sliding piece reaches in one direction, the one with the first piece included."""
        found: list[_Square] = []
        file, rank = start[0] + step[0], start[1] + step[1]
        while 0 <= file < 8 and 0 <= rank < 8:
            found.append((file, rank))
            if (file, rank) in self.occupied:
                break
            file, rank = file + step[0], rank + step[1]
        return found

    def attacked(self, side: int, kind: str, square: _Square) -> list[_Square]:
        """The squares that a piece attacks; a few of them may lie off the board."""
        if kind in _SLIDES:
            return [target for step in _SLIDES[kind] for target in self.ray(square, step)]
        steps = _LEAPS.get(kind) or ((-1, 1 - 2 * side), (1, 1 - 2 * side))
        return [(square[0] + files, square[1] + ranks) for files, ranks in steps]

    def control(self, side: int) -> dict[_Square, float]:
        """How firmly a side holds each square that it holds at all."""
        found: dict[_Square, float] = {}
        for kind, strength in CONTROL.items():  # the firmest comes last and stays
            for square in self.squares[side][kind]:
                found |= dict.fromkeys(self.attacked(side, kind, square), strength)
        return found

    def piece(self, side: int, kind: str, slot: int, control: list[dict[_Square, float]]) -> list[float]:
        """One place in a list of pieces."""
        directions = _SLIDES.get(kind, ())
        if slot >= len(self.squares[side][kind]):
            return [0.0] * (5 + len(directions))
        square = self.squares[side][kind][slot]
        held = [control[side].get(square, 0.0), control[1 - side].get(square, 0.0)]
        reach = [len(self.ray(square, step)) / 7 for step in directions]
        return [1.0, square[0] / 7, square[1] / 7, *held, *reach]
