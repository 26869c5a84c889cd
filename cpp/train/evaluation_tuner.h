// Fits the weights of the handcrafted evaluation to games: the sigmoid of the score should predict the result
// (known as Texel's method). Every term's count is kept, so the gradient is exact and cheap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "evaluators/handcrafted/sink.h"
#include "games/chess/board.h"
#include "records/record.h"

namespace philidor::train {

struct TunerOptions {
    int skip_plies = 12;        // openings come from books
    int sample_every = 2;       // neighboring positions teach the same
    int max_score = 1000;       // decided positions teach nothing; centipawns
    double result_share = 0.4;  // of the target; the rest is the recorded score
    double scale = 1.0 / 175;   // of the sigmoid: how centipawns become expectations
    double decay = 1e-10;       // towards the starting weights, for terms that are rarely seen
    int batch_size = 16'384;
};

// The same games in the same order give the same weights: one thread, one order of sums.
class EvaluationTuner {
  public:
    // `start` holds middlegame and endgame of each weight.
    EvaluationTuner(const TunerOptions& options, std::span<const double> start);

    // Takes the quiet positions of a scored game; returns how many. Every tenth game is held out.
    int add_game(const records::Record& record);
    std::size_t size() const { return trained_.size() + held_out_.size(); }

    // Visits all positions but those held out, in batches, with one step of Adam for each; returns the mean squared
    // error on the way.
    double run_epoch(double learning_rate);
    double held_out_error() const;

    const std::vector<double>& weights() const { return weights_; }

  private:
    struct Count {
        std::int16_t weight;
        std::int16_t times;
    };
    // Its counts are those of the linear terms (White's minus Black's), then of White's and of Black's danger.
    enum Group { kLinear, kWhiteDanger, kBlackDanger, kGroups };
    struct Position {
        std::size_t first;
        std::uint16_t ends[kGroups];  // after `first`
        std::int16_t fixed;           // what no weight changes, White's view
        float target;                 // White's expectation
        std::uint8_t phase;
        std::uint8_t scale[2];  // by the side that is ahead
    };
    // What evaluating found; the gradient needs it.
    struct Sums {
        double score = 0;
        double danger[2][2] = {};  // by color; middlegame, endgame
        double late_share = 0;     // how much of the endgame is in the score
    };

    std::span<const Count> counts(const Position& position, int group) const;
    void add(const chess::Board& board, double target, std::vector<Position>& positions);
    Sums evaluate(const Position& position) const;
    // Adds to `gradient_`; returns the squared error.
    double accumulate(const Position& position);
    void step(double learning_rate, double batch_size);

    TunerOptions options_;
    std::vector<Position> trained_, held_out_;
    std::vector<Count> counts_;
    std::vector<double> start_, weights_, gradient_, mean_, variance_;
    std::size_t games_ = 0;
    bool is_shuffled_ = false;
    double mean_correction_ = 1, variance_correction_ = 1;
};

}  // namespace philidor::train
