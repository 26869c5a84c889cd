// Passed pawns: who stops them, who helps them.
#pragma once

#include "evaluators/handcrafted/attack_map.h"
#include "evaluators/handcrafted/terms.h"

namespace philidor::evaluators::handcrafted {

// The square of the pawn: a lone king that cannot enter it in time does not catch the pawn.
inline bool is_unstoppable(const chess::Board& board, chess::Color us, chess::Square pawn, chess::Bitboard path) {
    using namespace chess;
    const Color them = ~us;
    if (board.pieces(them, kKnight, kBishop) || board.pieces(them, kRook, kQueen) || (path & board.occupied()))
        return false;
    const Square goal = make_square(file_of(pawn), us == kWhite ? 7 : 0);
    const int rank = relative_rank(us, pawn), steps = 7 - std::max(rank, 2);  // two at once from the second rank
    return king_distance(board.king(them), goal) - (board.to_move() == them) > steps;
}

template <chess::Color Us, class Sink>
void add_passed_pawns(const AttackMap& map, Sink& sink) {
    using namespace chess;
    constexpr Color kThem = ~Us;
    const Board& board = map.board;
    for (Bitboard rest = map.pawns.passed[Us]; rest;) {
        const Square square = pop_first(rest), stop = square + forward(Us);
        const int rank = relative_rank(Us, square);
        const Bitboard path = shift_up(Us, fill_up(Us, bit(square)));
        if (board.occupied() & bit(stop))
            sink.add(Us, Term::kPassedBlocked, rank);
        else if (!(path & (map.all[kThem] | board.pieces(kThem))))
            sink.add(Us, Term::kPassedFree, rank);
        else if (!(map.all[kThem] & bit(stop)))
            sink.add(Us, Term::kPassedStep, rank);
        if (is_unstoppable(board, Us, square, path)) sink.add(Us, Term::kPassedUnstoppable);
        if (rank < 3) continue;
        sink.add(Us, Term::kPassedOwnKing, king_distance(board.king(Us), stop), rank - 2);
        sink.add(Us, Term::kPassedEnemyKing, king_distance(board.king(kThem), stop), rank - 2);
        const Bitboard behind =
            rook_attacks(square, board.occupied()) & fill_up(kThem, bit(square)) & board.pieces(kRook);
        if (behind & board.pieces(Us)) sink.add(Us, Term::kPassedRook, 0);
        if (behind & board.pieces(kThem)) sink.add(Us, Term::kPassedRook, 1);
    }
}

}  // namespace philidor::evaluators::handcrafted
