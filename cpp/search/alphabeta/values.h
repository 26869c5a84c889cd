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
// A win by the endgame tables in n plies is kTableWin - n; evaluations stay clear of these and of the mates.
inline constexpr int kTableWin = 25000;
inline constexpr int kTableWinInMaxPly = kTableWin - kMaxPly;
inline constexpr int kMaxEvaluation = kTableWinInMaxPly - 1;

constexpr int mate_in(int ply) { return kMate - ply; }
constexpr int mated_in(int ply) { return -kMate + ply; }
inline bool is_mate(int score) { return std::abs(score) >= kMateInMaxPly && std::abs(score) <= kMate; }

// The table keeps mates and the endgame tables' wins by their distance from the position, the search by that from its
// root.
constexpr int to_table(int score, int ply) {
    return score >= kTableWinInMaxPly ? score + ply : score <= -kTableWinInMaxPly ? score - ply : score;
}
constexpr int from_table(int score, int ply) {
    return score == kNoScore             ? kNoScore
           : score >= kTableWinInMaxPly  ? score - ply
           : score <= -kTableWinInMaxPly ? score + ply
                                         : score;
}

}  // namespace philidor::search
