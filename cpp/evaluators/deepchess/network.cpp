#include "evaluators/deepchess/network.h"

namespace philidor::evaluators::deepchess {

using namespace chess;

int write_inputs(const Board& board, int* into) {
    int count = 0;
    for (int color = kWhite; color <= kBlack; ++color)
        for (int type = kPawn; type <= kKing; ++type)
            for (Bitboard left = board.pieces(Color(color), PieceType(type)); left;)
                into[count++] = 64 * (6 * color + type - 1) + pop_first(left);
    if (board.to_move() == kWhite) into[count++] = 768;
    for (int right = 0; right < 4; ++right)
        if (board.castling() >> right & 1) into[count++] = 769 + right;
    return count;
}

Network::Network(std::vector<Dense> position, std::vector<Dense> comparison)
    : position_(std::move(position)), comparison_(std::move(comparison)) {
    if (position_.empty() || comparison_.empty()) throw std::invalid_argument("the wrong number of layers");
    int width = kInputs;
    for (const Dense& layer : position_) {
        if (layer.inputs() != width) throw std::invalid_argument("a layer that does not fit the one below");
        width = layer.outputs();
    }
    width *= 2;
    for (const Dense& layer : comparison_) {
        if (layer.inputs() != width) throw std::invalid_argument("a layer that does not fit the one below");
        width = layer.outputs();
    }
    if (width != 1) throw std::invalid_argument("the last layer must have one output");
}

void Network::embed(const Board& board, float* into) const {
    int active[kMaxActive];
    const int count = write_inputs(board, active);
    float sums[2][Dense::kMaxOutputs];
    position_[0].begin(sums[0]);
    for (int i = 0; i < count; ++i) position_[0].add(active[i], 1, sums[0]);
    position_[0].rectify(sums[0]);
    int from = 0;
    for (std::size_t i = 1; i < position_.size(); ++i, from ^= 1) {
        position_[i].begin(sums[from ^ 1]);
        position_[i].add_all(sums[from], position_[i].inputs(), 0, sums[from ^ 1]);
        position_[i].rectify(sums[from ^ 1]);
    }
    std::copy_n(sums[from], width(), into);
}

float Network::say(const float* first, const float* second) const {
    float sums[2][Dense::kMaxOutputs];
    comparison_[0].begin(sums[0]);
    comparison_[0].add_all(first, width(), 0, sums[0]);
    comparison_[0].add_all(second, width(), width(), sums[0]);
    int from = 0;
    for (std::size_t i = 1; i < comparison_.size(); ++i, from ^= 1) {
        comparison_[i - 1].rectify(sums[from]);
        comparison_[i].begin(sums[from ^ 1]);
        comparison_[i].add_all(sums[from], comparison_[i].inputs(), 0, sums[from ^ 1]);
    }
    return sums[from][0];
}

}  // namespace philidor::evaluators::deepchess
