"""AlphaZero's chess: 119 planes and 8 x 8 x 73 = 4,672 moves, readable (book, ch. 4.3.1; Silver et al. 2018).

Eight boards of 14 planes (own pieces, the other side's, occurred once before, occurred twice before), all turned to the
side to move; then seven constants: color, moves made, the castling rights of both sides, plies without progress. Both
counters are plain numbers of half moves. Boards before the first known one are empty. The rights do not say which rook
they belong to, so Chess960 is refused.
cpp/encodings/alphazero.cpp is the native twin, which `philidor.encodings.native` wraps.
"""

from philidor.core.errors import EncodingError
from philidor.encodings.chess_moves import PLANES_SIZE, alphazero_index
from philidor.encodings.encoding import ReadableEncoding, Shape
from philidor.games.chess import BLACK, Move, Position

HISTORY = 8
_ALL = 2**64 - 1

ALPHAZERO_SHAPE = Shape(packed_planes=14 * HISTORY, scalar_planes=7, height=8, width=8, policy_size=PLANES_SIZE)


class AlphaZeroEncoding(ReadableEncoding[Position]):
    """AlphaZero's input and policy, one position at a time."""

    name = "alphazero"
    shape = ALPHAZERO_SHAPE

    def planes(self, state: Position) -> tuple[list[int], list[float]]:
        """Returns 8 x 14 boards of bits and the seven constants."""
        check_standard(state)
        is_black = state.to_move == BLACK
        planes: list[int] = []
        for position in state.history():
            colors = (1, 0) if is_black else (0, 1)
            pieces = (position.native.pieces(color, kind) for color in colors for kind in range(1, 7))
            planes += (bits if not is_black else _ranks_reversed(bits) for bits in pieces)
            planes += (_ALL if position.is_repetition(times) else 0 for times in (2, 3))
            if len(planes) == 14 * HISTORY:
                break
        planes += [0] * (14 * HISTORY - len(planes))
        rights = state.native.castling_rights
        white, black = (rights & 1, rights >> 1 & 1), (rights >> 2 & 1, rights >> 3 & 1)
        own, other = (black, white) if is_black else (white, black)
        return planes, [float(not is_black), float(state.ply), *own, *other, float(state.halfmove_clock)]

    def policy_index(self, state: Position, move: Move) -> int:
        """Returns the place of a legal move."""
        flip = 56 if state.to_move == BLACK else 0
        return alphazero_index(move.from_square ^ flip, move.to_square ^ flip, move.promotion)


def check_standard(state: Position) -> None:
    """Refuses Chess960. Raises EncodingError."""
    if state.is_chess960:
        raise EncodingError(f"AlphaZero's planes cannot tell Chess960 rights, got {state.fen(shredder=True)!r}")


def _ranks_reversed(bits: int) -> int:
    return int.from_bytes(bits.to_bytes(8, "little"), "big")
