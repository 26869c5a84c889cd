"""Where tuning starts: the handcrafted evaluation as a chess book would have it, in round numbers.

Tuning moves what is often seen in games far from here. What is hardly ever seen, such as a king that walks up the board
in the opening, stays near these values; searches meet it all the time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from philidor.train.native import evaluation_terms

Pair = tuple[float, float]
"""(middlegame, endgame)"""

_RANKS = range(8)
_PAWN_SQUARE = [(0, 0), (0, 0), (0, 0), (0, 0), (5, 5), (15, 20), (30, 50), (0, 0)]
_PASSED = [(0, 0), (0, 5), (0, 10), (5, 25), (20, 50), (45, 80), (80, 120), (0, 0)]
_KING = [0, -20, -40, -60, -80, -90, -100, -110]


def _center(file: int, rank: int) -> int:
    """Steps from the middle of the board: 0 to 3."""
    return max(3 - min(file, 7 - file), 3 - min(rank, 7 - rank))


def _half(weight: Callable[[int, int], float]) -> list[Pair]:
    """A table of squares with the board's halves mirrored, alike in middlegame and endgame."""
    return [(weight(file, rank), weight(file, rank)) for rank in _RANKS for file in range(4)]


def _mobility(count: int, usual: int, step: Pair) -> list[Pair]:
    return [(step[0] * (moves - usual), step[1] * (moves - usual)) for moves in range(count)]


def _alike(*values: float) -> list[Pair]:
    return [(value, value) for value in values]


_TABLE: dict[str, Sequence[Pair]] = {
    "Material": [(80, 100), (310, 340), (320, 350), (450, 570), (930, 980)],
    "PawnSquare": [_PAWN_SQUARE[rank] for rank in _RANKS for _ in range(8)],
    "KnightSquare": _half(lambda file, rank: 20 - 15 * _center(file, rank)),
    "BishopSquare": _half(lambda file, rank: 5 - 5 * _center(file, rank)),
    "RookSquare": _half(lambda _, rank: 15 if rank == 6 else 0),
    "QueenSquare": _half(lambda file, rank: 5 - 5 * _center(file, rank)),
    "KingSquare": [(_KING[rank], 20 - 15 * _center(file, rank)) for rank in _RANKS for file in range(8)],
    "Tempo": [(20, 10)],
    "BishopPair": [(20, 50)],
    "KnightMobility": _mobility(9, 4, (6, 6)),
    "BishopMobility": _mobility(14, 5, (5, 5)),
    "RookMobility": _mobility(15, 6, (3, 5)),
    "QueenMobility": _mobility(28, 12, (2, 3)),
    "IsolatedPawn": [(-5, -8)] * 16,
    "DoubledPawn": [(-10, -20)],
    "BackwardPawn": [(-5, -5), (-12, -12)],
    "ConnectedPawn": _alike(0, 0, 5, 10, 15, 30, 40, 0),
    "SupportedPawn": _alike(0, 0, 10, 10, 10, 20, 40, 0),
    "PassedPawn": _PASSED,
    "PassedBlocked": [(0, 0), (0, 0), (0, 0), (0, 0), (-5, -10), (-10, -25), (-20, -50), (0, 0)],
    "PassedFree": [(0, 0), (0, 5), (0, 5), (0, 10), (5, 15), (10, 30), (20, 45), (0, 0)],
    "PassedOwnKing": [(0, -3 * distance) for distance in range(8)],
    "PassedEnemyKing": [(0, 5 * distance) for distance in range(8)],
    "PassedRook": [(10, 15), (-15, -30)],
    "PassedUnstoppable": [(0, 200)],
    "CandidatePawn": [(0, 0), (0, 0), (0, 5), (0, 10), (5, 20), (20, 35), (0, 0), (0, 0)],
    "KnightOutpost": _alike(15, 20),
    "BishopOutpost": _alike(10, 15),
    "BadBishop": _alike(*(-4 * pawns for pawns in range(9))),
    "RookFile": _alike(5, 15),
    "RookOnSeventh": [(0, 15)],
    "TrappedRook": [(-30, -10)],
    "PawnThreat": _alike(0, 50, 50, 60, 60),
    "MinorThreat": _alike(5, 20, 20, 40, 40),
    "RookThreat": _alike(5, 20, 20, 5, 40),
    "KingThreat": _alike(20),
    "Hanging": _alike(10),
    "PushThreat": _alike(10),
    "KingFlankPawnless": [(-20, -40)],
    # Danger counts by its square, which is flat at zero: it would not grow from nothing.
    "DangerAttacker": _alike(30, 20, 30, 50),
    "DangerRing": _alike(10),
    "DangerWeak": _alike(20),
    "DangerSafeCheck": _alike(60, 30, 70, 50),
    "DangerNoQueen": _alike(-100),
}


def initial_weights() -> list[Pair]:
    """Returns every weight before tuning, in the order of `evaluation_terms`; those not in the table are zero."""
    weights: list[Pair] = []
    for name, count, _ in evaluation_terms():
        weights += _TABLE.get(name, [(0, 0)] * count)
    return weights
