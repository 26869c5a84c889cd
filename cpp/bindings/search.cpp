// Native searches for Python. They never call Python; their events are polled.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bindings/position.h"
#include "games/native_games.h"
#include "players/rollout_uct.h"
#include "search/uct_search.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace philidor::bindings {

namespace {

using search::UctEnd;
using search::UctEvent;
using search::UctSearch;
using search::UctSettings;

std::string end_name(UctEnd end) {
    switch (end) {
        case UctEnd::kRunning: return "running";
        case UctEnd::kSimulations: return "simulations";
        case UctEnd::kTime: return "time";
        case UctEnd::kMemory: return "memory";
        case UctEnd::kStopped: return "stopped";
    }
    return "";
}

std::vector<int> field(const UctEvent& event, std::int32_t search::UctChild::* member) {
    std::vector<int> values;
    for (const search::UctChild& child : event.statistics.children) values.push_back(child.*member);
    return values;
}

const chess::Position& root_of(const PyPosition& position) { return *position.ptr; }
template <typename G>
const G& root_of(const G& game) {
    return game;
}

template <typename G>
void construct(UctSearch* self, const G& root, const UctSettings& settings) {
    if (settings.playout_limit < 1 || settings.memory_mb < 1)
        throw std::invalid_argument("playout_limit and memory_mb must be at least 1, got " +
                                    std::to_string(settings.playout_limit) + " and " +
                                    std::to_string(settings.memory_mb));
    new (self) UctSearch(players::rollout_uct(root_of(root), settings));
}

template <typename G>
void bind_root(nb::class_<UctSearch>& c) {
    c.def("__init__", &construct<G>, "root"_a, "settings"_a, "A search from `root`, which must not be over.");
}

void bind_event(nb::module_& module) {
    nb::class_<UctEvent>(module, "UctEvent", "What a rollout search has found so far.")
        .def_prop_ro(
            "end", [](const UctEvent& e) { return end_name(e.end); },
            "'running', or why the search ended: 'simulations', 'time', 'memory', 'stopped'.")
        .def_ro("seconds", &UctEvent::seconds, "Since `start`.")
        .def_prop_ro("simulations", [](const UctEvent& e) { return e.statistics.simulations; })
        .def_prop_ro(
            "nodes", [](const UctEvent& e) { return e.statistics.nodes; }, "Positions in the tree.")
        .def_prop_ro(
            "wins", [](const UctEvent& e) { return e.statistics.wins; }, "Of the root's side to move.")
        .def_prop_ro("draws", [](const UctEvent& e) { return e.statistics.draws; })
        .def_prop_ro("losses", [](const UctEvent& e) { return e.statistics.losses; })
        .def_prop_ro(
            "visits", [](const UctEvent& e) { return field(e, &search::UctChild::visits); },
            "Of the root's moves, in canonical order.")
        .def_prop_ro(
            "half_points", [](const UctEvent& e) { return field(e, &search::UctChild::half_points); },
            "Of the root's moves: 2 for each win of the side to move, 1 for each draw.")
        .def_prop_ro(
            "line", [](const UctEvent& e) { return e.statistics.line; },
            "The most visited line: places of its moves in canonical order.");
}

}  // namespace

void bind_search(nb::module_& module) {
    bind_event(module);
    nb::class_<UctSettings>(module, "UctSettings", "Knobs of UCT; philidor.search.uct explains them.")
        .def(nb::init<>())
        .def_rw("exploration", &UctSettings::exploration)
        .def_rw("seed", &UctSettings::seed)
        .def_rw("playout_limit", &UctSettings::playout_limit)
        .def_rw("memory_mb", &UctSettings::memory_mb);
    nb::class_<UctSearch> c(module, "RolloutUct", "UCT with random playouts, in a thread of its own.");
    games::for_each_native_game([&c]<games::NativeGame G>() { bind_root<G>(c); });
    bind_root<PyPosition>(c);
    c.def(
         "start",
         [](UctSearch& search, std::int64_t simulations, double seconds, double report_every) {
             if (simulations < 0 || !(seconds >= 0) || !(report_every > 0))
                 throw std::invalid_argument("limits must not be negative, and reports need an interval above 0");
             search.start({simulations, seconds, report_every});
         },
         "simulations"_a = 0, "seconds"_a = 0.0, "report_every"_a = 0.1,
         "Begins, or goes on from the last end; 0 means no limit. Raises RuntimeError if the search is running.")
        .def("next_event", &UctSearch::next_event, "timeout"_a, nb::call_guard<nb::gil_scoped_release>(),
             "Waits up to `timeout` seconds for the next event; None if there is none, at once after the last.")
        .def("stop", &UctSearch::stop, "Asks the search to end soon; its last event follows.");
}

}  // namespace philidor::bindings
