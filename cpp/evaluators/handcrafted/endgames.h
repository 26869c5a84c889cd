// What counting does not know of endings: advantages that do not win, and how to drive a bare king to its end.
#pragma once

#include "games/chess/board.h"

namespace philidor::evaluators::handcrafted {

// For a bare king against mating material: larger the closer the mate, White's view; 0 elsewhere.
int bare_king_bonus(const chess::Board& board);

}  // namespace philidor::evaluators::handcrafted
