// A fully connected layer of floats, for networks so small that a position is judged from scratch.
//
// The sums are taken in one written order, inputs from the first to the last, so that numpy gives the same floats.
// Inputs of zero are skipped: they change no sum.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

namespace philidor::evaluators {

class Dense {
  public:
    // What fits into the buffers of those who use layers.
    static constexpr int kMaxOutputs = 512;

    // `weights` are [inputs][outputs].
    Dense(int inputs, std::vector<float> weights, std::vector<float> biases)
        : inputs_(inputs), outputs_(int(biases.size())), weights_(std::move(weights)), biases_(std::move(biases)) {
        if (outputs_ < 1 || outputs_ > kMaxOutputs) throw std::invalid_argument("a layer has 1 to 512 outputs");
        if (weights_.size() != std::size_t(inputs_) * biases_.size())
            throw std::invalid_argument("a layer's weights do not fit its biases");
    }

    int inputs() const { return inputs_; }
    int outputs() const { return outputs_; }

    // A sum begins with the biases,
    void begin(float* sums) const { std::copy(biases_.begin(), biases_.end(), sums); }
    // takes its inputs in ascending order,
    void add(int input, float value, float* __restrict sums) const {
        const float* __restrict row = weights_.data() + std::size_t(input) * std::size_t(outputs_);
        for (int i = 0; i < outputs_; ++i) sums[i] += value * row[i];
    }
    void add_all(const float* values, int count, int first_input, float* sums) const {
        for (int i = 0; i < count; ++i)
            if (values[i] != 0) add(first_input + i, values[i], sums);
    }
    // and is rectified, but for the last layer's.
    void rectify(float* sums) const {
        for (int i = 0; i < outputs_; ++i) sums[i] = sums[i] > 0 ? sums[i] : 0;
    }

  private:
    int inputs_, outputs_;
    std::vector<float> weights_;
    std::vector<float> biases_;
};

}  // namespace philidor::evaluators
