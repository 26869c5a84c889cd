// A network as the kernels want it: padded, in blocks and in a good order, ready to be shared by all threads.
#pragma once

#include <memory>
#include <vector>

#include "core/large_array.h"
#include "evaluators/nnue/architecture.h"
#include "evaluators/nnue/kernels.h"

namespace philidor::evaluators::nnue {

// The weights as they are in a file; the pointers need to live only while a Network is made of them.
struct Weights {
    struct Layer {
        const std::int32_t* biases;
        const std::int8_t* weights;  // [outputs][inputs]
    };
    const std::int16_t* feature_biases;
    const std::int16_t* feature_weights;     // [inputs][width]
    std::vector<std::vector<Layer>> stacks;  // [output bucket][layer]
};

// Immutable.
class Network {
  public:
    // Throws std::invalid_argument for an impossible shape. `weights` must have the sizes that the shape says.
    Network(const Architecture& architecture, const Weights& weights, const Kernels& kernels);
    Network(const Network&) = delete;
    Network& operator=(const Network&) = delete;

    const Architecture& architecture() const { return architecture_; }
    const InputTable& inputs() const { return inputs_; }
    const Kernels& kernels() const { return kernels_; }
    int width() const { return architecture_.width; }
    const std::int16_t* biases() const { return biases_.get(); }
    const std::int16_t* column(int input) const { return columns_.get() + std::size_t(input) * std::size_t(width()); }

    // The integer of the layers for so many pieces, from the side to move's sums and the other's.
    std::int32_t propagate(int pieces, const std::int16_t* own, const std::int16_t* other) const {
        return propagate_(stacks_[std::size_t(architecture_.output_bucket(pieces))], own, other, width());
    }

  private:
    // `order` says which input each place has; empty for as they are.
    void add_hidden(StackView& stack, const Weights::Layer& layer, int inputs, int outputs,
                    const std::vector<int>& order);
    void set_output(StackView& stack, const Weights::Layer& layer, int inputs);

    Architecture architecture_;
    InputTable inputs_;
    const Kernels& kernels_;
    decltype(Kernels::clipped) propagate_;
    core::LargeArray<std::int16_t> biases_, columns_;
    std::vector<StackView> stacks_;
    // What the stacks point at.
    std::vector<core::LargeArray<std::int32_t>> layer_biases_;
    std::vector<core::LargeArray<std::int8_t>> layer_weights_;
    std::vector<core::LargeArray<std::int16_t>> squared_weights_;
};

}  // namespace philidor::evaluators::nnue
