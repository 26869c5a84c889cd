// What native alpha-beta asks of an evaluator: handcrafted terms, NNUE and small float nets all fit.
#pragma once

#include <concepts>

#include "games/chess/board.h"

namespace philidor::chess {

// Scores are centipawns in the side to move's view. `push` follows each move made on the board (the null move
// pushes no changes), `pop` each move taken back; `evaluate` judges the board as it stands, never in check.
template <class E>
concept NativeEvaluator = requires(E evaluator, const Board& board, const DirtyPieces& dirty) {
    evaluator.reset(board);
    evaluator.push(board, dirty);
    evaluator.pop();
    { evaluator.evaluate(board) } -> std::same_as<int>;
};

}  // namespace philidor::chess
