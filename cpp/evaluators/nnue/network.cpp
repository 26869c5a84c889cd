#include "evaluators/nnue/network.h"

#include <algorithm>
#include <memory>

#include "evaluators/nnue/ordering.h"

namespace philidor::evaluators::nnue {

namespace {

template <class T>
core::LargeArray<T> zeros(int count) {
    core::LargeArray<T> array{std::size_t(count)};
    std::uninitialized_fill_n(array.get(), count, T{});
    return array;
}

// Which of its inputs the first layer finds at each place, when the accumulators are kept in this order.
std::vector<int> first_inputs_in(const Architecture& architecture, const std::vector<int>& order) {
    const int side = architecture.first_inputs() / 2;  // with pairwise products, the first half of an accumulator
    std::vector<int> inputs;
    for (int view = 0; view < 2; ++view)
        for (int i = 0; i < side; ++i) inputs.push_back(view * side + order[std::size_t(i)]);
    return inputs;
}

const Architecture& checked(const Architecture& architecture) {
    architecture.check();
    return architecture;
}

}  // namespace

Network::Network(const Architecture& architecture, const Weights& weights, const Kernels& kernels)
    : architecture_(checked(architecture)),
      inputs_(architecture.features),
      kernels_(kernels),
      propagate_(architecture.activation == Activation::kClipped   ? kernels.clipped
                 : architecture.activation == Activation::kSquared ? kernels.squared
                                                                   : kernels.pairwise),
      biases_(std::size_t(architecture.width)),
      columns_(std::size_t(architecture.width) * std::size_t(architecture.features.count())) {
    const std::vector<int> order = order_by_activity(architecture, weights);
    const std::size_t width = std::size_t(architecture.width), count = std::size_t(architecture.features.count());
    for (std::size_t i = 0; i < width; ++i) biases_[i] = weights.feature_biases[order[i]];
    for (std::size_t input = 0; input < count; ++input) {
        const std::int16_t* from = weights.feature_weights + input * width;
        std::int16_t* to = columns_.get() + input * width;
        for (std::size_t i = 0; i < width; ++i) to[i] = from[order[i]];
    }
    const std::vector<int> first_order = first_inputs_in(architecture, order);
    for (const std::vector<Weights::Layer>& layers : weights.stacks) {
        StackView stack{};
        int inputs = architecture.first_inputs();
        for (std::size_t i = 0; i < architecture.hidden.size(); ++i) {
            add_hidden(stack, layers[i], inputs, architecture.hidden[i], i == 0 ? first_order : std::vector<int>{});
            inputs = architecture.hidden[i];
        }
        set_output(stack, layers.back(), inputs);
        stacks_.push_back(stack);
    }
}

void Network::add_hidden(StackView& stack, const Weights::Layer& layer, int inputs, int outputs,
                         const std::vector<int>& order) {
    const int rows = padded(outputs, kGroup), columns = padded(inputs, kGroup);
    core::LargeArray<std::int32_t> biases = zeros<std::int32_t>(rows);
    std::copy_n(layer.biases, outputs, biases.get());
    core::LargeArray<std::int8_t> blocks = zeros<std::int8_t>(rows * columns);
    for (int o = 0; o < outputs; ++o)
        for (int i = 0; i < inputs; ++i)
            blocks[std::size_t((i / 4 * rows + o) * 4 + i % 4)] =
                layer.weights[o * inputs + (order.empty() ? i : order[std::size_t(i)])];
    stack.hidden[stack.hidden_count++] = {biases.get(), blocks.get(), columns, rows};
    layer_biases_.push_back(std::move(biases));
    layer_weights_.push_back(std::move(blocks));
}

void Network::set_output(StackView& stack, const Weights::Layer& layer, int inputs) {
    stack.output_bias = layer.biases[0];
    stack.output_inputs = padded(inputs, kAlignment);
    if (architecture_.activation == Activation::kSquared) {
        core::LargeArray<std::int16_t> row = zeros<std::int16_t>(stack.output_inputs);
        std::copy_n(layer.weights, inputs, row.get());
        stack.squared_weights = row.get();
        squared_weights_.push_back(std::move(row));
    } else {
        core::LargeArray<std::int8_t> row = zeros<std::int8_t>(stack.output_inputs);
        std::copy_n(layer.weights, inputs, row.get());
        stack.output_weights = row.get();
        layer_weights_.push_back(std::move(row));
    }
}

}  // namespace philidor::evaluators::nnue
