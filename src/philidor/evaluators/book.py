"""The book's first evaluation of chess: count the pieces and prefer the center (ch. 3, Tables 3.1 and 3.2).

The listing looks the table up by `[file][rank]`, which transposes it: Table 3.2 as printed gives -50 on Figure 3.1,
Listing 3.2 gives -55. The numbers of the whole chapter rest on the listing, so this follows the listing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from philidor.games.chess import Position

PIECE_VALUES = {"P": 100, "N": 310, "B": 320, "R": 500, "Q": 900}
"""Table 3.1, in centipawns. The king has no value and no place in the table."""

PIECE_SQUARE_TABLE = (
    (-50, -40, -30, -30, -30, -30, -40, -50),
    (-40, -20, 0, 0, 0, 0, -20, -40),
    (-30, 0, 10, 15, 15, 10, 0, -30),
    (-30, 5, 15, 20, 20, 15, 5, -30),
    (-30, 0, 15, 20, 20, 15, 0, -30),
    (-30, 5, 10, 15, 15, 10, 5, -30),
    (-40, -20, 0, 5, 5, 0, -20, -40),
    (-50, -40, -30, -30, -30, -30, -40, -50),
)
"""Listing 3.1, indexed `[file][rank]` and the same for both colors."""


def evaluate(position: Position, /) -> int:
    """Returns White's score minus Black's in centipawns (Listing 3.2), whoever is to move."""
    score = 0
    for square in range(64):
        piece = position.piece_at(square)
        if piece is None or piece in "Kk":
            continue
        value = PIECE_VALUES[piece.upper()] + PIECE_SQUARE_TABLE[square % 8][square // 8]
        score += value if piece.isupper() else -value
    return score
