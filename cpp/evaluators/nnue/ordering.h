// In which order a network's numbers are kept. Any order gives the same integers; a good one lets the first layer skip
// more groups of four zeros, because numbers that are seldom on stand together.
#pragma once

#include <vector>

#include "evaluators/nnue/network.h"

namespace philidor::evaluators::nnue {

// For each place of an accumulator the number that is kept there, those that are on most often first. With pairwise
// products the two halves keep the same order. Without hidden layers nothing is skipped, and the order stays.
std::vector<int> order_by_activity(const Architecture& architecture, const Weights& weights);

}  // namespace philidor::evaluators::nnue
