#include "evaluators/nnue/ordering.h"

#include <algorithm>
#include <numeric>
#include <random>

#include "games/chess/fen.h"
#include "games/chess/movegen.h"

namespace philidor::evaluators::nnue {

using namespace chess;

namespace {

// Random games are enough: what matters is which numbers are on often, whoever plays.
constexpr int kGames = 12, kPlies = 96, kEvery = 4;

class Activity {
  public:
    Activity(const Architecture& architecture, const Weights& weights)
        : weights_(weights),
          inputs_(architecture.features),
          sums_(std::size_t(architecture.width)),
          counts_(std::size_t(architecture.width)) {}

    void count(const Board& board) {
        for (Color side : {kWhite, kBlack}) {
            std::copy_n(weights_.feature_biases, sums_.size(), sums_.begin());
            for (Bitboard rest = board.occupied(); rest;) add(board, side, pop_first(rest));
            for (std::size_t i = 0; i < sums_.size(); ++i) counts_[i] += sums_[i] > 0;
        }
    }
    const std::vector<int>& counts() const { return counts_; }

  private:
    void add(const Board& board, Color side, Square square) {
        const Piece piece = board.piece_on(square);
        if (!inputs_.has(piece)) return;
        const std::size_t input = std::size_t(inputs_.index(side, board.king(side), piece, square));
        const std::int16_t* column = weights_.feature_weights + input * sums_.size();
        for (std::size_t i = 0; i < sums_.size(); ++i)
            sums_[i] = std::int16_t(unsigned(sums_[i]) + unsigned(column[i]));
    }

    const Weights& weights_;
    InputTable inputs_;
    std::vector<std::int16_t> sums_;
    std::vector<int> counts_;
};

void count_random_games(Activity& activity) {
    std::minstd_rand random(1);
    for (int game = 0; game < kGames; ++game) {
        State states[kPlies + 1];
        Board board;
        parse_fen(kStartFen, board, states[0]);
        for (int ply = 1; ply <= kPlies; ++ply) {
            const MoveList moves = legal_moves(board);
            if (moves.empty()) break;
            board.make(moves[int(random() % unsigned(moves.size()))], states[ply]);
            if (ply % kEvery == 0) activity.count(board);
        }
    }
}

}  // namespace

std::vector<int> order_by_activity(const Architecture& architecture, const Weights& weights) {
    std::vector<int> order(std::size_t(architecture.width));
    std::iota(order.begin(), order.end(), 0);
    if (architecture.hidden.empty()) return order;
    Activity activity(architecture, weights);
    count_random_games(activity);
    const std::vector<int>& counts = activity.counts();
    const bool is_pairwise = architecture.activation == Activation::kPairwise;
    const int half = is_pairwise ? architecture.width / 2 : 0;
    const auto rate = [&](int i) {
        return is_pairwise ? std::min(counts[std::size_t(i)], counts[std::size_t(i + half)]) : counts[std::size_t(i)];
    };
    const auto middle = is_pairwise ? order.begin() + half : order.end();
    std::stable_sort(order.begin(), middle, [&](int a, int b) { return rate(a) > rate(b); });
    if (is_pairwise) std::transform(order.begin(), middle, middle, [&](int i) { return i + half; });
    return order;
}

}  // namespace philidor::evaluators::nnue
