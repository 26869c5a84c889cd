// A bare king against a force that mates it, for every evaluator: networks know from games that such positions are won,
// not how; whoever drives the king to the edge, or to the right corner, wins them.
#pragma once

#include <optional>

#include "games/chess/evaluator.h"

namespace philidor::evaluators {

// How close the bare king of the other side is to its end: larger at the edge, or near the corner that a lone bishop
// controls, and with the kings together. Centipawns, from 230 to about 1100.
int drive_bonus(const chess::Board& board, chess::Color strong);

// A score that wins, the higher the closer the mate, in the side to move's view; none unless one king is bare and the
// other side's pieces can mate it without pawns.
std::optional<int> bare_king_score(const chess::Board& board);

// Any evaluator, with that score where there is one.
template <chess::NativeEvaluator Evaluator>
class WithBareKings {
  public:
    Evaluator& inner() { return inner_; }

    void reset(const chess::Board& board) { inner_.reset(board); }
    void push(const chess::Board& board, const chess::DirtyPieces& dirty) { inner_.push(board, dirty); }
    void pop() { inner_.pop(); }
    int evaluate(const chess::Board& board) {
        // Both sides nearly always have more, and then this shall cost nothing.
        if (chess::has_several(board.pieces(chess::kWhite)) && chess::has_several(board.pieces(chess::kBlack)))
            [[likely]]
            return inner_.evaluate(board);
        const std::optional<int> score = bare_king_score(board);
        return score ? *score : inner_.evaluate(board);
    }

  private:
    Evaluator inner_;
};

}  // namespace philidor::evaluators
