#include "evaluators/bare_king.h"

#include <algorithm>
#include <cstdlib>

namespace philidor::evaluators {

using namespace chess;

namespace {

// Beyond what a network says of positions that are merely winning, so that the last piece is taken; below any mate.
constexpr int kKnownWin = 2000;
constexpr int kValues[7] = {0, 100, 320, 330, 500, 900, 0};

bool can_mate(const Board& board, Color strong) {
    if (board.pieces(strong, kQueen, kRook)) return true;
    const Bitboard bishops = board.pieces(strong, kBishop);
    const int knights = popcount(board.pieces(strong, kKnight));
    return (bishops && knights) || (bishops & kLightSquares && bishops & ~kLightSquares) || knights >= 3;
}

}  // namespace

int drive_bonus(const Board& board, Color strong) {
    const Square bare = board.king(~strong), king = board.king(strong);
    const int from_center =
        std::max(3 - std::min(file_of(bare), 7 - file_of(bare)), 3 - std::min(rank_of(bare), 7 - rank_of(bare)));
    int bonus = 300 + 20 * from_center - 10 * king_distance(bare, king);
    // Bishop and knight mate only in a corner that the bishop controls.
    const Bitboard bishops = board.pieces(strong, kBishop);
    if (!board.pieces(strong, kQueen, kRook) && bishops && !has_several(bishops)) {
        // How far the king is from the long diagonal between the other two corners: 7 in the right corner.
        const int file = bishops & kLightSquares ? 7 - file_of(bare) : file_of(bare);
        bonus += 100 * std::abs(7 - rank_of(bare) - file);
    }
    return bonus;
}

std::optional<int> bare_king_score(const Board& board) {
    for (const Color strong : {kWhite, kBlack}) {
        if (has_several(board.pieces(~strong)) || !can_mate(board, strong)) continue;
        int score = kKnownWin + drive_bonus(board, strong);
        for (int type = kPawn; type <= kQueen; ++type)
            score += kValues[type] * popcount(board.pieces(strong, PieceType(type)));
        return strong == board.to_move() ? score : -score;
    }
    return std::nullopt;
}

}  // namespace philidor::evaluators
