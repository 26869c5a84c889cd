#include "games/chess/outcome.h"

#include "games/chess/movegen.h"

namespace philidor::chess {

Termination termination(const Board& board) {
    if (!has_legal_move(board)) return board.in_check() ? Termination::kCheckmate : Termination::kStalemate;
    return draw_by_rule(board);
}

}  // namespace philidor::chess
