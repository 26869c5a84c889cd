// King and pawn against king, solved: won or drawn for every placement and either side to move.
#pragma once

#include "games/chess/board.h"

namespace philidor::evaluators::handcrafted {

// Whether `strong`, who has the pawn, wins. The table is computed at the first call, in about a millisecond.
bool is_won_pawn_ending(const chess::Board& board, chess::Color strong);

}  // namespace philidor::evaluators::handcrafted
