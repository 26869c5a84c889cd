#include "train/evaluation_tuner.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include "evaluators/handcrafted/endgames.h"
#include "records/chess_record.h"

namespace philidor::train {

namespace hce = evaluators::handcrafted;

namespace {

double expectation(double score, double scale) { return 1.0 / (1.0 + std::exp(-score * scale)); }

}  // namespace

EvaluationTuner::EvaluationTuner(const TunerOptions& options) : options_(options) {
    for (hce::Score weight : hce::kWeights) {
        weights_.push_back(hce::middlegame(weight));
        weights_.push_back(hce::endgame(weight));
    }
    start_ = weights_;
    mean_.assign(weights_.size(), 0.0);
    variance_.assign(weights_.size(), 0.0);
}

int EvaluationTuner::add_game(const records::Record& record) {
    if (record.scores.empty() || record.result == records::Result::kUnknown) return 0;
    const std::size_t before = positions_.size();
    const double result = record.result == records::Result::kFirstWins ? 1.0
                          : record.result == records::Result::kDraw    ? 0.5
                                                                       : 0.0;
    int ply = 0, wait = 0;
    records::replay(record, [&](const chess::Board& board, chess::Move move) {
        const int score = record.scores[std::size_t(ply++)];
        // Quiet: nothing hangs in the mind of the player, who is not in check and takes nothing.
        if (ply <= options_.skip_plies || --wait > 0 || score == records::kNoScore ||
            std::abs(score) > options_.max_score || board.in_check() || board.is_capture(move) || move.is_promotion() ||
            board.gives_check(move))
            return;
        wait = options_.sample_every;
        const double white = expectation(board.to_move() == chess::kWhite ? score : -score, options_.scale);
        add(board, options_.result_share * result + (1 - options_.result_share) * white);
    });
    return int(positions_.size() - before);
}

void EvaluationTuner::add(const chess::Board& board, double target) {
    const hce::Counts counts = hce::count_terms(board);
    const int scale = hce::endgame_scale(board, hce::endgame(counts.total()));
    if (scale == 0) return;
    Position position{std::uint32_t(counts_.size()),
                      0,
                      std::int16_t(hce::bare_king_bonus(board)),
                      float(target),
                      std::uint8_t(hce::game_phase(board)),
                      std::uint8_t(scale)};
    for (int i = 0; i < hce::kWeightCount; ++i) {
        const int times = counts.of(chess::kWhite, i) - counts.of(chess::kBlack, i);
        if (times == 0) continue;
        counts_.push_back({std::int16_t(i), std::int16_t(times)});
        ++position.length;
    }
    positions_.push_back(position);
}

double EvaluationTuner::evaluate(const Position& position) const {
    double middlegame = 0, endgame = 0;
    for (std::uint32_t i = position.first; i < position.first + position.length; ++i) {
        middlegame += counts_[i].times * weights_[std::size_t(2 * counts_[i].weight)];
        endgame += counts_[i].times * weights_[std::size_t(2 * counts_[i].weight + 1)];
    }
    const double late = endgame * position.scale / hce::kFullScale;
    return (middlegame * position.phase + late * (hce::kFullPhase - position.phase)) / hce::kFullPhase + position.fixed;
}

double EvaluationTuner::accumulate(std::size_t begin, std::size_t end, std::vector<double>& gradient) const {
    double loss = 0;
    for (std::size_t index = begin; index < end; ++index) {
        if (is_held_out(index)) continue;
        const Position& position = positions_[index];
        const double predicted = expectation(evaluate(position), options_.scale);
        const double error = predicted - double(position.target);
        loss += error * error;
        const double slope = 2 * error * predicted * (1 - predicted) * options_.scale;
        const double early = slope * position.phase / hce::kFullPhase;
        const double late =
            slope * position.scale / hce::kFullScale * (hce::kFullPhase - position.phase) / hce::kFullPhase;
        for (std::uint32_t i = position.first; i < position.first + position.length; ++i) {
            gradient[std::size_t(2 * counts_[i].weight)] += early * counts_[i].times;
            gradient[std::size_t(2 * counts_[i].weight + 1)] += late * counts_[i].times;
        }
    }
    return loss;
}

double EvaluationTuner::step(double learning_rate) {
    // 1. The gradient, in parts.
    const std::size_t parts = std::size_t(std::max(options_.threads, 1)), share = positions_.size() / parts + 1;
    std::vector<std::vector<double>> gradients(parts, std::vector<double>(weights_.size(), 0.0));
    std::vector<double> losses(parts, 0.0);
    std::vector<std::thread> workers;
    for (std::size_t part = 0; part < parts; ++part)
        workers.emplace_back([&, part] {
            losses[part] = accumulate(std::min(part * share, positions_.size()),
                                      std::min((part + 1) * share, positions_.size()), gradients[part]);
        });
    for (std::thread& worker : workers) worker.join();
    // 2. Adam, with a pull towards the start.
    ++steps_;
    const double trained = double(positions_.size()) * (kHoldOut - 1) / kHoldOut;
    double loss = 0;
    for (double part : losses) loss += part;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
        double slope = 2 * options_.decay * (weights_[i] - start_[i]);
        for (const std::vector<double>& gradient : gradients) slope += gradient[i] / trained;
        mean_[i] = 0.9 * mean_[i] + 0.1 * slope;
        variance_[i] = 0.999 * variance_[i] + 0.001 * slope * slope;
        const double step_mean = mean_[i] / (1 - std::pow(0.9, steps_)),
                     step_variance = variance_[i] / (1 - std::pow(0.999, steps_));
        weights_[i] -= learning_rate * step_mean / (std::sqrt(step_variance) + 1e-12);
    }
    return loss / trained;
}

double EvaluationTuner::validation_error() const {
    double loss = 0;
    std::size_t seen = 0;
    for (std::size_t index = 0; index < positions_.size(); index += kHoldOut, ++seen) {
        const double error =
            expectation(evaluate(positions_[index]), options_.scale) - double(positions_[index].target);
        loss += error * error;
    }
    return seen ? loss / double(seen) : 0.0;
}

}  // namespace philidor::train
