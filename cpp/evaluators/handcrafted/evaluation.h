// The handcrafted evaluation: everything a chess book teaches about a position, as a sum of weighted terms
// between middlegame and endgame (book, ch. 3 and 3.3).
#pragma once

#include "evaluators/handcrafted/pawns.h"
#include "evaluators/handcrafted/sink.h"
#include "games/chess/evaluator.h"

namespace philidor::evaluators::handcrafted {

// 24 with all pieces, 0 with kings and pawns.
int game_phase(const chess::Board& board);
inline constexpr int kFullPhase = 24;

// White's view, from the sums of all terms.
int verdict(const chess::Board& board, const Parts& parts);

// Every term counted, for the printed table and for tuning.
Counts count_terms(const chess::Board& board);

}  // namespace philidor::evaluators::handcrafted

namespace philidor::evaluators {

class HandcraftedEvaluator {
  public:
    void reset(const chess::Board&) {}
    void push(const chess::Board& board, const chess::DirtyPieces&) { pawns_.prefetch(board.pawn_key()); }
    void pop() {}
    int evaluate(const chess::Board& board);

  private:
    handcrafted::PawnTable pawns_;
};
static_assert(chess::NativeEvaluator<HandcraftedEvaluator>);

}  // namespace philidor::evaluators
