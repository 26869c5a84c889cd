// Fits the weights of the handcrafted evaluation to games: the sigmoid of the score should predict the result
// (known as Texel's method). The evaluation is linear in its weights, so the gradient is exact and cheap.
#pragma once

#include <cstdint>
#include <vector>

#include "evaluators/handcrafted/evaluation.h"
#include "games/chess/board.h"
#include "records/record.h"

namespace philidor::train {

struct TunerOptions {
    int skip_plies = 12;        // openings come from books
    int sample_every = 3;       // neighboring positions teach the same
    int max_score = 1000;       // decided positions teach nothing; centipawns
    double result_share = 0.4;  // of the target; the rest is the recorded score
    double scale = 1.0 / 175;   // of the sigmoid: how centipawns become expectations
    double decay = 2e-9;        // towards the starting weights, for terms that are rarely seen
    int threads = 1;
};

class EvaluationTuner {
  public:
    explicit EvaluationTuner(const TunerOptions& options);

    // Takes the quiet positions of a scored game; returns how many.
    int add_game(const records::Record& record);
    std::size_t size() const { return positions_.size(); }

    // One step of Adam over all positions; returns the mean squared error before it. Every kHoldOut-th
    // position is held out.
    double step(double learning_rate);
    double validation_error() const;

    // (middlegame, endgame) by weight.
    const std::vector<double>& weights() const { return weights_; }

  private:
    struct Position {
        std::uint32_t first;  // of its counts
        std::uint16_t length;
        std::int16_t fixed;  // what no weight changes, White's view
        float target;        // White's expectation
        std::uint8_t phase;
        std::uint8_t scale;
    };
    struct Count {
        std::int16_t weight;
        std::int16_t times;
    };

    void add(const chess::Board& board, double target);
    double evaluate(const Position& position) const;
    double accumulate(std::size_t begin, std::size_t end, std::vector<double>& gradient) const;
    static bool is_held_out(std::size_t index) { return index % kHoldOut == 0; }
    static constexpr std::size_t kHoldOut = 10;

    TunerOptions options_;
    std::vector<Position> positions_;
    std::vector<Count> counts_;
    std::vector<double> start_, weights_, mean_, variance_;
    int steps_ = 0;
};

}  // namespace philidor::train
