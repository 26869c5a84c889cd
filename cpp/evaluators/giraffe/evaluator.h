// Giraffe's evaluator for native alpha-beta. Nothing is kept from move to move: a position is judged from scratch.
#pragma once

#include <memory>

#include "evaluators/giraffe/network.h"
#include "games/chess/evaluator.h"

namespace philidor::evaluators {

// All threads share the network. `set_network` comes before anything else.
class GiraffeEvaluator {
  public:
    void set_network(std::shared_ptr<const giraffe::Network> network) { network_ = std::move(network); }

    void reset(const chess::Board&) {}
    void push(const chess::Board&, const chess::DirtyPieces&) {}
    void pop() {}
    int evaluate(const chess::Board& board) const { return network_->centipawns(network_->raw(board)); }

  private:
    std::shared_ptr<const giraffe::Network> network_;
};
static_assert(chess::NativeEvaluator<GiraffeEvaluator>);

}  // namespace philidor::evaluators
