// The book's evaluation (Listings 3.1 and 3.2), the native twin of evaluators/book.py.
#pragma once

#include "games/chess/evaluator.h"

namespace philidor::evaluators {

class BookEvaluator {
  public:
    void reset(const chess::Board&) {}
    void push(const chess::Board&, const chess::DirtyPieces&) {}
    void pop() {}
    int evaluate(const chess::Board& board) const;
};

}  // namespace philidor::evaluators
