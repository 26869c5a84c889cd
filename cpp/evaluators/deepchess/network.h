// DeepChess's network: which of two positions is better for White? (book, 2.14; David, Netanyahu and Wolf 2016)
//
// Each position becomes a vector by the same layers, once; two vectors are compared by few further ones.
#pragma once

#include <vector>

#include "evaluators/dense.h"
#include "games/chess/board.h"

namespace philidor::evaluators::deepchess {

// A bit for each piece on each square, one for White to move and four for the rights to castle.
inline constexpr int kInputs = 773;
// Pieces, the move and the rights.
inline constexpr int kMaxActive = 64 + 5;

// Writes the inputs that are on, in ascending order, and returns how many there are. The native twin of `active_inputs`
// in nets/dense/deepchess.py.
int write_inputs(const chess::Board& board, int* into);

class Network {
  public:
    // Throws std::invalid_argument if the layers do not fit each other.
    Network(std::vector<Dense> position, std::vector<Dense> comparison);

    int width() const { return position_.back().outputs(); }
    // Writes a position's vector.
    void embed(const chess::Board& board, float* into) const;
    // Above zero if the first is better for White. Never contradicts itself: swapped vectors give the same with the
    // other sign.
    float compare(const float* first, const float* second) const { return say(first, second) - say(second, first); }

  private:
    float say(const float* first, const float* second) const;

    std::vector<Dense> position_, comparison_;
};

}  // namespace philidor::evaluators::deepchess
