// What counting does not know of endings: advantages that do not win, and how to drive a bare king to its end.
#pragma once

#include "games/chess/board.h"

namespace philidor::evaluators::handcrafted {

// How much of an endgame advantage of `strong` counts, of kFullScale: little where it can hardly win, 0 in known draws.
int endgame_scale(const chess::Board& board, chess::Color strong);
inline constexpr int kFullScale = 64;

// For a bare king against a force that wins: larger the closer the mate, White's view; 0 elsewhere.
int bare_king_bonus(const chess::Board& board);

}  // namespace philidor::evaluators::handcrafted
