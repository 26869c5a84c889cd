// NNUE arithmetic in plain C++: for CPUs without vector instructions that we know, and to check the others against.
#include "evaluators/nnue/kernels.h"

namespace philidor::evaluators::nnue {
namespace {

int clamp(int value, int most) { return value < 0 ? 0 : value > most ? most : value; }

void update(const std::int16_t* from, std::int16_t* to, const Changes& changes, int width) {
    for (int i = 0; i < width; ++i) {
        unsigned sum = unsigned(from[i]);
        for (int k = 0; k < changes.added_count; ++k) sum += unsigned(changes.added[k][i]);
        for (int k = 0; k < changes.removed_count; ++k) sum -= unsigned(changes.removed[k][i]);
        to[i] = std::int16_t(sum);
    }
}

std::int32_t propagate(const StackView& stack, const std::uint8_t* inputs) {
    std::uint8_t bytes[2][kMaxLayer] = {};
    for (int i = 0; i < stack.hidden_count; ++i) {
        const LayerView& layer = stack.hidden[i];
        std::uint32_t sums[kMaxLayer];
        for (int o = 0; o < layer.outputs; ++o) sums[o] = std::uint32_t(layer.biases[o]);
        const std::int8_t* weights = layer.weights;
        for (int k = 0; k < layer.inputs; k += 4, weights += 4 * layer.outputs) {
            const int a = inputs[k], b = inputs[k + 1], c = inputs[k + 2], d = inputs[k + 3];
            if (!(a | b | c | d)) continue;
            for (int o = 0; o < layer.outputs; ++o) {
                const std::int8_t* four = weights + 4 * o;
                sums[o] += std::uint32_t(a * four[0] + b * four[1] + c * four[2] + d * four[3]);
            }
        }
        for (int o = 0; o < layer.outputs; ++o) bytes[i % 2][o] = std::uint8_t(clamp(std::int32_t(sums[o]) >> 6, 127));
        inputs = bytes[i % 2];
    }
    std::uint32_t sum = std::uint32_t(stack.output_bias);
    for (int k = 0; k < stack.output_inputs; ++k) sum += std::uint32_t(inputs[k] * stack.output_weights[k]);
    return std::int32_t(sum);
}

std::int32_t clipped(const StackView& stack, const std::int16_t* own, const std::int16_t* other, int width) {
    std::uint8_t bytes[2 * kMaxWidth];
    for (int i = 0; i < width; ++i) {
        bytes[i] = std::uint8_t(clamp(own[i], 127));
        bytes[width + i] = std::uint8_t(clamp(other[i], 127));
    }
    return propagate(stack, bytes);
}

std::int32_t squared(const StackView& stack, const std::int16_t* own, const std::int16_t* other, int width) {
    std::uint32_t sum = 0;
    for (int i = 0; i < width; ++i) {
        const int a = clamp(own[i], 255), b = clamp(other[i], 255);
        sum +=
            std::uint32_t(a * a * stack.squared_weights[i]) + std::uint32_t(b * b * stack.squared_weights[width + i]);
    }
    return std::int32_t(std::uint32_t(std::int32_t(sum) / 255) + std::uint32_t(stack.output_bias));
}

std::int32_t pairwise(const StackView& stack, const std::int16_t* own, const std::int16_t* other, int width) {
    std::uint8_t bytes[kMaxWidth];
    const int half = width / 2;
    for (int i = 0; i < half; ++i) {
        bytes[i] = std::uint8_t(clamp(own[i], 255) * clamp(own[half + i], 255) >> 9);
        bytes[half + i] = std::uint8_t(clamp(other[i], 255) * clamp(other[half + i], 255) >> 9);
    }
    return propagate(stack, bytes);
}

}  // namespace

const Kernels kPlainKernels{"plain", update, clipped, squared, pairwise};

}  // namespace philidor::evaluators::nnue
