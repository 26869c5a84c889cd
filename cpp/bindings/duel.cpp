// Games between two engines for Python: whole games at a time, without the GIL.
#include "arena/duel.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <tuple>

#include "bindings/position.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace philidor::bindings {

using namespace philidor::arena;

namespace {

using NodeLimit = std::optional<std::uint64_t>;
// depth, soft nodes, nodes
using DuelLimits = std::tuple<std::optional<int>, NodeLimit, NodeLimit>;

search::Limits limits_of(const DuelLimits& given) {
    search::Limits limits;
    std::tie(limits.depth, limits.soft_nodes, limits.nodes) = given;
    if (!limits.depth && !limits.soft_nodes && !limits.nodes)
        throw std::invalid_argument("a search that nobody stops needs a limit");
    return limits;
}

void make_duel(Duel* self, search::AlphaBetaEngine& first, search::AlphaBetaEngine& second, const DuelRules& rules) {
    if (&first == &second) throw std::invalid_argument("an engine cannot be both sides of a duel");
    new (self) Duel(first, second, rules);
}

std::optional<DuelGame> play(Duel& duel, const PyPosition& start, int white, const DuelLimits& first,
                             const DuelLimits& second) {
    if (white != 0 && white != 1) throw std::invalid_argument("white must be 0 or 1, got " + std::to_string(white));
    const search::Limits limits[2] = {limits_of(first), limits_of(second)};
    nb::gil_scoped_release release;
    return duel.play(start.ptr, white, limits);
}

}  // namespace

void bind_duel(nb::module_& module) {
    nb::class_<DuelRules>(module, "DuelRules", "When a game ends early; philidor.arena.adjudication explains it.")
        .def(nb::init<>())
        .def_rw("draw_score", &DuelRules::draw_score, nb::arg().none())
        .def_rw("draw_moves", &DuelRules::draw_moves)
        .def_rw("draw_after", &DuelRules::draw_after)
        .def_rw("resign_score", &DuelRules::resign_score, nb::arg().none())
        .def_rw("resign_moves", &DuelRules::resign_moves)
        .def_rw("max_moves", &DuelRules::max_moves, nb::arg().none());
    nb::class_<DuelMove>(module, "DuelMove", "A move and what its engine thought.")
        .def_ro("move", &DuelMove::move)
        .def_ro("score", &DuelMove::score, "Centipawns, the mover's view; a mate in n plies is 32000 - n.")
        .def_ro("depth", &DuelMove::depth)
        .def_ro("nodes", &DuelMove::nodes);
    nb::class_<DuelGame>(module, "DuelGame", "A game between two engines.")
        .def_ro("moves", &DuelGame::moves)
        .def_ro("winner", &DuelGame::winner, "0 for White, 1 for Black, -1 for a draw.")
        .def_ro("reason", &DuelGame::reason);
    nb::class_<Duel>(module, "Duel", "Games between two engines; see philidor.arena.native.")
        .def("__init__", &make_duel, "first"_a, "second"_a, "rules"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
        .def("play", &play, "start"_a, "white"_a, "first"_a, "second"_a,
             "A game in which engine `white` (0 or 1) has White; `first` and `second` are the engines' limits: depth, "
             "soft nodes, nodes. None if it was told to stop.")
        .def("stop", &Duel::stop, nb::call_guard<nb::gil_scoped_release>(), "From any thread.");
}

}  // namespace philidor::bindings
