// Two judges: a network where understanding counts, the handcrafted evaluation where one side is far ahead anyway and
// speed counts more (book, 4.6.5). The network's sums are not even brought up to date for the latter.
#pragma once

#include <cstdlib>

#include "evaluators/handcrafted/evaluation.h"
#include "evaluators/nnue/evaluator.h"

namespace philidor::evaluators {

class HybridEvaluator {
  public:
    void set_network(std::shared_ptr<const nnue::Network> network) { network_.set_network(std::move(network)); }

    void reset(const chess::Board& board) { network_.reset(board); }
    void push(const chess::Board& board, const chess::DirtyPieces& dirty) { network_.push(board, dirty); }
    void pop() { network_.pop(); }
    int evaluate(const chess::Board& board) {
        if (std::abs(material_balance(board)) >= kFarAhead) {
            const int score = handcrafted_.evaluate(board);
            // Material may mislead: where the verdict is close after all, the network has the last word.
            if (std::abs(score) >= kDecided) return score;
        }
        return network_.evaluate(board);
    }

  private:
    // Centipawns; about what Stockfish 12 used.
    static constexpr int kFarAhead = 450, kDecided = 200;

    static int material_balance(const chess::Board& board) {
        using namespace chess;
        constexpr int kValues[] = {0, 100, 320, 330, 500, 900};
        int balance = 0;
        for (int type = kPawn; type <= kQueen; ++type)
            balance += kValues[type] * (popcount(board.pieces(kWhite, PieceType(type))) -
                                        popcount(board.pieces(kBlack, PieceType(type))));
        return balance;
    }

    NnueEvaluator network_;
    HandcraftedEvaluator handcrafted_;
};
static_assert(chess::NativeEvaluator<HybridEvaluator>);

}  // namespace philidor::evaluators
