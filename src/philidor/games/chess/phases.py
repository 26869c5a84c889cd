"""The phases of a game, by a plain rule: twenty plies of opening, and an endgame when few pieces are left."""

PHASES = ("opening", "middlegame", "endgame")
_OPENING_PLIES = 20
_ENDGAME_PIECES = 10
_PIECES = {"n": 1, "b": 1, "r": 2, "q": 4}


def phase_of(fen: str, ply: int) -> int:
    """Returns the place in PHASES: an endgame has at most ten points of pieces (queen 4, rook 2, minor piece 1)."""
    pieces = sum(_PIECES.get(letter, 0) for letter in fen.partition(" ")[0].lower())
    return 2 if pieces <= _ENDGAME_PIECES else 0 if ply < _OPENING_PLIES else 1
