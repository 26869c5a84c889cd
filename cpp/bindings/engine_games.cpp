// Self-play of an engine for Python: whole games at a time, without the GIL.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "selfplay/engine_games.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace philidor::bindings {

using namespace philidor::selfplay;

namespace {

using Book = std::vector<std::pair<std::string, std::vector<std::uint16_t>>>;

void make_games(EngineGames* self, search::AlphaBetaEngine& engine, const Book& book, GameSettings settings,
                std::optional<int> depth, std::optional<std::uint64_t> soft_nodes, std::optional<std::uint64_t> nodes) {
    settings.limits.depth = depth;
    settings.limits.soft_nodes = soft_nodes;
    settings.limits.nodes = nodes;
    std::vector<BookLine> lines;
    for (const auto& [start, moves] : book) lines.push_back({start, moves});
    new (self) EngineGames(engine, std::move(settings), std::move(lines));
}

}  // namespace

void bind_engine_games(nb::module_& module) {
    nb::class_<GameSettings>(module, "GameSettings", "Knobs of such games; philidor.selfplay explains them.")
        .def(nb::init<>())
        .def_rw("random_plies", &GameSettings::random_plies)
        .def_rw("book_random_plies", &GameSettings::book_random_plies)
        .def_rw("opening_limit", &GameSettings::opening_limit)
        .def_rw("win_cp", &GameSettings::win_cp)
        .def_rw("win_plies", &GameSettings::win_plies)
        .def_rw("draw_cp", &GameSettings::draw_cp)
        .def_rw("draw_plies", &GameSettings::draw_plies)
        .def_rw("draw_from", &GameSettings::draw_from)
        .def_rw("max_plies", &GameSettings::max_plies)
        .def_rw("seed", &GameSettings::seed)
        .def_rw("source", &GameSettings::source);
    nb::class_<EngineGames>(module, "EngineGames", "Games of an engine against itself; see philidor.selfplay.")
        .def("__init__", &make_games, "engine"_a, "book"_a, "settings"_a, nb::kw_only(), "depth"_a.none(),
             "soft_nodes"_a.none(), "nodes"_a.none(), nb::keep_alive<1, 2>())
        .def("play", &EngineGames::play, "number"_a, nb::call_guard<nb::gil_scoped_release>(),
             "The game of this number; None if it was told to stop.")
        .def("stop", &EngineGames::stop, nb::call_guard<nb::gil_scoped_release>(), "From any thread.");
}

}  // namespace philidor::bindings
