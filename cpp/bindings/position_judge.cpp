// Training positions judged by searches, for Python: a whole set of them at a time, without the GIL.
#include "train/position_judge.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;

namespace philidor::bindings {

namespace {

using train::PositionJudge;

void make_judge(PositionJudge* self, const std::vector<search::AlphaBetaEngine*>& engines, int largest,
                std::optional<int> depth, std::optional<std::uint64_t> soft_nodes, std::optional<std::uint64_t> nodes) {
    search::Limits limits;
    limits.depth = depth;
    limits.soft_nodes = soft_nodes;
    limits.nodes = nodes;
    new (self) PositionJudge(engines, std::move(limits), largest);
}

}  // namespace

void bind_position_judge(nb::module_& module) {
    nb::class_<PositionJudge>(module, "PositionJudge", "Engines that judge training positions; see philidor.train.")
        .def("__init__", &make_judge, "engines"_a, nb::kw_only(), "largest"_a, "depth"_a.none(), "soft_nodes"_a.none(),
             "nodes"_a.none(), nb::keep_alive<1, 2>())
        .def("judge", &PositionJudge::judge, "positions"_a, nb::call_guard<nb::gil_scoped_release>(),
             "Gives a score to each position that has none; False if it was told to stop.")
        .def("stop", &PositionJudge::stop, nb::call_guard<nb::gil_scoped_release>(), "From any thread.");
}

}  // namespace philidor::bindings
