#include "evaluators/handcrafted/endgames.h"

#include <algorithm>

#include "evaluators/handcrafted/evaluation.h"

namespace philidor::evaluators::handcrafted {

using namespace chess;

namespace {

constexpr int kPieceMaterial[7] = {0, 0, 3, 3, 5, 9, 0};

int piece_material(const Board& board, Color color) {
    int material = 0;
    for (PieceType type : {kKnight, kBishop, kRook, kQueen})
        material += kPieceMaterial[type] * popcount(board.pieces(color, type));
    return material;
}

// A bishop that does not control the corner where its rook pawns promote, and a king already there.
bool is_wrong_bishop(const Board& board, Color strong) {
    const Bitboard pawns = board.pieces(strong, kPawn), bishops = board.pieces(strong, kBishop);
    if (!pawns || !bishops || (pawns & ~kFileA && pawns & ~kFileH)) return false;
    if (board.pieces(strong) != (pawns | bishops | board.pieces(strong, kKing))) return false;
    const Square corner = relative_square(strong, pawns & kFileA ? kA8 : kH8);
    const bool is_light_corner = kLightSquares & bit(corner);
    const Bitboard controlling = bishops & (is_light_corner ? kLightSquares : ~kLightSquares);
    return !controlling && king_distance(board.king(~strong), corner) <= 1;
}

bool has_opposite_bishops(const Board& board) {
    const Bitboard white = board.pieces(kWhite, kBishop), black = board.pieces(kBlack, kBishop);
    return white && black && !has_several(white) && !has_several(black) &&
           ((white & kLightSquares) != 0) != ((black & kLightSquares) != 0);
}

// Without pawns a lead of one minor piece does not win, and two knights do not mate.
int pawnless_scale(const Board& board, Color strong) {
    const int own = piece_material(board, strong), other = piece_material(board, ~strong);
    if (own <= 3) return 0;
    if (own == 6 && popcount(board.pieces(strong, kKnight)) == 2 && !board.pieces(~strong, kPawn)) return 0;
    return own - other <= 3 ? 8 : kFullScale;
}

}  // namespace

int endgame_scale(const Board& board, int endgame_score) {
    const Color strong = endgame_score >= 0 ? kWhite : kBlack;
    const int pawns = popcount(board.pieces(strong, kPawn));
    if (pawns == 0) return pawnless_scale(board, strong);
    if (is_wrong_bishop(board, strong)) return 0;
    if (has_opposite_bishops(board)) {
        const bool is_pure = piece_material(board, kWhite) == 3 && piece_material(board, kBlack) == 3;
        return is_pure ? 16 + 4 * pawns : 40 + 2 * pawns;
    }
    // A single pawn is often traded or blocked.
    return std::min(kFullScale, 40 + 6 * pawns);
}

int bare_king_bonus(const Board& board) {
    for (Color strong : {kWhite, kBlack}) {
        const Color weak = ~strong;
        if (board.pieces(weak) != board.pieces(weak, kKing) || piece_material(board, strong) < 5) continue;
        const Square bare = board.king(weak), king = board.king(strong);
        const int from_center =
            std::max(3 - std::min(file_of(bare), 7 - file_of(bare)), 3 - std::min(rank_of(bare), 7 - rank_of(bare)));
        int bonus = 300 + 20 * from_center - 10 * king_distance(bare, king);
        // Bishop and knight mate only in the corner the bishop controls.
        const Bitboard bishops = board.pieces(strong, kBishop);
        if (!board.pieces(strong, kQueen, kRook) && bishops && !has_several(bishops)) {
            const bool is_light = bishops & kLightSquares;
            const int to_corner =
                std::min(king_distance(bare, is_light ? kA8 : kA1), king_distance(bare, is_light ? kH1 : kH8));
            bonus -= 30 * to_corner;
        }
        return strong == kWhite ? bonus : -bonus;
    }
    return 0;
}

}  // namespace philidor::evaluators::handcrafted
