#include "evaluators/tower/layers.h"

#include <cmath>
#include <stdexcept>
#include <string>

namespace philidor::evaluators::tower {

namespace {

// The place of a weight in Matrix::weights.
std::size_t place(int output, int input, int inputs) {
    return (std::size_t(output / kGroup) * std::size_t(inputs) + std::size_t(input)) * kGroup +
           std::size_t(output % kGroup);
}

void check(const Weights& weights, int size) {
    const std::size_t wanted = std::size_t(weights.outputs) * std::size_t(weights.inputs) * std::size_t(size * size);
    if (weights.outputs < 1 || weights.inputs < 1 || weights.numbers.size() != wanted ||
        weights.biases.size() != std::size_t(weights.outputs))
        throw std::invalid_argument("a layer of " + std::to_string(weights.outputs) + " outputs needs " +
                                    std::to_string(wanted) + " weights and as many biases as outputs");
}

Floats padded_biases(const Weights& weights) {
    Floats biases(std::size_t(padded(weights.outputs)));
    for (std::size_t i = 0; i < weights.biases.size(); ++i) biases[i] = weights.biases[i];
    return biases;
}

}  // namespace

DenseLayer::DenseLayer(const Weights& weights, bool boards) : outputs_(weights.outputs) {
    check(weights, 1);
    if (boards && weights.inputs % kSquares != 0) throw std::invalid_argument("planes have 64 squares");
    const int channels = boards ? weights.inputs / kSquares : 0;
    inputs_ = boards ? kSquares * padded(channels) : padded(weights.inputs);
    weights_ = Floats(std::size_t(inputs_) * std::size_t(padded_outputs()));
    biases_ = padded_biases(weights);
    for (int output = 0; output < weights.outputs; ++output)
        for (int input = 0; input < weights.inputs; ++input) {
            const int row = boards ? input % kSquares * padded(channels) + input / kSquares : input;
            weights_[place(output, row, inputs_)] =
                weights.numbers[std::size_t(output) * std::size_t(weights.inputs) + std::size_t(input)];
        }
}

// G * kernel * G^T for each pair of channels, where a row of G is (1, p, p^2) / N(p) for the points of kernels_body.h.
ConvLayer::ConvLayer(const Weights& weights) : inputs_(padded(weights.inputs)), outputs_(weights.outputs) {
    check(weights, 3);
    const double a = std::sqrt(0.5), b = std::sqrt(2.0);
    const double points[5] = {0, a, -a, b, -b};
    const double norms[5] = {1.0, -1.5, -1.5, 6.0, 6.0};  // the products of the differences to the other points
    double g[6][3] = {};
    for (int i = 0; i < 5; ++i)
        for (int k = 0; k < 3; ++k) g[i][k] = std::pow(points[i], k) / norms[i];
    g[5][2] = 1.0;
    const std::size_t plane = std::size_t(inputs_) * std::size_t(outputs());
    weights_ = Floats(kTransformed * plane);
    biases_ = padded_biases(weights);
    const float* kernel = weights.numbers.data();
    for (int output = 0; output < weights.outputs; ++output)
        for (int input = 0; input < weights.inputs; ++input, kernel += 9)
            for (int i = 0; i < 6; ++i)
                for (int j = 0; j < 6; ++j) {
                    double sum = 0;
                    for (int y = 0; y < 3; ++y)
                        for (int x = 0; x < 3; ++x) sum += g[i][y] * double(kernel[3 * y + x]) * g[j][x];
                    weights_[std::size_t(6 * i + j) * plane + place(output, input, inputs_)] = float(sum);
                }
}

}  // namespace philidor::evaluators::tower
