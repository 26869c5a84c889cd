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
using train::TunerOptions;

namespace {

void make_tuner(EvaluationTuner* self, const std::vector<std::pair<double, double>>& start,
                const TunerOptions& options) {
    if (start.size() != std::size_t(evaluators::handcrafted::kWeightCount))
        throw std::invalid_argument("start must have " + std::to_string(evaluators::handcrafted::kWeightCount) +
                                    " pairs, got " + std::to_string(start.size()));
    std::vector<double> flat;
    for (const auto& [middlegame, endgame] : start) flat.push_back(middlegame), flat.push_back(endgame);
    new (self) EvaluationTuner(options, flat);
}

}  // namespace

void bind_tuner(nb::module_& module) {
    nb::class_<TunerOptions>(module, "TunerOptions", "Knobs of the tuner; philidor.train explains them.")
        .def(nb::init<>())
        .def_rw("sample_every", &TunerOptions::sample_every)
        .def_rw("result_share", &TunerOptions::result_share)
        .def_rw("scale", &TunerOptions::scale)
        .def_rw("decay", &TunerOptions::decay)
        .def_rw("batch_size", &TunerOptions::batch_size);
    nb::class_<EvaluationTuner>(module, "EvaluationTuner", "Fits the handcrafted evaluation's weights to scored games.")
        .def("__init__", &make_tuner, "start"_a, "options"_a, "`start`: (middlegame, endgame) of every weight.")
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
