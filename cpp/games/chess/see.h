// Static exchange evaluation: what a capture sequence on one square is worth.
#pragma once

#include "games/chess/board.h"

namespace philidor::chess {

// Exchange values in centipawns, indexed by PieceType; the king's is never lost.
inline constexpr int kExchangeValue[8] = {0, 100, 300, 300, 500, 900, 0, 0};

// The material balance for the mover when both sides capture on the target square with their least valuable piece
// (of equals, the one nearest to a1 in square order) as long as it pays. The move itself may be any legal move; its
// promotion counts, later ones do not. Sliders join in when the piece before them has captured. A piece pinned to its
// king after the first move does not capture off the pin's line while the pinner still stands; a king does not
// capture what is still guarded. Castling is worth 0.
int see(const Board& board, Move move);
// Whether see(board, move) >= threshold, usually without the whole sequence.
bool see_at_least(const Board& board, Move move, int threshold);

}  // namespace philidor::chess
