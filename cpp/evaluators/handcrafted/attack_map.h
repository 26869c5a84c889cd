// Who attacks what: computed once for a position, read by all terms.
#pragma once

#include <algorithm>

#include "evaluators/handcrafted/pawns.h"
#include "games/chess/attacks.h"
#include "games/chess/board.h"

namespace philidor::evaluators::handcrafted {

struct AttackMap {
    AttackMap(const chess::Board& position, const PawnSets& sets) : board(position), pawns(sets) {
        prepare<chess::kWhite>(), prepare<chess::kBlack>();
    }

    const chess::Board& board;
    const PawnSets& pawns;
    // By color, and by type. The pieces' attacks are added as the pieces are visited.
    chess::Bitboard by[2][7] = {};
    chess::Bitboard all[2], twice[2];
    // Where pieces want to go: not onto blocked or unmoved pawns, the king, or squares that pawns guard.
    chess::Bitboard mobility_area[2];
    // The squares around the king, one rank further up; off the edge, so that cornered kings have a full ring.
    chess::Bitboard ring[2];
    // The pieces that attack the enemy king's ring, and how many of its squares they attack together.
    int attackers[2] = {0, 0}, ring_attacks[2] = {0, 0};

    // Returns whether the piece attacks the enemy king's ring.
    template <chess::Color Us, chess::PieceType type>
    bool add(chess::Bitboard attacked) {
        twice[Us] |= all[Us] & attacked;
        all[Us] |= attacked;
        by[Us][type] |= attacked;
        const chess::Bitboard near = attacked & ring[~Us];
        attackers[Us] += near != 0;
        ring_attacks[Us] += chess::popcount(near);
        return near != 0;
    }

    // A pinned piece can only go along its pin.
    template <chess::Color Us>
    chess::Bitboard pin_line(chess::Square square) const {
        return Us == board.to_move() && (board.pinned() & chess::bit(square))
                   ? chess::line_through(board.king(Us), square)
                   : ~chess::Bitboard{0};
    }

  private:
    template <chess::Color Us>
    void prepare() {
        using namespace chess;
        constexpr Color kThem = ~Us;
        const Bitboard own_pawns = board.pieces(Us, kPawn);
        const Square king = board.king(Us);
        by[Us][kPawn] = pawn_attacks_of(Us, own_pawns);
        by[Us][kKing] = king_attacks(king);
        all[Us] = by[Us][kPawn] | by[Us][kKing];
        twice[Us] = by[Us][kPawn] & by[Us][kKing];
        const Bitboard low = Us == kWhite ? rank_mask(1) | rank_mask(2) : rank_mask(6) | rank_mask(5);
        const Bitboard blocked = own_pawns & (shift_up(kThem, board.occupied()) | low);
        mobility_area[Us] = ~(blocked | bit(king) | pawn_attacks_of(kThem, board.pieces(kThem, kPawn)));
        const Square middle = make_square(std::clamp(file_of(king), 1, 6), std::clamp(rank_of(king), 1, 6));
        ring[Us] = king_attacks(middle) | bit(middle);
    }
};

}  // namespace philidor::evaluators::handcrafted
