// What an NNUE network makes of its sums, forwards and backwards: the CPU's twin of train/torch/nnue_model.py.
//
// Torch goes over the numbers of a batch once for each small operation, and through all sets of layers; here a
// position's numbers stay in the nearest cache, and only the layers that judge it are computed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "evaluators/nnue/architecture.h"

namespace philidor::train {

// A layer of all sets: weights [sets, outputs, inputs] and biases [sets, outputs].
struct TrainedLayer {
    const float* weights;
    const float* biases;
    std::size_t sets;
    std::size_t outputs;
    std::size_t inputs;
};

// Where the gradients of a layer go; they are added to what is there.
struct LayerGradient {
    float* weights;
    float* biases;
};

struct TrainedLayers {
    evaluators::nnue::Activation activation;
    std::size_t width;
    const float* biases;  // of the sums, [width]
    std::vector<TrainedLayer> layers;

    std::size_t first_inputs() const {
        return activation == evaluators::nnue::Activation::kPairwise ? width : 2 * width;
    }
    // Throws std::invalid_argument if a layer does not fit the next, or the last has more than one output.
    void check() const;
};

// Sums of columns without their biases, [2 * count, width]: first the sides to move, then the others. `sets` says which
// layers judge a position.
template <typename Sum>
struct Sums {
    Sum* values;
    const std::uint8_t* sets;
    std::size_t count;
};

// Writes the last layer's number of each position to `found`.
void judge_sums(const TrainedLayers& network, const Sums<const float>& sums, float* found, int threads);

// Takes the gradient of each position's number, [count], adds to those of biases and layers, and turns the sums into
// their own gradients. The result does not depend on the number of threads.
void differentiate_sums(const TrainedLayers& network, const Sums<float>& sums, const float* gradient,
                        float* bias_gradient, const std::vector<LayerGradient>& layer_gradients, int threads);

}  // namespace philidor::train
