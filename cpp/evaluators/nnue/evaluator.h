// The NNUE evaluator of native alpha-beta.
#pragma once

#include <optional>

#include "evaluators/nnue/accumulators.h"
#include "games/chess/evaluator.h"

namespace philidor::evaluators {

// One for each thread; all share the network. `set_network` comes before anything else.
class NnueEvaluator {
  public:
    void set_network(std::shared_ptr<const nnue::Network> network) { accumulators_.emplace(std::move(network)); }

    void reset(const chess::Board& board) { accumulators_->reset(board); }
    void push(const chess::Board& board, const chess::DirtyPieces& dirty) { accumulators_->push(board, dirty); }
    void pop() { accumulators_->pop(); }

    // The network's integer, in the side to move's view.
    std::int32_t raw(const chess::Board& board) {
        const chess::Color us = board.to_move();
        const std::int16_t* own = accumulators_->view(board, us);
        const std::int16_t* other = accumulators_->view(board, ~us);
        return accumulators_->network().propagate(chess::popcount(board.occupied()), own, other);
    }
    int evaluate(const chess::Board& board) { return accumulators_->network().architecture().centipawns(raw(board)); }

  private:
    std::optional<nnue::Accumulators> accumulators_;
};
static_assert(chess::NativeEvaluator<NnueEvaluator>);

}  // namespace philidor::evaluators
