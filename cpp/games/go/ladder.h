// Ladders: whether a chain with two liberties can be caught by atari after atari, or one in atari can run away. The
// twin of games/go/ladders.py.
#pragma once

#include <vector>

#include "games/go/board.h"

namespace philidor::games::go {

// Squares, in order, where a stone of `color` catches a chain of the other's in a ladder. `ko` may not be played.
std::vector<int> ladder_captures(const Board& board, Color color, Point ko = kNoPoint);
// Squares where a stone of `color` saves a chain of its own that is in atari.
std::vector<int> ladder_escapes(const Board& board, Color color, Point ko = kNoPoint);

}  // namespace philidor::games::go
