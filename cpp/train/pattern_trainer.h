// Learns AlphaGo's linear policies from recorded games of Go: which shapes occur, then their weights by stochastic
// gradient descent with a rate for each weight (Adagrad), on the probability of the move that was played.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "evaluators/patterns/policy.h"
#include "games/go/go.h"
#include "train/game_index.h"

namespace philidor::train {

// A walk through games reads one game a visit and takes one of `passes` of its positions.
struct PatternWalk {
    int passes = 4;
    std::uint64_t seed = 1;
    bool is_shuffled = true;  // or else in the order of the files
};

// What came of some positions.
struct PatternTally {
    std::uint64_t positions = 0;
    std::uint64_t hits = 0;  // the move played was the likeliest
    double loss = 0;         // sum of -log p of the move played
};

class PatternTrainer {
  public:
    using Starts = std::unordered_map<std::string, games::Go>;  // the normal start is the empty text

    // Throws std::invalid_argument without a normal start.
    PatternTrainer(Starts starts, bool is_tree);

    // Counts the shapes at the moves of these visits.
    void count(const GameIndex& games, const PatternWalk& walk, std::uint64_t first, std::uint64_t end);
    // Takes the shapes that were counted often enough, with weights of 0.
    void choose(std::uint32_t squares, std::uint32_t responses, std::uint32_t diamonds);
    // Goes on with a policy and its sums of squared gradients. Throws std::invalid_argument.
    void restore(evaluators::patterns::Shapes shapes, std::vector<float> weights, std::vector<float> squares);

    // Learns from the positions of these visits, each once. Both throw std::invalid_argument before there is a policy.
    PatternTally learn(const GameIndex& games, const PatternWalk& walk, std::uint64_t first, std::uint64_t end,
                       float rate);
    PatternTally measure(const GameIndex& games, const PatternWalk& walk, std::uint64_t first, std::uint64_t end);

    const evaluators::patterns::Shapes& shapes() const { return book().shapes(); }
    const std::vector<float>& weights() const { return weights_; }
    const std::vector<float>& gradient_squares() const { return squares_; }

  private:
    using Counts = std::unordered_map<std::uint64_t, std::uint32_t>;

    const evaluators::patterns::Book& book() const;
    // Calls `take(scene, point played)` for the positions of a visit.
    template <typename Take>
    void visit(const GameIndex& games, const PatternWalk& walk, std::uint64_t number, Take&& take);
    PatternTally judge(const evaluators::patterns::Scene& scene, games::go::Point played);
    void correct(games::go::Point played, float rate);

    Starts starts_;
    bool is_tree_;
    Counts square_counts_, response_counts_, diamond_counts_;
    std::unique_ptr<const evaluators::patterns::Book> book_;
    std::vector<float> weights_, squares_;
    records::Record record_;
    std::vector<evaluators::patterns::Book::Move> moves_;
    std::vector<float> chances_;
};

}  // namespace philidor::train
