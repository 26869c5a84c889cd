// Static exchange evaluation: what a capture sequence on one square is worth.
#pragma once

#include "games/chess/board.h"

namespace philidor::chess {

// Exchange values in centipawns, indexed by PieceType; the king's is never lost.
inline constexpr int kExchangeValue[8] = {0, 100, 300, 300, 500, 900, 0, 0};

// The material balance for the mover when both sides capture on the target square with their least valuable
// piece as long as it pays. Pins that the moving pieces reveal are respected for sliders behind them
// (x-rays); absolute pins are respected while the pinner still stands.
int see(const Board& board, Move move);
// Whether see(board, move) >= threshold, usually without the whole sequence.
bool see_at_least(const Board& board, Move move, int threshold);

}  // namespace philidor::chess
