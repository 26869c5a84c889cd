// Leela's 112 planes in all their formats; the twin of encodings/leela.py, which explains them.
#pragma once

#include <cstdint>

#include "encodings/chess_moves.h"
#include "encodings/history.h"

namespace philidor::encodings {

// Numbered as in Leela's files.
enum class LeelaInput : std::uint8_t {
    kClassical = 1,
    kCastlingPlane = 2,
    kCanonical = 3,
    kCanonicalHectoplies = 4,
    kCanonicalV2 = 5,
    kCanonicalHectopliesArmageddon = 132,
    kCanonicalV2Armageddon = 133
};
constexpr bool is_canonical(LeelaInput input) { return input >= LeelaInput::kCanonical; }

enum class HistoryFill : std::uint8_t { kNo, kFenOnly, kAlways };

inline constexpr int kLeelaPackedPlanes = 109, kLeelaScalars = 3;

// How a board is turned to its canonical form: flipped, then mirrored, then transposed.
enum Turn : std::uint8_t { kNoTurn = 0, kFlip = 1, kMirror = 2, kTranspose = 4 };
Turn canonical_turn(const chess::Board& board);

struct LeelaFormat {
    LeelaInput input = LeelaInput::kClassical;
    HistoryFill fill = HistoryFill::kFenOnly;
    LeelaPolicy policy = LeelaPolicy::kFlat;
};

// How many boards `encode_leela` wants to see: without those that are no repetitions, eight may lie far back.
int history_needed(LeelaFormat format, const chess::Board& board);
// Returns the turn of the board, for the moves.
Turn encode_leela(LeelaFormat format, History history, std::uint64_t* planes, float* scalars);
PolicyIndex leela_index(LeelaFormat format, Turn turn, const chess::Board& board, chess::Move move);

}  // namespace philidor::encodings
