// The tuner of the handcrafted evaluation for Python.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "evaluators/handcrafted/terms.h"
#include "train/evaluation_tuner.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace philidor::bindings {

using train::EvaluationTuner;

namespace {

void make_tuner(EvaluationTuner* self, const std::vector<std::pair<double, double>>& start, double result_share,
                double scale, double decay, int sample_every, int batch_size) {
    if (start.size() != std::size_t(evaluators::handcrafted::kWeightCount))
        throw std::invalid_argument("start must have " + std::to_string(evaluators::handcrafted::kWeightCount) +
                                    " pairs, got " + std::to_string(start.size()));
    train::TunerOptions options;
    options.result_share = result_share, options.scale = scale, options.decay = decay;
    options.sample_every = sample_every, options.batch_size = batch_size;
    std::vector<double> flat;
    for (const auto& [middlegame, endgame] : start) flat.push_back(middlegame), flat.push_back(endgame);
    new (self) EvaluationTuner(options, flat);
}

}  // namespace

void bind_tuner(nb::module_& module) {
    nb::class_<EvaluationTuner>(module, "EvaluationTuner", "Fits the handcrafted evaluation's weights to scored games.")
        .def("__init__", &make_tuner, "start"_a, nb::kw_only(), "result_share"_a, "scale"_a, "decay"_a,
             "sample_every"_a, "batch_size"_a, "`start`: (middlegame, endgame) of every weight.")
        .def("add_game", &EvaluationTuner::add_game, "record"_a, "Takes the quiet scored positions; returns how many.")
        .def("__len__", &EvaluationTuner::size)
        .def("run_epoch", &EvaluationTuner::run_epoch, "learning_rate"_a, nb::call_guard<nb::gil_scoped_release>(),
             "Visits all positions but the held-out games' once; returns the mean squared error on the way.")
        .def("held_out_error", &EvaluationTuner::held_out_error, nb::call_guard<nb::gil_scoped_release>())
        .def(
            "weights",
            [](const EvaluationTuner& tuner) {
                std::vector<std::pair<double, double>> pairs;
                for (std::size_t i = 0; i < tuner.weights().size(); i += 2)
                    pairs.emplace_back(tuner.weights()[i], tuner.weights()[i + 1]);
                return pairs;
            },
            "(middlegame, endgame) of every weight.");
    module.def(
        "evaluation_terms",
        [] {
            std::vector<std::tuple<std::string, int, std::string>> terms;
            for (const auto& term : evaluators::handcrafted::kTerms)
                terms.emplace_back(term.name, term.count, term.meaning);
            return terms;
        },
        "(name, number of weights, meaning) of each term of the handcrafted evaluation.");
}

}  // namespace philidor::bindings
