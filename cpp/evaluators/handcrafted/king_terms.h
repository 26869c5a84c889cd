// Attacks on the kings. Their shelter is with the pawns, in pawns.h.
#pragma once

#include "evaluators/handcrafted/attack_map.h"
#include "evaluators/handcrafted/terms.h"

namespace philidor::evaluators::handcrafted {

// The files around a king, four of them.
constexpr chess::Bitboard flank_of(chess::Square king) {
    const int file = chess::file_of(king);
    if (file < 3) return chess::kFileA * 0x0F;
    return file > 4 ? chess::kFileA * 0xF0 : chess::kFileA * 0x3C;
}

// `Us` attacks the other king. Without two attackers, or a queen and one, there is nothing to see.
template <chess::Color Us, class Sink>
void add_king_danger(const AttackMap& map, Sink& sink) {
    using namespace chess;
    constexpr Color kThem = ~Us;
    if (map.attackers[Us] + (map.board.pieces(Us, kQueen) != 0) < 2) return;
    const Board& board = map.board;
    const Square king = board.king(kThem);
    const Bitboard occupied = board.occupied() ^ board.pieces(kThem, kQueen);
    const Bitboard lines = rook_attacks(king, occupied), diagonals = bishop_attacks(king, occupied);
    // Squares only the king or queen defends, or nobody.
    const Bitboard weak =
        map.all[Us] & ~map.twice[kThem] & (~map.all[kThem] | map.by[kThem][kKing] | map.by[kThem][kQueen]);
    const Bitboard safe = ~board.pieces(Us) & (~map.all[kThem] | (weak & map.twice[Us]));
    const Bitboard from[4] = {knight_attacks(king), diagonals, lines, lines | diagonals};
    Bitboard costly = 0;
    for (PieceType type : {kKnight, kBishop, kRook, kQueen}) {
        const Bitboard checks = map.by[Us][type] & from[type - kKnight] & ~board.pieces(Us);
        if (checks & safe)
            sink.add_danger(Us, Term::kDangerSafeCheck, type - kKnight);
        else
            costly |= checks;
    }
    const Bitboard camp =
        flank_of(king) & (kThem == kWhite ? rank_mask(0) | rank_mask(1) | rank_mask(2) | rank_mask(3)
                                          : rank_mask(7) | rank_mask(6) | rank_mask(5) | rank_mask(4));
    const Bitboard attacked = camp & map.all[Us];
    sink.add_danger(Us, Term::kDangerBase);
    sink.add_danger(Us, Term::kDangerRing, 0, map.ring_attacks[Us]);
    sink.add_danger(Us, Term::kDangerWeak, 0, popcount(weak & map.ring[kThem]));
    sink.add_danger(Us, Term::kDangerCheck, 0, popcount(costly));
    sink.add_danger(Us, Term::kDangerFlank, 0, popcount(attacked) + popcount(attacked & map.twice[Us]));
    sink.add_danger(Us, Term::kDangerDefense, 0, popcount(camp & map.all[kThem]));
    if (map.by[kThem][kKnight] & map.ring[kThem]) sink.add_danger(Us, Term::kDangerKnight);
    if (!board.pieces(Us, kQueen)) sink.add_danger(Us, Term::kDangerNoQueen);
}

}  // namespace philidor::evaluators::handcrafted
