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

void make_games(EngineGames* self, search::AlphaBetaEngine& engine, const Book& book, std::optional<int> depth,
                std::optional<std::uint64_t> soft_nodes, std::optional<std::uint64_t> nodes, int random_plies,
                int book_random_plies, int opening_limit, int win_cp, int win_plies, int draw_cp, int draw_plies,
                int draw_from, int max_plies, std::uint64_t seed, const std::string& source) {
    GameSettings settings;
    settings.limits.depth = depth;
    settings.limits.soft_nodes = soft_nodes;
    settings.limits.nodes = nodes;
    settings.random_plies = random_plies;
    settings.book_random_plies = book_random_plies;
    settings.opening_limit = opening_limit;
    settings.win_cp = win_cp, settings.win_plies = win_plies;
    settings.draw_cp = draw_cp, settings.draw_plies = draw_plies, settings.draw_from = draw_from;
    settings.max_plies = max_plies;
    settings.seed = seed;
    settings.source = source;
    std::vector<BookLine> lines;
    for (const auto& [start, moves] : book) lines.push_back({start, moves});
    new (self) EngineGames(engine, std::move(settings), std::move(lines));
}

}  // namespace

void bind_engine_games(nb::module_& module) {
    nb::class_<EngineGames>(module, "EngineGames", "Games of an engine against itself; see philidor.selfplay.")
        .def("__init__", &make_games, "engine"_a, "book"_a, nb::kw_only(), "depth"_a.none(), "soft_nodes"_a.none(),
             "nodes"_a.none(), "random_plies"_a, "book_random_plies"_a, "opening_limit"_a, "win_cp"_a, "win_plies"_a,
             "draw_cp"_a, "draw_plies"_a, "draw_from"_a, "max_plies"_a, "seed"_a, "source"_a, nb::keep_alive<1, 2>())
        .def("play", &EngineGames::play, "number"_a, nb::call_guard<nb::gil_scoped_release>(),
             "The game of this number; None if it was told to stop.")
        .def("stop", &EngineGames::stop, nb::call_guard<nb::gil_scoped_release>(), "From any thread.");
}

}  // namespace philidor::bindings
