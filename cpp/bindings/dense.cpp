// The small float networks for Python: Giraffe's, which judges a position, and DeepChess's, which compares two; and the
// batches that they are trained on.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include "bindings/arrays.h"
#include "bindings/position.h"
#include "evaluators/deepchess/network.h"
#include "evaluators/giraffe/features.h"
#include "evaluators/giraffe/network.h"
#include "train/dense_batches.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace philidor::bindings {

using evaluators::Dense;
namespace giraffe = evaluators::giraffe;
namespace deepchess = evaluators::deepchess;
using train::PositionSet;

namespace {

template <class T, int Dimensions>
using In = nb::ndarray<const T, nb::ro, nb::ndim<Dimensions>, nb::c_contig, nb::device::cpu>;
template <class T, int Dimensions>
using Out = nb::ndarray<T, nb::ndim<Dimensions>, nb::c_contig, nb::device::cpu>;
using Layers = std::vector<std::pair<In<float, 2>, In<float, 1>>>;  // weights [inputs, outputs], biases [outputs]
using Vector = In<float, 1>;

std::vector<Dense> layers_of(const Layers& arrays) {
    std::vector<Dense> layers;
    for (const auto& [weights, biases] : arrays)
        layers.emplace_back(int(weights.shape(0)), std::vector<float>(weights.data(), weights.data() + weights.size()),
                            std::vector<float>(biases.data(), biases.data() + biases.size()));
    return layers;
}

std::vector<float> giraffe_raw(const giraffe::Network& network, const std::vector<PyPosition>& positions) {
    nb::gil_scoped_release release;
    std::vector<float> found;
    for (const PyPosition& position : positions) found.push_back(network.raw(position.board()));
    return found;
}

Array1<float> giraffe_features(const PyPosition& position) {
    std::vector<float> features(giraffe::kFeatures);
    giraffe::write_features(position.board(), features.data());
    return to_numpy<Array1<float>>(std::move(features), {std::size_t(giraffe::kFeatures)});
}

Array1<float> embed(const deepchess::Network& network, const PyPosition& position) {
    std::vector<float> vector(std::size_t(network.width()));
    network.embed(position.board(), vector.data());
    return to_numpy<Array1<float>>(std::move(vector), {std::size_t(network.width())});
}

float compare(const deepchess::Network& network, const Vector& first, const Vector& second) {
    const auto width = std::size_t(network.width());
    if (first.shape(0) != width || second.shape(0) != width) throw std::invalid_argument("a vector of another network");
    return network.compare(first.data(), second.data());
}

template <class T, class Batch>
void fill(const PositionSet& set, const In<std::uint32_t, 1>& indices, const Out<T, 2>& inputs, std::size_t columns,
          const Out<float, 1>& score, const Out<float, 1>& result, int threads) {
    const std::size_t count = indices.shape(0);
    if (inputs.shape(0) < count || inputs.shape(1) != columns || score.shape(0) < count || result.shape(0) < count)
        throw std::invalid_argument("the arrays are too small for the batch");
    for (std::size_t i = 0; i < count; ++i)
        if (indices.data()[i] >= set.size()) throw std::invalid_argument("there is no such position");
    nb::gil_scoped_release release;
    train::fill(set, {indices.data(), count}, Batch{inputs.data(), score.data(), result.data()}, threads);
}

void fill_giraffe(const PositionSet& set, const In<std::uint32_t, 1>& indices, const Out<float, 2>& features,
                  const Out<float, 1>& score, const Out<float, 1>& result, int threads) {
    fill<float, train::GiraffeBatch>(set, indices, features, giraffe::kFeatures, score, result, threads);
}

void fill_deepchess(const PositionSet& set, const In<std::uint32_t, 1>& indices, const Out<std::int32_t, 2>& inputs,
                    const Out<float, 1>& score, const Out<float, 1>& result, int threads) {
    fill<std::int32_t, train::DeepChessBatch>(set, indices, inputs, deepchess::kMaxActive, score, result, threads);
}

}  // namespace

void bind_dense(nb::module_& module) {
    nb::class_<giraffe::Network>(module, "GiraffeNetwork", "A network that judges; see philidor.nets.dense.")
        .def(nb::new_([](const Layers& first, const Layers& above, float scale) {
                 return std::make_shared<giraffe::Network>(layers_of(first), layers_of(above), scale);
             }),
             nb::kw_only(), "first"_a, "above"_a, "scale"_a, "Copies the arrays.")
        .def("raw", &giraffe_raw, "positions"_a, "What comes out before tanh, in each side to move's view.")
        .def("centipawns", &giraffe::Network::centipawns, "raw"_a);
    module.def("giraffe_features", &giraffe_features, "position"_a, "What the network sees of a position.");
    nb::class_<deepchess::Network>(module, "DeepChessNetwork", "A network that compares; see philidor.nets.dense.")
        .def(nb::new_([](const Layers& position, const Layers& comparison) {
                 return std::make_shared<deepchess::Network>(layers_of(position), layers_of(comparison));
             }),
             nb::kw_only(), "position"_a, "comparison"_a, "Copies the arrays.")
        .def("embed", &embed, "position"_a, "A position's vector.")
        .def("compare", &compare, "first"_a, "second"_a, "Above zero if the first is better for White.");
    module.def("fill_giraffe", &fill_giraffe, "positions"_a, "indices"_a, "features"_a, "score"_a, "result"_a,
               "threads"_a = 1, "Writes the positions at these indices into arrays, in the side to move's view.");
    module.def("fill_deepchess", &fill_deepchess, "positions"_a, "indices"_a, "inputs"_a, "score"_a, "result"_a,
               "threads"_a = 1, "Writes the positions at these indices into arrays, in White's view.");
    module.attr("DEEPCHESS_MAX_ACTIVE") = deepchess::kMaxActive;
}

}  // namespace philidor::bindings
