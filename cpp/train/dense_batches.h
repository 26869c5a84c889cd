// Training positions as the small float networks see them.
#pragma once

#include "train/position_set.h"

namespace philidor::train {

// Giraffe's features [n][kFeatures], with score and result in the side to move's view.
struct GiraffeBatch {
    float* features;
    float* score;
    float* result;
};
void fill(const PositionSet& set, std::span<const std::uint32_t> indices, const GiraffeBatch& batch, int threads);

// DeepChess's inputs [n][kMaxActive] that are on, the rest kInputs, with score and result in White's view.
struct DeepChessBatch {
    std::int32_t* inputs;
    float* score;
    float* result;
};
void fill(const PositionSet& set, std::span<const std::uint32_t> indices, const DeepChessBatch& batch, int threads);

}  // namespace philidor::train
