// FEN, X-FEN and Shredder-FEN in and out. Strict: the error names the field and what was wrong with it.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "games/chess/board.h"

namespace philidor::chess {

inline constexpr std::string_view kStartFen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

// "invalid FEN 'xyz': board: rank 3 has 9 squares".
class FenError : public std::invalid_argument {
  public:
    using std::invalid_argument::invalid_argument;
};

enum class Chess960 { kAuto /* when a right cannot be standard */, kYes, kNo };

// Needs at least the first four fields (the clocks default to 0 and 1). Throws FenError.
void parse_fen(std::string_view fen, Board& board, State& state, Chess960 variant = Chess960::kAuto);

enum class FenCastling { kXFen /* KQkq where unambiguous */, kShredder /* always files */ };
enum class FenEnPassant { kLegal /* only if a capture is legal */, kRaw /* after every double step */ };

std::string to_fen(const Board& board, FenCastling castling = FenCastling::kXFen,
                   FenEnPassant en_passant = FenEnPassant::kLegal);

}  // namespace philidor::chess
