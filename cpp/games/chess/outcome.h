// How a chess game ends. Draws that a player could claim end the game: engines always claim.
#pragma once

#include "games/chess/board.h"

namespace philidor::chess {

enum class Termination {
    kNone,
    kCheckmate,
    kStalemate,
    kInsufficientMaterial,
    kFiftyMoves,
    kThreefoldRepetition,
};

// The draw rules alone, for callers that know whether there are legal moves.
inline Termination draw_by_rule(const Board& board) {
    if (board.is_insufficient_material()) return Termination::kInsufficientMaterial;
    if (board.halfmove_clock() >= 100) return Termination::kFiftyMoves;
    if (board.count_repetitions(2) >= 2) return Termination::kThreefoldRepetition;
    return Termination::kNone;
}

// In lower-case words; empty while the game goes on.
const char* termination_text(Termination termination);

// Mate and stalemate come first: a mating hundredth half move wins.
Termination termination(const Board& board);

}  // namespace philidor::chess
