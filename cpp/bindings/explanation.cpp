// The handcrafted evaluation, term by term, for Python.
#include "evaluators/handcrafted/explanation.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "bindings/position.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace philidor::bindings {

using evaluators::handcrafted::ExplainedTerm;
using evaluators::handcrafted::Explanation;

void bind_explanation(nb::module_& module) {
    nb::class_<ExplainedTerm>(module, "ExplainedTerm", "One term of the handcrafted evaluation.")
        .def_ro("name", &ExplainedTerm::name)
        .def_ro("meaning", &ExplainedTerm::meaning)
        .def_prop_ro("white_middlegame", [](const ExplainedTerm& term) { return term.white[0]; })
        .def_prop_ro("white_endgame", [](const ExplainedTerm& term) { return term.white[1]; })
        .def_prop_ro("black_middlegame", [](const ExplainedTerm& term) { return term.black[0]; })
        .def_prop_ro("black_endgame", [](const ExplainedTerm& term) { return term.black[1]; });
    nb::class_<Explanation>(module, "Explanation", "How the handcrafted evaluation comes to its verdict; White's view.")
        .def_ro("terms", &Explanation::terms, "Centipawns; the differences add up to `middlegame` and `endgame`.")
        .def_ro("danger", &Explanation::danger, "What went into the term KingDanger, before it was squared.")
        .def_ro("middlegame", &Explanation::middlegame)
        .def_ro("endgame", &Explanation::endgame)
        .def_ro("phase", &Explanation::phase, "Of 24: how much the middlegame counts.")
        .def_ro("scale", &Explanation::scale, "Of 64: how much of the endgame's advantage counts.")
        .def_ro("bare_king", &Explanation::bare_king, "For driving a bare king to mate.")
        .def_ro("white_score", &Explanation::white_score, "The verdict in centipawns.");
    module.def(
        "explain_evaluation",
        [](const PyPosition& position) { return evaluators::handcrafted::explain(position.board()); }, "position"_a,
        "The handcrafted evaluation of a position, term by term.");
}

}  // namespace philidor::bindings
