// What trains NNUE networks on a CPU: sums and layers that threads share. That the numbers are right is tested against
// torch in Python; run under the sanitizers, these are the reads and writes of the threads.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "train/nnue_layers.h"
#include "train/row_sums.h"

using namespace philidor;
using namespace philidor::train;
using evaluators::nnue::Activation;

namespace {

std::vector<float> random_numbers(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> number(-0.3F, 0.3F);
    std::vector<float> numbers(count);
    for (float& each : numbers) each = number(random);
    return numbers;
}

// A small network, and gradients of all of it.
struct Trained {
    static constexpr std::size_t kWidth = 24, kSets = 3, kOutputs[] = {5, 1};
    std::vector<std::vector<float>> weights, biases, weight_gradients, bias_gradients;
    std::vector<float> sum_biases = random_numbers(kWidth, 1), sum_bias_gradient = std::vector<float>(kWidth);
    TrainedLayers network;
    std::vector<LayerGradient> gradients;

    explicit Trained(Activation activation) {
        network = {activation, kWidth, sum_biases.data(), {}};
        std::size_t inputs = network.first_inputs();
        for (std::size_t outputs : kOutputs) {
            weights.push_back(random_numbers(kSets * outputs * inputs, unsigned(inputs)));
            biases.push_back(random_numbers(kSets * outputs, unsigned(outputs)));
            weight_gradients.emplace_back(kSets * outputs * inputs);
            bias_gradients.emplace_back(kSets * outputs);
            inputs = outputs;
        }
        for (std::size_t layer = 0; layer < weights.size(); ++layer) {
            const std::size_t outputs = kOutputs[layer];
            network.layers.push_back(
                {weights[layer].data(), biases[layer].data(), kSets, outputs, weights[layer].size() / kSets / outputs});
            gradients.push_back({weight_gradients[layer].data(), bias_gradients[layer].data()});
        }
        network.check();
    }
};

}  // namespace

TEST_CASE("sums of rows and their gradients do not depend on the number of threads") {
    constexpr std::size_t kCount = 1200, kLength = 7, kRows = 40;
    std::mt19937 random(3);
    std::vector<std::int32_t> indices(kCount * kLength);
    for (std::int32_t& index : indices) index = std::int32_t(random() % (kRows + 5));  // some lists end early
    for (const std::size_t width : {std::size_t(64), std::size_t(70), std::size_t(200)}) {
        const RowLists lists{indices.data(), kCount, kLength, kRows, width};
        const std::vector<float> table = random_numbers(kRows * width, 4);
        std::vector<float> sums(kCount * width, 9.0F), shared(kCount * width, 9.0F);
        sum_rows(lists, table.data(), sums.data(), 1);
        sum_rows(lists, table.data(), shared.data(), 3);
        CHECK(sums == shared);
        std::vector<float> plain(width);
        for (std::size_t k = 0; k < kLength && indices[k] < std::int32_t(kRows); ++k)
            for (std::size_t column = 0; column < width; ++column)
                plain[column] += table[std::size_t(indices[k]) * width + column];
        CHECK(std::equal(plain.begin(), plain.end(), sums.begin()));
        std::vector<float> one(kRows * width), three(kRows * width);
        add_to_rows(lists, sums.data(), one.data(), 1);
        add_to_rows(lists, sums.data(), three.data(), 3);
        CHECK(one == three);
    }
}

TEST_CASE("layers and their gradients do not depend on the number of threads") {
    constexpr std::size_t kCount = 700;
    const std::vector<float> values = random_numbers(2 * kCount * Trained::kWidth, 6);
    const std::vector<float> gradient = random_numbers(kCount, 7);
    std::vector<std::uint8_t> sets(kCount);
    for (std::size_t i = 0; i < kCount; ++i) sets[i] = std::uint8_t(i % Trained::kSets);
    for (const Activation activation : {Activation::kClipped, Activation::kSquared, Activation::kPairwise}) {
        std::vector<Trained> trained(2, Trained(activation));
        std::vector<std::vector<float>> found(2, std::vector<float>(kCount)), sums(2, values);
        for (std::size_t i = 0; i < 2; ++i) {
            Trained fresh(activation);
            const int threads = i == 0 ? 1 : 3;
            judge_sums(fresh.network, {values.data(), sets.data(), kCount}, found[i].data(), threads);
            differentiate_sums(fresh.network, {sums[i].data(), sets.data(), kCount}, gradient.data(),
                               fresh.sum_bias_gradient.data(), fresh.gradients, threads);
            trained[i].weight_gradients = fresh.weight_gradients;
            trained[i].bias_gradients = fresh.bias_gradients;
            trained[i].sum_bias_gradient = fresh.sum_bias_gradient;
        }
        CHECK(found[0] == found[1]);
        CHECK(sums[0] == sums[1]);
        CHECK(sums[0] != values);
        CHECK(trained[0].weight_gradients == trained[1].weight_gradients);
        CHECK(trained[0].bias_gradients == trained[1].bias_gradients);
        CHECK(trained[0].sum_bias_gradient == trained[1].sum_bias_gradient);
        // The last bias only shifts the numbers: its gradient is theirs.
        float total = 0;
        for (std::size_t i = 0; i < kCount; i += Trained::kSets) total += gradient[i];
        CHECK(trained[0].bias_gradients.back()[0] == doctest::Approx(total).epsilon(1e-3));
    }
}
