// Threats: attacked pieces, pieces that can be attacked in one step, and squares worth having.
#pragma once

#include "evaluators/handcrafted/attack_map.h"
#include "evaluators/handcrafted/terms.h"

namespace philidor::evaluators::handcrafted {

template <class Sink>
class ThreatTerms {
  public:
    ThreatTerms(const AttackMap& map, Sink& sink) : map_(map), board_(map.board), sink_(sink) {}

    template <chess::Color Us>
    void add() {
        using namespace chess;
        constexpr Color kThem = ~Us;
        const Bitboard pieces = board_.pieces(kThem) & ~board_.pieces(kKing);
        const Bitboard officers = pieces & ~board_.pieces(kPawn);
        // A square is held by a pawn, or by more than attack it.
        const Bitboard held = map_.by[kThem][kPawn] | (map_.twice[kThem] & ~map_.twice[Us]);
        const Bitboard weak = pieces & ~held;
        each<Us>(Term::kPawnThreat, officers & map_.by[Us][kPawn]);
        const Bitboard minors = map_.by[Us][kKnight] | map_.by[Us][kBishop];
        each<Us>(Term::kMinorThreat, minors & (weak | (pieces & (board_.pieces(kRook) | board_.pieces(kQueen)))));
        each<Us>(Term::kRookThreat, map_.by[Us][kRook] & (weak | (pieces & board_.pieces(kQueen))));
        sink_.add(Us, Term::kKingThreat, 0, popcount(weak & map_.by[Us][kKing] & ~map_.all[kThem]));
        sink_.add(Us, Term::kHanging, 0, popcount(pieces & map_.all[Us] & ~map_.all[kThem]));
        sink_.add(Us, Term::kRestricted, 0, popcount(map_.all[kThem] & ~held & map_.all[Us]));
        pushes<Us>(officers);
    }

    template <chess::Color Us>
    void add_space() {
        using namespace chess;
        constexpr Bitboard kCenterFiles = kFileA * 0x3C;
        const Bitboard camp = kCenterFiles & (Us == kWhite ? rank_mask(1) | rank_mask(2) | rank_mask(3)
                                                           : rank_mask(6) | rank_mask(5) | rank_mask(4));
        const Bitboard safe = camp & ~board_.pieces(Us, kPawn) & ~map_.by[~Us][kPawn];
        const Bitboard behind = fill_up(~Us, board_.pieces(Us, kPawn));
        sink_.add(Us, Term::kSpace, 0, popcount(safe) + popcount(safe & behind & ~map_.all[~Us]));
    }

  private:
    template <chess::Color Us>
    void each(Term term, chess::Bitboard targets) {
        while (targets) sink_.add(Us, term, type_of(board_.piece_on(chess::pop_first(targets))) - chess::kPawn);
    }

    // Safe steps of pawns that would attack something.
    template <chess::Color Us>
    void pushes(chess::Bitboard officers) {
        using namespace chess;
        const Bitboard empty = ~board_.occupied();
        Bitboard steps = shift_up(Us, board_.pieces(Us, kPawn)) & empty;
        steps |= shift_up(Us, steps & rank_mask(Us == kWhite ? 2 : 5)) & empty;
        steps &= ~map_.by[~Us][kPawn] & (map_.all[Us] | ~map_.all[~Us]);
        sink_.add(Us, Term::kPushThreat, 0, popcount(pawn_attacks_of(Us, steps) & officers));
    }

    const AttackMap& map_;
    const chess::Board& board_;
    Sink& sink_;
};

}  // namespace philidor::evaluators::handcrafted
