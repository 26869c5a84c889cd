// Knights, bishops, rooks and queens: their squares, their mobility, what stands in their way.
#pragma once

#include "evaluators/handcrafted/attack_map.h"
#include "evaluators/handcrafted/terms.h"

namespace philidor::evaluators::handcrafted {

template <class Sink>
class PieceTerms {
  public:
    PieceTerms(AttackMap& map, Sink& sink) : map_(map), board_(map.board), sink_(sink) {}

    template <chess::Color Us>
    void add() {
        using namespace chess;
        const Bitboard occupied = board_.occupied();
        const Bitboard beyond_queens = occupied ^ board_.pieces(kQueen);
        const Bitboard beyond_rooks = beyond_queens ^ board_.pieces(Us, kRook);
        for (Bitboard rest = board_.pieces(Us, kKnight); rest;) {
            const Square square = pop_first(rest);
            const Bitboard attacked = knight_attacks(square) & map_.pin_line<Us>(square);
            piece<Us, kKnight>(square, attacked, Term::kKnightMobility);
            minor<Us>(square, Term::kKnightOutpost);
            knight<Us>(square, attacked);
        }
        for (Bitboard rest = board_.pieces(Us, kBishop); rest;) {
            const Square square = pop_first(rest);
            const Bitboard attacked = bishop_attacks(square, beyond_queens) & map_.pin_line<Us>(square);
            piece<Us, kBishop>(square, attacked, Term::kBishopMobility);
            minor<Us>(square, Term::kBishopOutpost);
            bishop<Us>(square);
        }
        for (Bitboard rest = board_.pieces(Us, kRook); rest;) {
            const Square square = pop_first(rest);
            const Bitboard attacked = rook_attacks(square, beyond_rooks) & map_.pin_line<Us>(square);
            const int mobility = piece<Us, kRook>(square, attacked, Term::kRookMobility);
            rook<Us>(square, mobility);
        }
        for (Bitboard rest = board_.pieces(Us, kQueen); rest;) {
            const Square square = pop_first(rest);
            const Bitboard attacked = queen_attacks(square, occupied) & map_.pin_line<Us>(square);
            piece<Us, kQueen>(square, attacked, Term::kQueenMobility);
        }
        if (has_several(board_.pieces(Us, kBishop))) sink_.add(Us, Term::kBishopPair);
    }

  private:
    template <chess::Color Us, chess::PieceType type>
    int piece(chess::Square square, chess::Bitboard attacked, Term mobility) {
        const int moves = chess::popcount(attacked & map_.mobility_area[Us]);
        sink_.add_piece(Us, type, square);
        sink_.add(Us, mobility, moves);
        if (map_.add<Us, type>(attacked)) sink_.add_danger(Us, Term::kDangerAttacker, type - chess::kKnight);
        return moves;
    }

    template <chess::Color Us>
    void minor(chess::Square square, Term outpost) {
        using namespace chess;
        const int rank = relative_rank(Us, square);
        if (rank >= 3 && rank <= 5 && !(map_.pawns.span[~Us] & bit(square)))
            sink_.add(Us, outpost, (map_.by[Us][kPawn] & bit(square)) != 0);
        if (shift_up(Us, bit(square)) & board_.pieces(kPawn)) sink_.add(Us, Term::kMinorBehindPawn);
        sink_.add(Us, Term::kMinorKingDistance, outpost == Term::kBishopOutpost,
                  king_distance(square, board_.king(Us)));
    }

    template <chess::Color Us>
    void knight(chess::Square square, chess::Bitboard attacked) {
        using namespace chess;
        const Bitboard middle =
            Us == kWhite ? rank_mask(3) | rank_mask(4) | rank_mask(5) : rank_mask(4) | rank_mask(3) | rank_mask(2);
        const Bitboard outposts = middle & map_.by[Us][kPawn] & ~map_.pawns.span[~Us];
        if (!(outposts & bit(square)) && (attacked & outposts & ~board_.pieces(Us)))
            sink_.add(Us, Term::kReachableOutpost);
    }

    template <chess::Color Us>
    void bishop(chess::Square square) {
        using namespace chess;
        constexpr Bitboard kCenter = (file_mask(3) | file_mask(4)) & (rank_mask(3) | rank_mask(4));
        const Bitboard color_of_square = kLightSquares & bit(square) ? kLightSquares : ~kLightSquares;
        sink_.add(Us, Term::kBadBishop, popcount(board_.pieces(Us, kPawn) & color_of_square));
        if (has_several(bishop_attacks(square, board_.pieces(kPawn)) & kCenter))
            sink_.add(Us, Term::kBishopLongDiagonal);
    }

    template <chess::Color Us>
    void rook(chess::Square square, int mobility) {
        using namespace chess;
        const Bitboard file = file_mask(file_of(square));
        if (!(file & board_.pieces(Us, kPawn)))
            sink_.add(Us, Term::kRookFile, !(file & board_.pieces(kPawn)));
        else if (mobility <= 3 && is_shut_in(Us, square))
            sink_.add(Us, Term::kTrappedRook);
        if (relative_rank(Us, square) == 6 &&
            (relative_rank(Us, board_.king(~Us)) == 7 || (rank_mask(rank_of(square)) & board_.pieces(~Us, kPawn))))
            sink_.add(Us, Term::kRookOnSeventh);
    }

    // The king stands between the rook and the middle of the board, on the same rank.
    bool is_shut_in(chess::Color Us, chess::Square square) const {
        const chess::Square king = board_.king(Us);
        return chess::rank_of(king) == chess::rank_of(square) &&
               (chess::file_of(king) < 4 ? chess::file_of(square) < chess::file_of(king)
                                         : chess::file_of(square) > chess::file_of(king));
    }

    AttackMap& map_;
    const chess::Board& board_;
    Sink& sink_;
};

}  // namespace philidor::evaluators::handcrafted
