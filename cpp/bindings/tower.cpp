// Convolutional networks on the CPU for Python: made of arrays, run on packed batches.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/arrays.h"
#include "evaluators/tower/choice.h"
#include "evaluators/tower/network.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace philidor::bindings {

namespace {

using namespace philidor::evaluators::tower;

// Weights [outputs, inputs] or [outputs, inputs, size, size], and biases [outputs].
using Numbers = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;
using Layer = std::pair<Numbers, Numbers>;
using SqueezeLayers = std::pair<Layer, Layer>;
using BlockLayers = std::tuple<Layer, Layer, std::optional<SqueezeLayers>>;
using Outputs = std::tuple<Array2<float>, Array2<float>, std::optional<Array2<float>>>;

Weights weights_of(const Layer& layer) {
    const auto& [numbers, biases] = layer;
    if (numbers.ndim() < 2 || biases.ndim() != 1) throw std::invalid_argument("a layer has weights and biases");
    return {
        {numbers.data(), numbers.size()}, {biases.data(), biases.size()}, int(numbers.shape(0)), int(numbers.shape(1))};
}

Head head_of(const std::vector<Layer>& layers) {
    if (layers.size() < 2) throw std::invalid_argument("a head has a convolution and at least one dense layer");
    Head head{DenseLayer(weights_of(layers[0]), false), {}};
    for (std::size_t i = 1; i < layers.size(); ++i) head.layers.emplace_back(weights_of(layers[i]), i == 1);
    return head;
}

Activation activation_of(std::string_view name) {
    if (name == "relu") return Activation::kRelu;
    if (name == "mish") return Activation::kMish;
    throw std::invalid_argument("no activation '" + std::string(name) + "'; known: relu, mish");
}

class TowerNetwork {
  public:
    TowerNetwork(const Layer& input, const std::vector<BlockLayers>& blocks, const std::vector<Layer>& policy,
                 const std::optional<std::vector<std::int32_t>>& cells, const std::vector<Layer>& value,
                 const std::optional<std::vector<Layer>>& moves_left, std::string_view activation,
                 std::string_view kernels)
        : planes_(int(input.first.shape(1))),
          network_(parts_of(input, blocks, policy, cells, value, moves_left, activation), choose_kernels(kernels)) {}

    std::string kernels() const { return network_.kernels().name; }

    using Packed = nb::ndarray<const std::uint64_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
    using Scalars = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

    Outputs run(const Packed& planes, const Scalars& scalars, int threads) const {
        const std::size_t count = planes.shape(0);
        if (planes.shape(2) != 1 || scalars.shape(0) != count || int(planes.shape(1) + scalars.shape(1)) != planes_)
            throw std::invalid_argument("this network takes " + std::to_string(planes_) + " planes of 8x8");
        const std::size_t moves = std::size_t(network_.policy_size()), values = std::size_t(network_.value_size());
        std::vector<float> policy(count * moves), value(count * values);
        std::vector<float> moves_left(network_.has_moves_left() ? count : 0);
        {
            nb::gil_scoped_release release;
            network_.run({planes.data(), scalars.data(), int(planes.shape(1)), int(scalars.shape(1))}, int(count),
                         threads,
                         {policy.data(), value.data(), network_.has_moves_left() ? moves_left.data() : nullptr});
        }
        Outputs outputs{to_numpy<Array2<float>>(std::move(policy), {count, moves}),
                        to_numpy<Array2<float>>(std::move(value), {count, values}), std::nullopt};
        if (network_.has_moves_left())
            std::get<2>(outputs) = to_numpy<Array2<float>>(std::move(moves_left), {count, 1});
        return outputs;
    }

  private:
    static Parts parts_of(const Layer& input, const std::vector<BlockLayers>& blocks, const std::vector<Layer>& policy,
                          const std::optional<std::vector<std::int32_t>>& cells, const std::vector<Layer>& value,
                          const std::optional<std::vector<Layer>>& moves_left, std::string_view activation) {
        Parts parts;
        parts.input = ConvLayer(weights_of(input));
        for (const auto& [first, second, squeeze] : blocks) {
            Block block{ConvLayer(weights_of(first)), ConvLayer(weights_of(second)), std::nullopt};
            if (squeeze)
                block.squeeze = Squeeze{DenseLayer(weights_of(squeeze->first), false),
                                        DenseLayer(weights_of(squeeze->second), false)};
            parts.blocks.push_back(std::move(block));
        }
        if (!cells) {
            parts.dense_policy = head_of(policy);
        } else {
            if (policy.size() != 2) throw std::invalid_argument("a policy of planes has two convolutions");
            parts.planes_policy =
                PlanesPolicy{ConvLayer(weights_of(policy[0])), ConvLayer(weights_of(policy[1])), *cells};
        }
        parts.value = head_of(value);
        if (moves_left) parts.moves_left = head_of(*moves_left);
        parts.activation = activation_of(activation);
        return parts;
    }

    int planes_;
    Network network_;
};

}  // namespace

void bind_tower(nb::module_& module) {
    nb::class_<TowerNetwork>(module, "TowerNetwork", "A residual network on 8x8 boards, laid out for this CPU.")
        .def(nb::init<const Layer&, const std::vector<BlockLayers>&, const std::vector<Layer>&,
                      const std::optional<std::vector<std::int32_t>>&, const std::vector<Layer>&,
                      const std::optional<std::vector<Layer>>&, std::string_view, std::string_view>(),
             nb::kw_only(), "input"_a, "blocks"_a, "policy"_a, "policy_cells"_a.none(), "value"_a,
             "moves_left"_a.none(), "activation"_a, "kernels"_a = "")
        .def("run", &TowerNetwork::run, "planes"_a, "scalars"_a, "threads"_a = 1,
             "(policy, value, moves left or None): the last layers' plain numbers, one row per board.")
        .def_prop_ro("kernels", &TowerNetwork::kernels, "The name of the instruction set in use.");
    module.def(
        "tower_kernels",
        [] {
            std::vector<std::string> names;
            for (const Kernels* kernels : runnable_kernels()) names.emplace_back(kernels->name);
            return names;
        },
        "The kernels that this CPU can run, the fastest first.");
}

}  // namespace philidor::bindings
