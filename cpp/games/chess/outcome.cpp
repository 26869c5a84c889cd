#include "games/chess/outcome.h"

#include "games/chess/movegen.h"

namespace philidor::chess {

const char* termination_text(Termination termination) {
    switch (termination) {
        case Termination::kNone: return "";
        case Termination::kCheckmate: return "checkmate";
        case Termination::kStalemate: return "stalemate";
        case Termination::kInsufficientMaterial: return "insufficient material";
        case Termination::kFiftyMoves: return "fifty moves";
        case Termination::kThreefoldRepetition: return "threefold repetition";
    }
    return "";
}

Termination termination(const Board& board) {
    if (!has_legal_move(board)) return board.in_check() ? Termination::kCheckmate : Termination::kStalemate;
    return draw_by_rule(board);
}

}  // namespace philidor::chess
