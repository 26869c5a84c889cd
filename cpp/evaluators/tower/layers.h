// Weights laid out as the kernels want them.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <span>

#include "evaluators/tower/kernels.h"

namespace philidor::evaluators::tower {

// Zeroed floats at an address that vectors can be loaded from.
class Floats {
  public:
    Floats() = default;
    explicit Floats(std::size_t size)
        : data_(static_cast<float*>(::operator new[](size * sizeof(float), std::align_val_t{kAlignment}))) {
        for (std::size_t i = 0; i < size; ++i) data_.get()[i] = 0.0f;
    }
    float* data() { return data_.get(); }
    const float* data() const { return data_.get(); }
    float& operator[](std::size_t i) { return data_.get()[i]; }

  private:
    struct Free {
        void operator()(float* p) const { ::operator delete[](p, std::align_val_t{kAlignment}); }
    };
    std::unique_ptr<float[], Free> data_;
};

// Weights as files have them, out of which layers are made: [outputs][inputs][size][size].
struct Weights {
    std::span<const float> numbers;
    std::span<const float> biases;
    int outputs;
    int inputs;
};

class DenseLayer {
  public:
    DenseLayer() = default;
    // `boards`: the inputs are planes [channels][64] in the file, and [64][padded channels] here.
    DenseLayer(const Weights& weights, bool boards);

    int outputs() const { return outputs_; }
    int padded_outputs() const { return padded(outputs_); }
    Matrix view() const { return {weights_.data(), biases_.data(), inputs_, padded_outputs()}; }

  private:
    Floats weights_, biases_;
    int inputs_ = 0;
    int outputs_ = 0;
};

class ConvLayer {
  public:
    ConvLayer() = default;
    explicit ConvLayer(const Weights& weights);

    int outputs() const { return padded(outputs_); }
    int inputs() const { return inputs_; }
    Convolution view() const { return {weights_.data(), biases_.data(), inputs_, outputs()}; }

  private:
    Floats weights_, biases_;
    int inputs_ = 0;
    int outputs_ = 0;
};

}  // namespace philidor::evaluators::tower
