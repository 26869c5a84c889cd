// What Giraffe's network sees of a position: facts, lists of pieces and maps of control, in the side to move's view
// (book, 2.14; Lai 2015). The native twin of nets/dense/features.py, which explains the numbers.
#pragma once

#include "games/chess/board.h"

namespace philidor::evaluators::giraffe {

inline constexpr int kFacts = 14;
inline constexpr int kPieceFeatures = 208;
inline constexpr int kSquareFeatures = 128;
inline constexpr int kFeatures = kFacts + kPieceFeatures + kSquareFeatures;

// Writes kFeatures numbers.
void write_features(const chess::Board& board, float* into);

}  // namespace philidor::evaluators::giraffe
