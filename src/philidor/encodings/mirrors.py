"""Left and right exchanged in what a network sees and answers: a symmetry of chess once nobody may castle.

The rules know no left and right but for castling, so a position without castling rights and its mirror image are worth
the same, and a game teaches twice as much. Earlier boards are mirrored too; those with castling rights could not have
come about that way, which no plane shows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from philidor.encodings.chess_moves import DIRECTIONS, KINDS, KNIGHT_JUMPS

_DISTANCES, _PIECES = 7, 3
# Ahead, captures to the left, captures to the right.
_PROMOTIONS = (0, 2, 1)
# Scalars of "alphazero": color, moves made, two castling rights of each side, plies without progress.
_CASTLING = (2, 3, 4, 5)


@dataclass(frozen=True, slots=True)
class Mirror:
    """Where everything goes when left and right are exchanged."""

    inputs: tuple[int, ...]
    """Where each bit of a packed plane goes."""
    places: tuple[int, ...]
    """Where each place of the policy goes."""
    rights: tuple[int, ...]
    """Scalars that are all 0 where a position may be mirrored."""


@cache
def mirror_of(encoding: str) -> Mirror | None:
    """Returns the mirror of the encoding of this name; None where left and right are not to be exchanged."""
    if encoding != "alphazero":
        return None
    kinds = mirrored_kinds()
    places = tuple(KINDS * (origin ^ 7) + kinds[kind] for origin in range(64) for kind in range(KINDS))
    return Mirror(tuple(square ^ 7 for square in range(64)), places, _CASTLING)


def mirrored_kinds() -> tuple[int, ...]:
    """Returns for each of AlphaZero's 73 kinds of moves which one it becomes."""
    found: list[int] = []
    for files, ranks in DIRECTIONS:
        first = _DISTANCES * DIRECTIONS.index((-files, ranks))
        found += range(first, first + _DISTANCES)
    first = len(found)
    found += (first + KNIGHT_JUMPS.index((-files, ranks)) for files, ranks in KNIGHT_JUMPS)
    first = len(found)
    found += (first + _PIECES * direction + piece for direction in _PROMOTIONS for piece in range(_PIECES))
    return tuple(found)
