// The layers of an NNUE network in training, for Python: forwards and backwards.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <vector>

#include "train/nnue_layers.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace philidor::bindings {

namespace {

template <typename T, int Dimensions>
using Array = nb::ndarray<T, nb::ndim<Dimensions>, nb::c_contig, nb::device::cpu>;
template <int Dimensions>
using Floats = nb::ndarray<const float, nb::ro, nb::ndim<Dimensions>, nb::c_contig, nb::device::cpu>;
using Sets = nb::ndarray<const std::uint8_t, nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void require(bool fits) {
    if (!fits) throw std::invalid_argument("the arrays do not fit together");
}

train::TrainedLayers layers_of(int activation, const Floats<1>& biases, const std::vector<Floats<3>>& weights,
                               const std::vector<Floats<2>>& layer_biases) {
    require(0 <= activation && activation <= int(evaluators::nnue::Activation::kPairwise) && !weights.empty() &&
            weights.size() == layer_biases.size());
    train::TrainedLayers network{evaluators::nnue::Activation(activation), biases.shape(0), biases.data(), {}};
    for (std::size_t l = 0; l < weights.size(); ++l) {
        const std::size_t sets = weights[l].shape(0), outputs = weights[l].shape(1);
        require(layer_biases[l].shape(0) == sets && layer_biases[l].shape(1) == outputs);
        network.layers.push_back({weights[l].data(), layer_biases[l].data(), sets, outputs, weights[l].shape(2)});
    }
    network.check();
    return network;
}

template <typename Values>
void require_positions(const train::TrainedLayers& network, const Values& sums, const Sets& sets, std::size_t count) {
    require(sums.shape(0) == 2 * count && sums.shape(1) == network.width && sets.shape(0) == count);
    require(std::all_of(sets.data(), sets.data() + count,
                        [&](int set) { return std::size_t(set) < network.layers[0].sets; }));
}

void judge_sums(int activation, const Floats<2>& sums, const Floats<1>& biases, const Sets& sets,
                const std::vector<Floats<3>>& weights, const std::vector<Floats<2>>& layer_biases,
                const Array<float, 1>& found, int threads) {
    const train::TrainedLayers network = layers_of(activation, biases, weights, layer_biases);
    require_positions(network, sums, sets, found.shape(0));
    nb::gil_scoped_release release;
    train::judge_sums(network, {sums.data(), sets.data(), found.shape(0)}, found.data(), threads);
}

void differentiate_sums(int activation, const Array<float, 2>& sums, const Floats<1>& biases, const Sets& sets,
                        const std::vector<Floats<3>>& weights, const std::vector<Floats<2>>& layer_biases,
                        const Floats<1>& gradient, const Array<float, 1>& bias_gradient,
                        const std::vector<Array<float, 3>>& weight_gradients,
                        const std::vector<Array<float, 2>>& layer_bias_gradients, int threads) {
    const train::TrainedLayers network = layers_of(activation, biases, weights, layer_biases);
    require_positions(network, sums, sets, gradient.shape(0));
    require(bias_gradient.shape(0) == network.width && weight_gradients.size() == weights.size() &&
            layer_bias_gradients.size() == weights.size());
    std::vector<train::LayerGradient> to;
    for (std::size_t l = 0; l < weights.size(); ++l) {
        require(weight_gradients[l].size() == weights[l].size() &&
                layer_bias_gradients[l].size() == layer_biases[l].size());
        to.push_back({weight_gradients[l].data(), layer_bias_gradients[l].data()});
    }
    nb::gil_scoped_release release;
    train::differentiate_sums(network, {sums.data(), sets.data(), gradient.shape(0)}, gradient.data(),
                              bias_gradient.data(), to, threads);
}

}  // namespace

void bind_nnue_layers(nb::module_& module) {
    module.def("judge_sums", &judge_sums, "activation"_a, "sums"_a, "biases"_a, "sets"_a, "weights"_a, "layer_biases"_a,
               "found"_a, "threads"_a = 1,
               "Writes what an NNUE network's layers make of sums [2n, width], first the sides to move's.");
    module.def("differentiate_sums", &differentiate_sums, "activation"_a, "sums"_a, "biases"_a, "sets"_a, "weights"_a,
               "layer_biases"_a, "gradient"_a, "bias_gradient"_a, "weight_gradients"_a, "layer_bias_gradients"_a,
               "threads"_a = 1,
               "What `judge_sums` leads back to: adds to gradients, and turns the sums into their own.");
}

}  // namespace philidor::bindings
