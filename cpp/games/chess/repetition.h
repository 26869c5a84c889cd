// Whether the side to move can repeat a position of a game's last moves.
#pragma once

#include "games/chess/board.h"

namespace philidor::chess {

// Whether one move leads to a position that stood on the board fewer than `reach` plies ago. Only moves that can be
// taken back lead there, and their keys are known beforehand, so that no move is made (M. van Kervinck, "The design and
// implementation of the Rookie 2.0 chess playing program", 2002).
bool can_repeat(const Board& board, int reach);

}  // namespace philidor::chess
