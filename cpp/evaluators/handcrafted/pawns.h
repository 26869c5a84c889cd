// Pawn structure: what depends on the pawns alone, and is therefore remembered by the pawn key.
#pragma once

#include <array>
#include <vector>

#include "evaluators/handcrafted/sink.h"
#include "games/chess/board.h"

namespace philidor::evaluators::handcrafted {

constexpr chess::Bitboard fill_up(chess::Color color, chess::Bitboard b) {
    if (color == chess::kWhite) {
        b |= b << 8, b |= b << 16, b |= b << 32;
    } else {
        b |= b >> 8, b |= b >> 16, b |= b >> 32;
    }
    return b;
}
constexpr chess::Bitboard shift_up(chess::Color color, chess::Bitboard b) {
    return color == chess::kWhite ? b << 8 : b >> 8;
}
constexpr chess::Bitboard neighbor_files(chess::Bitboard b) {
    return ((b & ~chess::kFileA) >> 1) | ((b & ~chess::kFileH) << 1);
}

// Adds the terms of `color`'s pawns to `sink` and returns its passed pawns.
template <class Sink>
chess::Bitboard evaluate_pawns(const chess::Board& board, chess::Color color, Sink& sink);

struct PawnEntry {
    chess::Key key = 0;
    chess::Bitboard passed[2] = {0, 0};
    Score score = 0;
    // Key 0 belongs to the pawnless board, whose entry is all zeros and right.
};

// A table of its own for each search thread.
class PawnTable {
  public:
    PawnTable() : entries_(kSize) {}
    const PawnEntry& look_up(const chess::Board& board);

  private:
    static constexpr std::size_t kSize = 1 << 13;
    std::vector<PawnEntry> entries_;
};

}  // namespace philidor::evaluators::handcrafted
