// Giraffe's network: kinds of features meet only in the second hidden layer (book, 2.14; Lai 2015).
#pragma once

#include <array>
#include <vector>

#include "evaluators/dense.h"
#include "games/chess/board.h"

namespace philidor::evaluators::giraffe {

class Network {
  public:
    // A layer for the facts, one for the pieces, one for the squares; then the layers above them all, the last with one
    // output, of which 1 is worth `scale` centipawns. Throws std::invalid_argument if they do not fit each other.
    Network(std::vector<Dense> first, std::vector<Dense> above, float scale);

    // What comes out before tanh, in the side to move's view.
    float raw(const chess::Board& board) const;
    int centipawns(float raw) const;

  private:
    std::vector<Dense> first_, above_;
    float scale_;
};

}  // namespace philidor::evaluators::giraffe
