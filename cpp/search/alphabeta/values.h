// The scale of alpha-beta scores: centipawns, with mates at the far ends.
#pragma once

#include <cstdlib>

namespace philidor::search {

inline constexpr int kMaxPly = 200;
inline constexpr int kMate = 32000;  // mate in n plies is kMate - n
inline constexpr int kInfinite = 32001;
inline constexpr int kNoScore = 32002;
inline constexpr int kMateInMaxPly = kMate - kMaxPly;
inline constexpr int kDraw = 0;
// Evaluations stay clear of the mates.
inline constexpr int kMaxEvaluation = kMateInMaxPly - 1;

constexpr int mate_in(int ply) { return kMate - ply; }
constexpr int mated_in(int ply) { return -kMate + ply; }
inline bool is_mate(int score) { return std::abs(score) >= kMateInMaxPly && std::abs(score) <= kMate; }

// The table keeps mates by their distance from the position, the search by that from its root.
constexpr int to_table(int score, int ply) {
    return score >= kMateInMaxPly ? score + ply : score <= -kMateInMaxPly ? score - ply : score;
}
constexpr int from_table(int score, int ply) {
    return score == kNoScore         ? kNoScore
           : score >= kMateInMaxPly  ? score - ply
           : score <= -kMateInMaxPly ? score + ply
                                     : score;
}

}  // namespace philidor::search
