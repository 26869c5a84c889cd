// Made-up NNUE networks for the tests.
#pragma once

#include <memory>
#include <random>
#include <vector>

#include "evaluators/nnue/choice.h"
#include "evaluators/nnue/network.h"

namespace philidor::evaluators::nnue {

// The weights in a file's order, and the network of them for any kernels.
struct MadeUp {
    Architecture architecture;
    std::vector<std::int16_t> feature_biases, feature_weights;
    struct Layer {
        std::vector<std::int32_t> biases;
        std::vector<std::int8_t> weights;
    };
    std::vector<std::vector<Layer>> stacks;

    std::shared_ptr<const Network> network(const Kernels& kernels) const {
        Weights weights{feature_biases.data(), feature_weights.data(), {}};
        for (const std::vector<Layer>& stack : stacks) {
            weights.stacks.emplace_back();
            for (const Layer& layer : stack)
                weights.stacks.back().push_back({layer.biases.data(), layer.weights.data()});
        }
        return std::make_shared<const Network>(architecture, weights, kernels);
    }
};

// Weights of the size that training gives, or, to provoke overflows, over the whole range of their types.
inline MadeUp made_up(const Architecture& architecture, bool is_extreme, unsigned seed = 1) {
    std::mt19937 random(seed);
    const auto fill = [&](auto& values, std::size_t count, int size) {
        using T = typename std::decay_t<decltype(values)>::value_type;
        values.resize(count);
        for (T& value : values) value = is_extreme ? T(random()) : T(int(random() % unsigned(2 * size + 1)) - size);
    };
    MadeUp made{architecture, {}, {}, {}};
    const std::size_t width = std::size_t(architecture.width);
    fill(made.feature_biases, width, 90);
    fill(made.feature_weights, width * std::size_t(architecture.features.count()), 40);
    for (int bucket = 0; bucket < architecture.output_buckets; ++bucket) {
        made.stacks.emplace_back();
        int inputs = architecture.first_inputs();
        std::vector<int> sizes = architecture.hidden;
        sizes.push_back(1);
        for (int outputs : sizes) {
            made.stacks.back().emplace_back();
            fill(made.stacks.back().back().biases, std::size_t(outputs), 4000);
            fill(made.stacks.back().back().weights, std::size_t(outputs) * std::size_t(inputs), 40);
            inputs = outputs;
        }
    }
    return made;
}

inline Features halfkp(int black_mask) {
    Features features;
    for (int i = 0; i < 64; ++i) features.buckets[std::size_t(i)] = i;
    features.black_mask = black_mask, features.has_kings = false, features.spare = 1;
    return features;
}

inline Features mirrored(int buckets) {
    Features features;
    for (int i = 0; i < 64; ++i) features.buckets[std::size_t(i)] = std::min(i / 8, buckets - 1);
    features.is_mirrored = true;
    return features;
}

// One of each kind: Stockfish 12's, Fat Fritz 2's, squared and pairwise ones, and sizes that need padding.
inline std::vector<Architecture> test_architectures() {
    return {
        {halfkp(63), 256, Activation::kClipped, {32, 32}, 1, 125, 3328},
        {halfkp(56), 512, Activation::kClipped, {16, 16}, 1, 1, 16},
        {mirrored(4), 256, Activation::kSquared, {}, 8, 400, 255 * 64},
        {mirrored(1), 64, Activation::kSquared, {}, 1, 1, 1},
        {mirrored(3), 128, Activation::kPairwise, {16, 32}, 8, 1, 1},
        {mirrored(2), 64, Activation::kClipped, {7, 33, 50}, 3, 1, 1},
        {mirrored(2), 192, Activation::kClipped, {}, 1, 1, 1},
    };
}

}  // namespace philidor::evaluators::nnue
