// Moves as text: UCI ("e7e8q") and SAN ("exd8=Q+"), both ways.
#pragma once

#include <string>
#include <string_view>

#include "games/chess/board.h"

namespace philidor::chess {

std::string square_name(Square square);

// Castling is written as the king's two-step in standard chess and as king takes rook in Chess960.
std::string to_uci(const Board& board, Move move);
// Reads both castling forms, whatever the variant. Returns kNoMove if the text names no legal move.
Move parse_uci(const Board& board, std::string_view text);

std::string to_san(const Board& board, Move move);

enum class SanError { kNone, kSyntax, kIllegal, kAmbiguous };
struct SanResult {
    Move move{};
    SanError error = SanError::kNone;
};
// Reads SAN as found in the wild: check marks, annotations ("!?", "e.p."), "0-0", "e8Q", "e8(Q)", "Pe4", "ed5",
// over-disambiguation and both squares without a piece ("g1-f3") are accepted; a move that is not legal or not unique
// is not.
SanResult parse_san(const Board& board, std::string_view text);

}  // namespace philidor::chess
