// The kernels of convolutional networks against sums written out.
#include <doctest/doctest.h>
#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "evaluators/tower/choice.h"
#include "evaluators/tower/layers.h"
#include "evaluators/tower/network.h"

using namespace philidor::evaluators::tower;

namespace {

std::vector<float> random_numbers(std::size_t count, unsigned seed) {
    std::mt19937 generator(seed);
    std::normal_distribution<float> normal(0.0f, 0.3f);
    std::vector<float> numbers(count);
    for (float& number : numbers) number = normal(generator);
    return numbers;
}

Floats aligned(std::span<const float> numbers) {
    Floats copy(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) copy[i] = numbers[i];
    return copy;
}

// One output of a 3x3 convolution over [64][inputs], squares off the board being zero.
double convolved(const Weights& weights, const float* board, int square, int output) {
    double sum = weights.biases[std::size_t(output)];
    for (int input = 0; input < weights.inputs; ++input)
        for (int y = -1; y <= 1; ++y)
            for (int x = -1; x <= 1; ++x) {
                const int rank = square / 8 + y, file = square % 8 + x;
                if (rank < 0 || rank > 7 || file < 0 || file > 7) continue;
                const int place = ((output * weights.inputs + input) * 3 + y + 1) * 3 + x + 1;
                sum += double(weights.numbers[std::size_t(place)]) * board[(8 * rank + file) * weights.inputs + input];
            }
    return sum;
}

}  // namespace

TEST_CASE("convolutions of every instruction set are the sums they should be") {
    constexpr int kInputs = 32, kOutputs = 48, kBoards = 5;
    const auto numbers = random_numbers(kOutputs * kInputs * 9, 1), biases = random_numbers(kOutputs, 2);
    const Weights weights{numbers, biases, kOutputs, kInputs};
    const ConvLayer layer(weights);
    const Floats boards = aligned(random_numbers(kBoards * 64 * kInputs, 3));
    const Floats skip = aligned(random_numbers(kBoards * 64 * kOutputs, 4));
    for (const Kernels* kernels : runnable_kernels()) {
        CAPTURE(kernels->name);
        Floats scratch(std::size_t(scratch_size(kInputs, kOutputs))), out(kBoards * 64 * kOutputs);
        kernels->convolve(layer.view(), boards.data(), kBoards, skip.data(), Activation::kRelu, scratch.data(),
                          out.data());
        double worst = 0;
        for (int board = 0; board < kBoards; ++board)
            for (int square = 0; square < 64; ++square)
                for (int output = 0; output < kOutputs; ++output) {
                    const int at = (board * 64 + square) * kOutputs + output;
                    const double sum = convolved(weights, boards.data() + board * 64 * kInputs, square, output);
                    worst =
                        std::max(worst, std::abs(std::max(0.0, sum + skip.data()[at]) - double(out[std::size_t(at)])));
                }
        CHECK(worst < 2e-5);
    }
}

TEST_CASE("matrices of any number of rows are multiplied, and mish is mish") {
    constexpr int kInputs = 16, kOutputs = 21, kRows = 23;
    const auto numbers = random_numbers(kOutputs * kInputs, 5), biases = random_numbers(kOutputs, 6);
    const DenseLayer layer({numbers, biases, kOutputs, kInputs}, false);
    const Floats rows = aligned(random_numbers(kRows * kInputs, 7));
    for (const Kernels* kernels : runnable_kernels())
        for (int count = 1; count <= kRows; ++count) {
            CAPTURE(kernels->name);
            CAPTURE(count);
            Floats out(std::size_t(count * layer.padded_outputs()));
            kernels->multiply(layer.view(), rows.data(), count, Activation::kMish, out.data());
            double worst = 0;
            for (int row = 0; row < count; ++row)
                for (int output = 0; output < kOutputs; ++output) {
                    double x = biases[std::size_t(output)];
                    for (int i = 0; i < kInputs; ++i)
                        x += double(numbers[std::size_t(output * kInputs + i)]) * rows.data()[row * kInputs + i];
                    const double mish = x * std::tanh(std::log1p(std::exp(x)));
                    worst = std::max(worst, std::abs(mish - out[std::size_t(row * layer.padded_outputs() + output)]));
                }
            CHECK(worst < 2e-6);
        }
}

TEST_CASE("each head answers as if it were the only one, for any number of boards and threads") {
    constexpr int kFilters = 16, kPlanes = 3, kBoards = 29;
    const auto conv = [](int outputs, int inputs, unsigned seed) {
        const auto numbers = random_numbers(std::size_t(outputs * inputs * 9), seed);
        return ConvLayer({numbers, random_numbers(std::size_t(outputs), seed + 1), outputs, inputs});
    };
    const auto dense = [](int outputs, int inputs, unsigned seed, bool boards) {
        const auto numbers = random_numbers(std::size_t(outputs * inputs), seed);
        return DenseLayer({numbers, random_numbers(std::size_t(outputs), seed + 1), outputs, inputs}, boards);
    };
    const auto head = [&](int number) -> Head {
        const unsigned seed = 100 * unsigned(number);
        if (number % 2 == 0)
            return PlanesHead{conv(kFilters, kFilters, seed), conv(20, kFilters, seed + 2), {5, 64, 7, 1000 + number}};
        DenseHead made{dense(2, kFilters, seed, false), {}};
        made.layers.push_back(dense(40 * number, 2 * 64, seed + 2, true));
        made.layers.push_back(dense(number, 40 * number, seed + 4, false));
        return made;
    };
    const auto parts = [&](const std::vector<int>& heads) {
        Parts made;
        made.input = conv(kFilters, kPlanes, 1);
        for (const int number : heads) made.heads.push_back(head(number));
        return made;
    };
    std::mt19937_64 generator(9);
    std::vector<std::uint64_t> planes(kBoards * 2);
    for (std::uint64_t& plane : planes) plane = generator();
    const auto scalars = random_numbers(kBoards, 10);
    const auto run = [&](const std::vector<int>& heads, int threads) {
        const Network network(parts(heads), *runnable_kernels().front());
        std::vector<std::vector<float>> rows;
        std::vector<float*> starts;
        for (const int size : network.head_sizes()) rows.emplace_back(std::size_t(kBoards * size));
        for (std::vector<float>& each : rows) starts.push_back(each.data());
        network.run({planes.data(), scalars.data(), 2, 1}, kBoards, threads, starts);
        return rows;
    };
    const auto together = run({1, 2, 3, 4}, 3);
    REQUIRE(together.size() == 4);
    for (int number = 1; number <= 4; ++number) {
        CAPTURE(number);
        const auto alone = run({number}, 1);
        CHECK(alone[0].size() == std::size_t(kBoards * (number % 2 ? number : 4)));
        CHECK(alone[0] == together[std::size_t(number - 1)]);
    }
}
