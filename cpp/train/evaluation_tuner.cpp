#include "train/evaluation_tuner.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "evaluators/handcrafted/endgames.h"
#include "evaluators/handcrafted/evaluation.h"
#include "records/chess_record.h"

namespace philidor::train {

namespace hce = evaluators::handcrafted;

namespace {

constexpr std::size_t kHoldOut = 10;
constexpr double kMeanMemory = 0.9, kVarianceMemory = 0.999;

double expectation(double score, double scale) { return 1.0 / (1.0 + std::exp(-score * scale)); }

// std::shuffle may differ between standard libraries.
template <class T>
void shuffle(std::vector<T>& items) {
    std::mt19937_64 random(1);
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random() % i]);
}

}  // namespace

EvaluationTuner::EvaluationTuner(const TunerOptions& options, std::span<const double> start)
    : options_(options),
      start_(start.begin(), start.end()),
      weights_(start_),
      gradient_(start_.size()),
      mean_(start_.size()),
      variance_(start_.size()) {}

int EvaluationTuner::add_game(const records::Record& record) {
    if (record.scores.empty() || record.result == records::Result::kUnknown) return 0;
    std::vector<Position>& positions = games_++ % kHoldOut == 0 ? held_out_ : trained_;
    const std::size_t before = positions.size();
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
        add(board, options_.result_share * result + (1 - options_.result_share) * white, positions);
    });
    return int(positions.size() - before);
}

void EvaluationTuner::add(const chess::Board& board, double target, std::vector<Position>& positions) {
    const hce::Counts counts = hce::count_terms(board);
    Position position{};
    position.first = counts_.size();
    const auto take = [&](Group group, int begin, int end, auto times_of) {
        for (int i = begin; i < end; ++i)
            if (const int times = times_of(i)) counts_.push_back({std::int16_t(i), std::int16_t(times)});
        position.ends[group] = std::uint16_t(counts_.size() - position.first);
    };
    using chess::kBlack, chess::kWhite;
    take(kLinear, 0, hce::kDangerStart, [&](int i) { return counts.of(kWhite, i) - counts.of(kBlack, i); });
    take(kWhiteDanger, hce::kDangerStart, hce::kWeightCount, [&](int i) { return counts.of(kWhite, i); });
    take(kBlackDanger, hce::kDangerStart, hce::kWeightCount, [&](int i) { return counts.of(kBlack, i); });
    position.fixed = std::int16_t(hce::bare_king_bonus(board));
    position.target = float(target);
    position.phase = std::uint8_t(hce::game_phase(board));
    for (chess::Color color : {kWhite, kBlack}) position.scale[color] = std::uint8_t(hce::endgame_scale(board, color));
    positions.push_back(position);
}

std::span<const EvaluationTuner::Count> EvaluationTuner::counts(const Position& position, int group) const {
    const std::size_t begin = group == 0 ? 0 : position.ends[group - 1];
    return {counts_.data() + position.first + begin, position.ends[group] - begin};
}

// hce::verdict in real numbers.
EvaluationTuner::Sums EvaluationTuner::evaluate(const Position& position) const {
    Sums sums;
    const auto sum = [&](int group, double& middlegame, double& endgame) {
        for (const Count& count : counts(position, group)) {
            middlegame += count.times * weights_[std::size_t(2 * count.weight)];
            endgame += count.times * weights_[std::size_t(2 * count.weight + 1)];
        }
    };
    double early = 0, late = 0;
    sum(kLinear, early, late);
    for (int color : {0, 1}) {
        double (&danger)[2] = sums.danger[color];
        sum(kWhiteDanger + color, danger[0], danger[1]);
        early += (color == 0 ? 1 : -1) * hce::danger_middlegame(danger[0]);
        late += (color == 0 ? 1 : -1) * hce::danger_endgame(danger[1]);
    }
    const int ahead = late >= 0 ? 0 : 1;
    if (position.scale[ahead] == 0) return sums;
    const double phase = double(position.phase) / hce::kFullPhase;
    sums.late_share = (1 - phase) * position.scale[ahead] / hce::kFullScale;
    sums.score = early * phase + late * sums.late_share + position.fixed;
    return sums;
}

double EvaluationTuner::accumulate(const Position& position) {
    const Sums sums = evaluate(position);
    const double predicted = expectation(sums.score, options_.scale);
    const double error = predicted - double(position.target);
    const double slope = 2 * error * predicted * (1 - predicted) * options_.scale;
    const double early = slope * position.phase / hce::kFullPhase;
    const double late = slope * sums.late_share;
    const auto add = [&](int group, double middlegame, double endgame) {
        for (const Count& count : counts(position, group)) {
            gradient_[std::size_t(2 * count.weight)] += middlegame * count.times;
            gradient_[std::size_t(2 * count.weight + 1)] += endgame * count.times;
        }
    };
    add(kLinear, early, late);
    for (int color : {0, 1}) {
        const int sign = color == 0 ? 1 : -1;
        add(kWhiteDanger + color, sign * early * hce::danger_middlegame_slope(sums.danger[color][0]),
            sign * late * hce::danger_endgame_slope(sums.danger[color][1]));
    }
    return error * error;
}

void EvaluationTuner::step(double learning_rate, double batch_size) {
    mean_correction_ *= kMeanMemory, variance_correction_ *= kVarianceMemory;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
        const double slope = gradient_[i] / batch_size + 2 * options_.decay * (weights_[i] - start_[i]);
        mean_[i] = kMeanMemory * mean_[i] + (1 - kMeanMemory) * slope;
        variance_[i] = kVarianceMemory * variance_[i] + (1 - kVarianceMemory) * slope * slope;
        const double mean = mean_[i] / (1 - mean_correction_), variance = variance_[i] / (1 - variance_correction_);
        weights_[i] -= learning_rate * mean / (std::sqrt(variance) + 1e-12);
    }
    std::fill(gradient_.begin(), gradient_.end(), 0.0);
}

double EvaluationTuner::run_epoch(double learning_rate) {
    if (!is_shuffled_) shuffle(trained_);
    is_shuffled_ = true;
    double loss = 0;
    const std::size_t size = std::size_t(options_.batch_size);
    for (std::size_t begin = 0; begin < trained_.size(); begin += size) {
        const std::size_t end = std::min(begin + size, trained_.size());
        for (std::size_t i = begin; i < end; ++i) loss += accumulate(trained_[i]);
        step(learning_rate, double(end - begin));
    }
    return trained_.empty() ? 0.0 : loss / double(trained_.size());
}

double EvaluationTuner::held_out_error() const {
    double loss = 0;
    for (const Position& position : held_out_) {
        const double error = expectation(evaluate(position).score, options_.scale) - double(position.target);
        loss += error * error;
    }
    return held_out_.empty() ? 0.0 : loss / double(held_out_.size());
}

}  // namespace philidor::train
