"""What everybody but the rules wants to know of chess."""

from philidor.core.descriptor import Descriptor, GridDrawing, Piece

_KINDS = {"P": "pawn", "N": "knight", "B": "bishop", "R": "rook", "Q": "queen", "K": "king"}
_PIECES = {
    case(letter): Piece(f"{color} {kind}", side, glyph)
    for side, color, case, glyphs in ((0, "white", str.upper, "♙♘♗♖♕♔"), (1, "black", str.lower, "♟♞♝♜♛♚"))
    for (letter, kind), glyph in zip(_KINDS.items(), glyphs, strict=True)
}

CHESS = Descriptor(
    name="chess",
    title="Chess",
    rules=(
        "White begins. A king steps to any neighboring square; a rook goes straight, a bishop on diagonals, and a "
        "queen either way, as far as nothing stands in between; a knight jumps two squares straight and one to the "
        "side. A pawn goes one square ahead, or two from where it began, and captures diagonally ahead; on the "
        "last row it becomes another piece. A pawn that has just gone two squares may be captured as if it had "
        "gone one. Once a game the king may castle: it goes two squares toward a rook, which jumps over it, if "
        "neither has moved, nothing stands between them, and no square on the king's way is attacked.\n\n"
        "Nobody may leave the king where it can be captured. Whoever is in check and has no move to escape is "
        "checkmated and has lost. The game is drawn if the side to move has no move and is not in check, if a "
        "position comes up for the third time, after fifty moves by each side without a capture or a pawn move, "
        "and if neither side has enough left to checkmate."
    ),
    sides=("White", "Black"),
    encoding="alphazero",
    heuristic="book",
    native="chess",
    drawing=GridDrawing(
        pieces=_PIECES,
        style="checkered",
        art="figures",
        has_facing_sides=True,
    ),
    features=frozenset({"pgn", "editor", "chess960"}),
)
