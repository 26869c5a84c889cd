// From a root's visits to what is learned and what is played; the twin of src/philidor/selfplay/pool/choice.py.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/puct/tree.h"
#include "search/random.h"

namespace philidor::selfplay {

// What the parts of a Gumbel search's policy sum up to, about.
inline constexpr int kPolicyParts = 60000;

// By place: visits without those that teach nothing, or the improved policy in parts.
std::vector<std::uint32_t> target_counts(const search::PuctTree& tree, bool prune);

// The improved policy of a tree that PUCT has grown, in parts: a win takes it all, and what loses has none of it.
std::vector<std::uint32_t> improved_counts(const search::PuctTree& tree, double c_scale);

// A place, in proportion to counts ** (1 / temperature).
int draw_place(std::span<const std::uint32_t> counts, double temperature, search::SplitMix64& random);

// Priors from logits, one after the other in double precision; `weights` is room to work in.
void softmax(std::span<const float> logits, std::vector<double>& weights, std::vector<float>& priors);

}  // namespace philidor::selfplay
