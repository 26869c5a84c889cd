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

// What the rest of the evaluation asks about the pawns, by color.
struct PawnSets {
    chess::Bitboard passed[2] = {0, 0};
    chess::Bitboard span[2] = {0, 0};  // squares its pawns attack or may come to attack
};

// Adds the terms of `color`'s pawns to `sink`, themselves included, and finds its sets.
template <class Sink>
void evaluate_pawns(const chess::Board& board, chess::Color color, PawnSets& sets, Sink& sink);
// Adds the terms of the pawns before `color`'s king.
template <class Sink>
void evaluate_shelter(const chess::Board& board, chess::Color color, Sink& sink);

struct alignas(64) PawnEntry {
    chess::Key key = 0;
    PawnSets sets;
    Score score = 0;
    // The shelters depend on one more thing, where the king stands.
    Score shelter[2] = {0, 0};
    chess::Square king[2] = {chess::kNoSquare, chess::kNoSquare};
    // Key 0 belongs to the pawnless board, whose sets and score are empty and right.
    Score total() const { return score + shelter[chess::kWhite] + shelter[chess::kBlack]; }
};

// A table of its own for each search thread.
class PawnTable {
  public:
    PawnTable() : entries_(kSize) {}
    const PawnEntry& look_up(const chess::Board& board);
    void prefetch(chess::Key pawn_key) const { __builtin_prefetch(&entries_[pawn_key & (kSize - 1)]); }

  private:
    static constexpr std::size_t kSize = 1 << 13;
    std::vector<PawnEntry> entries_;
};

}  // namespace philidor::evaluators::handcrafted
