// What the search learns about moves while it searches: which ones refuted what.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "games/chess/board.h"

namespace philidor::search {

// Moves a value towards +-limit: large where it is unexpected, nothing at the limit.
template <int Limit>
inline void learn(std::int16_t& value, int bonus) {
    const int clamped = std::clamp(bonus, -Limit, Limit);
    value = std::int16_t(value + clamped - value * std::abs(clamped) / Limit);
}

inline constexpr int kHistoryLimit = 16384;

// A piece and where it went: the usual index of a continuation.
using PieceTo = std::array<std::array<std::int16_t, 64>, 16>;
// After no move at all (the start, a null move) nothing is known and nothing learned.
inline constexpr PieceTo kNoContinuation{};

struct Histories {
    // [color][from an attacked square, to one][from, to]
    std::array<std::array<std::array<std::int16_t, 64 * 64>, 4>, 2> quiet;
    std::array<std::array<std::array<std::int16_t, 8>, 64>, 16> capture;             // [piece][to][captured type]
    std::array<std::array<PieceTo, 64>, 16> continuation;                            // [piece][to] -> [piece][to]
    std::array<std::array<chess::Move, 64>, 16> counter;                             // [piece][to]
    std::array<std::array<std::int16_t, 16384>, 2> pawn_correction;                  // [color][pawn key]
    std::array<std::array<std::array<std::int16_t, 16384>, 2>, 2> piece_correction;  // [color][whose][their squares]
    std::array<std::array<std::int16_t, 16384>, 2> continuation_correction;          // [color][last two moves]
    std::array<PieceTo, 512> pawns;                                                  // [pawn key] -> [piece][to]

    void clear() {
        quiet = {};
        capture = {};
        counter = {};
        pawn_correction = {};
        piece_correction = {};
        continuation_correction = {};
        for (PieceTo& values : pawns) values = {};
        for (auto& from : continuation)
            for (PieceTo& to : from)
                for (auto& values : to) values.fill(-200);  // unseen continuations are a little suspicious
    }
};

// Which of the four tables of quiet moves, by the squares that the other side attacks.
inline std::size_t threat_index(chess::Bitboard attacked, chess::Move move) {
    return std::size_t(attacked >> move.from() & 1) * 2 + std::size_t(attacked >> move.to() & 1);
}

inline int from_to(chess::Move move) { return move.raw() >> 4; }

}  // namespace philidor::search
