// Where the evaluation's terms go: into a sum when playing, into a table of counts when tuning or explaining.
#pragma once

#include <cstdint>

#include "evaluators/handcrafted/score.h"
#include "evaluators/handcrafted/terms.h"
#include "evaluators/handcrafted/weights.h"
#include "games/chess/types.h"

namespace philidor::evaluators::handcrafted {

// White's view.
class Sum {
  public:
    void add(chess::Color color, Term term, int index = 0, int times = 1) {
        const Score weight = kWeights[kTermStart[int(term)] + index] * times;
        total_ += color == chess::kWhite ? weight : -weight;
    }
    void add_score(Score score) { total_ += score; }
    Score total() const { return total_; }

  private:
    Score total_ = 0;
};

// How often each weight was used, by color.
class Counts {
  public:
    void add(chess::Color color, Term term, int index = 0, int times = 1) {
        counts_[color][kTermStart[int(term)] + index] =
            std::int16_t(counts_[color][kTermStart[int(term)] + index] + times);
    }
    int of(chess::Color color, int weight) const { return counts_[color][weight]; }
    Score total() const {
        Score total = 0;
        for (int i = 0; i < kWeightCount; ++i)
            total += (counts_[chess::kWhite][i] - counts_[chess::kBlack][i]) * kWeights[i];
        return total;
    }

  private:
    std::int16_t counts_[2][kWeightCount] = {};
};

}  // namespace philidor::evaluators::handcrafted
