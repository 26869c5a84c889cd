// The connect four solver for Python. It runs in the caller's thread without the GIL; another thread may stop it.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "search/connect4_solver.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace philidor::bindings {

using search::Connect4Solver;

void bind_connect4_solver(nb::module_& module) {
    using Release = nb::call_guard<nb::gil_scoped_release>;
    module.def("connect4_plies", &search::plies_to_end, "state"_a, "score"_a,
               "Moves to the end of the game under perfect play from a state with this score.");
    nb::class_<Connect4Solver>(module, "Connect4Solver",
                               "Solves connect four. A score is positive when the side to move wins: 1 if with its "
                               "last stone, 2 with the one before, and so on; negative when it loses, 0 for a draw. "
                               "All calls give None when stopped or over the node limit.")
        .def(nb::init<int>(), "memory_mb"_a, "Remembers what fits into `memory_mb` MiB.")
        .def("score", &Connect4Solver::score, "root"_a, "node_limit"_a = Connect4Solver::kNoLimit, Release(),
             "The score of a state.")
        .def("move_scores", &Connect4Solver::move_scores, "root"_a, "node_limit"_a = Connect4Solver::kNoLimit,
             Release(), "The scores of the legal moves in the mover's view, in canonical order.")
        .def("line", &Connect4Solver::line, "root"_a, "node_limit"_a = Connect4Solver::kNoLimit, Release(),
             "A perfect game: places of its moves in canonical order, the first of equal ones.")
        .def_prop_ro("nodes", &Connect4Solver::nodes, "Positions visited by all calls that have ended.")
        .def("stop", &Connect4Solver::stop, "Ends the running call and later ones soon, until `resume`.")
        .def("resume", &Connect4Solver::resume);
}

}  // namespace philidor::bindings
