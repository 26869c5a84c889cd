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
// The layers of a head, and for planes of moves each move's cell.
using HeadLayers = std::pair<std::vector<Layer>, std::optional<std::vector<std::int32_t>>>;

Weights weights_of(const Layer& layer) {
    const auto& [numbers, biases] = layer;
    if (numbers.ndim() < 2 || biases.ndim() != 1) throw std::invalid_argument("a layer has weights and biases");
    return {
        {numbers.data(), numbers.size()}, {biases.data(), biases.size()}, int(numbers.shape(0)), int(numbers.shape(1))};
}

Head head_of(const HeadLayers& given) {
    const auto& [layers, cells] = given;
    if (cells) {
        if (layers.size() != 2) throw std::invalid_argument("a policy of planes has two convolutions");
        return PlanesHead{ConvLayer(weights_of(layers[0])), ConvLayer(weights_of(layers[1])), *cells};
    }
    if (layers.size() < 2) throw std::invalid_argument("a head has a convolution and at least one dense layer");
    DenseHead head{DenseLayer(weights_of(layers[0]), false), {}};
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
    TowerNetwork(const Layer& input, const std::vector<BlockLayers>& blocks, const std::vector<HeadLayers>& heads,
                 std::string_view activation, std::string_view kernels)
        : planes_(int(input.first.shape(1))),
          network_(parts_of(input, blocks, heads, activation), choose_kernels(kernels)) {}

    std::string kernels() const { return network_.kernels().name; }

    using Packed = nb::ndarray<const std::uint64_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
    using Scalars = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

    std::vector<Array2<float>> run(const Packed& planes, const Scalars& scalars, int threads) const {
        const std::size_t count = planes.shape(0);
        if (planes.shape(2) != 1 || scalars.shape(0) != count || int(planes.shape(1) + scalars.shape(1)) != planes_)
            throw std::invalid_argument("this network takes " + std::to_string(planes_) + " planes of 8x8");
        std::vector<std::vector<float>> rows;
        std::vector<float*> starts;
        for (const int size : network_.head_sizes()) rows.emplace_back(count * std::size_t(size));
        for (std::vector<float>& each : rows) starts.push_back(each.data());
        {
            nb::gil_scoped_release release;
            network_.run({planes.data(), scalars.data(), int(planes.shape(1)), int(scalars.shape(1))}, int(count),
                         threads, starts);
        }
        std::vector<Array2<float>> outputs;
        for (std::size_t head = 0; head < rows.size(); ++head)
            outputs.push_back(
                to_numpy<Array2<float>>(std::move(rows[head]), {count, std::size_t(network_.head_sizes()[head])}));
        return outputs;
    }

  private:
    static Parts parts_of(const Layer& input, const std::vector<BlockLayers>& blocks,
                          const std::vector<HeadLayers>& heads, std::string_view activation) {
        Parts parts;
        parts.input = ConvLayer(weights_of(input));
        for (const auto& [first, second, squeeze] : blocks) {
            Block block{ConvLayer(weights_of(first)), ConvLayer(weights_of(second)), std::nullopt};
            if (squeeze)
                block.squeeze = Squeeze{DenseLayer(weights_of(squeeze->first), false),
                                        DenseLayer(weights_of(squeeze->second), false)};
            parts.blocks.push_back(std::move(block));
        }
        for (const HeadLayers& head : heads) parts.heads.push_back(head_of(head));
        parts.activation = activation_of(activation);
        return parts;
    }

    int planes_;
    Network network_;
};

}  // namespace

void bind_tower(nb::module_& module) {
    nb::class_<TowerNetwork>(module, "TowerNetwork", "A residual network on 8x8 boards, laid out for this CPU.")
        .def(nb::init<const Layer&, const std::vector<BlockLayers>&, const std::vector<HeadLayers>&, std::string_view,
                      std::string_view>(),
             nb::kw_only(), "input"_a, "blocks"_a, "heads"_a, "activation"_a, "kernels"_a = "")
        .def("run", &TowerNetwork::run, "planes"_a, "scalars"_a, "threads"_a = 1,
             "For each head the last layer's plain numbers, one row per board.")
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
