"""What has been captured, and who has more."""

from __future__ import annotations

from collections import Counter

from philidor.core.game import FIRST, AnyState
from philidor.games.chess import Position

ORDER = "QRBNP"
_WORTH = {"Q": 9, "R": 5, "B": 3, "N": 3, "P": 1}


def captures(start: AnyState, state: AnyState, side: int) -> tuple[str, int]:
    """Returns the pieces that `side` has taken, and by how many pawns its material is ahead; chess only."""
    before, now = _pieces(start), _pieces(state)
    if before is None or now is None:
        return "", 0
    enemy = str.lower if side == FIRST else str.upper
    own = str.upper if side == FIRST else str.lower
    lost = {piece: before[enemy(piece)] - now[enemy(piece)] for piece in ORDER}
    # A pawn that has become a queen is not on the board any more, but nobody has taken it.
    lost["P"] -= sum(-count for count in lost.values() if count < 0)
    taken = "".join(piece * max(0, lost[piece]) for piece in ORDER)
    lead = sum(worth * (now[own(piece)] - now[enemy(piece)]) for piece, worth in _WORTH.items())
    return taken, lead


def _pieces(state: AnyState) -> Counter[str] | None:
    return Counter(state.text().split()[0]) if isinstance(state, Position) else None
