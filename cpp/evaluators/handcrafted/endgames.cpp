#include "evaluators/handcrafted/endgames.h"

#include <algorithm>

#include "evaluators/bare_king.h"
#include "evaluators/handcrafted/kpk.h"

namespace philidor::evaluators::handcrafted {

using namespace chess;

namespace {

constexpr int kPieceMaterial[7] = {0, 0, 3, 3, 5, 9, 0};
constexpr Bitboard kQueenside = kFileA * 0x0F;

int piece_material(const Board& board, Color color) {
    int material = 0;
    for (PieceType type : {kKnight, kBishop, kRook, kQueen})
        material += kPieceMaterial[type] * popcount(board.pieces(color, type));
    return material;
}

bool has_only(const Board& board, Color color, Bitboard pieces) {
    return board.pieces(color) == (pieces | board.pieces(color, kKing));
}

// Rook pawns of one file, with no bishop that controls the corner where they promote, and a king already there.
bool is_corner_fortress(const Board& board, Color strong) {
    const Bitboard pawns = board.pieces(strong, kPawn), bishops = board.pieces(strong, kBishop);
    if ((pawns & ~kFileA && pawns & ~kFileH) || !has_only(board, strong, pawns | bishops)) return false;
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

// Rook against rook with at most one pawn more, all on one flank, and the defending king before them.
bool is_rook_ending_to_hold(const Board& board, Color strong) {
    const Bitboard own = board.pieces(strong, kPawn), other = board.pieces(~strong, kPawn);
    for (Color color : {kWhite, kBlack}) {
        const Bitboard rooks = board.pieces(color, kRook);
        if (!rooks || has_several(rooks) || !has_only(board, color, rooks | board.pieces(color, kPawn))) return false;
    }
    if (popcount(own) - popcount(other) > 1 || ((own & kQueenside) && (own & ~kQueenside))) return false;
    const Square king = board.king(~strong);
    return king_attacks(king) & other || (popcount(own) == 1 && king_distance(king, first_square(own)) <= 2 &&
                                          relative_rank(strong, king) > relative_rank(strong, first_square(own)));
}

// Without pawns a lead of one minor piece does not win, and two knights do not mate.
int pawnless_scale(const Board& board, Color strong) {
    const int own = piece_material(board, strong), other = piece_material(board, ~strong);
    if (own <= 3) return 0;
    if (own == 6 && popcount(board.pieces(strong, kKnight)) == 2 && !board.pieces(~strong, kPawn)) return 0;
    return own - other <= 3 ? 8 : kFullScale;
}

}  // namespace

int endgame_scale(const Board& board, Color strong) {
    const Bitboard own = board.pieces(strong, kPawn);
    if (!own) return pawnless_scale(board, strong);
    if (has_only(board, ~strong, 0) && has_only(board, strong, own) && !has_several(own))
        return is_won_pawn_ending(board, strong) ? kFullScale : 0;
    if (is_corner_fortress(board, strong)) return 0;
    const int pawns = popcount(own);
    if (has_opposite_bishops(board)) {
        const bool is_pure = piece_material(board, kWhite) == 3 && piece_material(board, kBlack) == 3;
        return is_pure ? 16 + 4 * pawns : 40 + 2 * pawns;
    }
    if (is_rook_ending_to_hold(board, strong)) return 36;
    // A single pawn is often traded or blocked, and on one wing both kings are near.
    const Bitboard all = board.pieces(kPawn);
    const bool is_one_wing = !(all & kQueenside) || !(all & ~kQueenside);
    return std::min(kFullScale, 40 + 6 * pawns) - (is_one_wing ? 16 : 0);
}

int bare_king_bonus(const Board& board) {
    for (Color strong : {kWhite, kBlack}) {
        const Color weak = ~strong;
        if (!has_only(board, weak, 0)) continue;
        const Bitboard pawns = board.pieces(strong, kPawn);
        const int sign = strong == kWhite ? 1 : -1;
        // A pawn that is known to win: the further, the better. The scale has seen to the others.
        if (pawns && !has_several(pawns) && has_only(board, strong, pawns))
            return is_won_pawn_ending(board, strong) ? sign * (200 + 20 * relative_rank(strong, first_square(pawns)))
                                                     : 0;
        if (piece_material(board, strong) < 5) continue;
        return sign * drive_bonus(board, strong);
    }
    return 0;
}

}  // namespace philidor::evaluators::handcrafted
