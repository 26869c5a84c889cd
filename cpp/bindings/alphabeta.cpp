// The native alpha-beta engine for Python: start, poll, stop.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "bindings/position.h"
#include "games/chess/syzygy.h"
#include "players/classic.h"
#include "players/giraffe.h"
#include "players/nnue.h"
#include "search/alphabeta/engine.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace philidor::bindings {

using namespace philidor::search;

namespace {

std::unique_ptr<AlphaBetaEngine> make_engine(const std::string& evaluator) {
    if (evaluator == "handcrafted") return players::make_classic_engine();
    if (evaluator == "book") return players::make_book_engine();
    throw std::invalid_argument("evaluator must be 'handcrafted' or 'book', got '" + evaluator + "'");
}

std::unique_ptr<AlphaBetaEngine> make_network_engine(std::shared_ptr<evaluators::nnue::Network> network,
                                                     bool is_hybrid) {
    return is_hybrid ? players::make_hybrid_engine(std::move(network)) : players::make_nnue_engine(std::move(network));
}

std::unique_ptr<AlphaBetaEngine> make_giraffe_engine(std::shared_ptr<evaluators::giraffe::Network> network) {
    return players::make_giraffe_engine(std::move(network));
}

void set_options(AlphaBetaEngine& engine, int multi_pv, std::int64_t move_overhead,
                 const std::vector<std::string>& without, const std::map<std::string, int>& parameters,
                 std::int64_t silence) {
    Options options;
    options.multi_pv = multi_pv;
    options.move_overhead = move_overhead;
    options.silence = silence;
    for (const std::string& name : without) {
        const FeatureInfo* found = nullptr;
        for (const FeatureInfo& feature : kFeatures)
            if (feature.name == name) found = &feature;
        if (!found) throw std::invalid_argument("no search feature '" + name + "'");
        options.features.*(found->flag) = false;
    }
    for (const auto& [name, value] : parameters) {
        const ParameterInfo* found = nullptr;
        for (const ParameterInfo& parameter : kParameters)
            if (parameter.name == name) found = &parameter;
        if (!found) throw std::invalid_argument("no search parameter '" + name + "'");
        if (value < found->low || value > found->high)
            throw std::invalid_argument("search parameter " + name + " must be " + std::to_string(found->low) + " to " +
                                        std::to_string(found->high) + ", got " + std::to_string(value));
        options.parameters.*(found->number) = value;
    }
    nb::gil_scoped_release release;
    engine.set_options(options);
}

void start(AlphaBetaEngine& engine, const PyPosition& position, std::optional<int> depth,
           std::optional<std::uint64_t> nodes, std::optional<int> mate, std::optional<std::int64_t> move_time,
           std::optional<std::int64_t> white_time, std::optional<std::int64_t> black_time, std::int64_t white_increment,
           std::int64_t black_increment, std::optional<int> moves_to_go, bool infinite, bool ponder,
           std::vector<chess::Move> search_moves, std::int64_t spent_us) {
    Limits limits;
    limits.depth = depth, limits.nodes = nodes, limits.mate = mate, limits.move_time = move_time;
    limits.time[0] = white_time, limits.time[1] = black_time;
    limits.increment[0] = white_increment, limits.increment[1] = black_increment;
    limits.moves_to_go = moves_to_go, limits.infinite = infinite, limits.ponder = ponder;
    limits.search_moves = std::move(search_moves);
    nb::gil_scoped_release release;
    engine.start(position.ptr, limits, spent_us);
}

Verdict search_now(AlphaBetaEngine& engine, const PyPosition& position, std::optional<int> depth,
                   std::optional<std::uint64_t> soft_nodes, std::optional<std::uint64_t> nodes) {
    Limits limits;
    limits.depth = depth, limits.soft_nodes = soft_nodes, limits.nodes = nodes;
    if (!depth && !soft_nodes && !nodes) throw std::invalid_argument("a search that nobody stops needs a limit");
    nb::gil_scoped_release release;
    return engine.search(position.ptr, limits);
}

std::optional<Event> next_event(AlphaBetaEngine& engine, int timeout_ms) {
    nb::gil_scoped_release release;
    return engine.next_event(timeout_ms);
}

void bind_events(nb::module_& module) {
    nb::class_<Info>(module, "SearchInfo", "What the search found so far, in the side to move's view.")
        .def_ro("depth", &Info::depth)
        .def_ro("selective_depth", &Info::selective_depth)
        .def_ro("multi_pv", &Info::multi_pv)
        .def_ro("score", &Info::score, "Centipawns; a mate in n plies is 32000 - n.")
        .def_prop_ro(
            "bound", [](const Info& info) { return int(info.bound); }, "0 exact, 1 lower bound, 2 upper bound.")
        .def_ro("nodes", &Info::nodes)
        .def_ro("time_ms", &Info::time_ms)
        .def_ro("table_fullness", &Info::table_fullness, "In thousandths.")
        .def_ro("ending_hits", &Info::ending_hits, "Answers of the endgame tables.")
        .def_ro("line", &Info::line);
    nb::class_<Verdict>(module, "SearchVerdict", "What a search stands by: an iteration's result, never a bound.")
        .def_prop_ro("move",
                     [](const Verdict& verdict) { return verdict.move ? std::optional(verdict.move) : std::nullopt; })
        .def_ro("score", &Verdict::score, "Centipawns; a mate in n plies is 32000 - n.")
        .def_ro("depth", &Verdict::depth);
    nb::class_<Progress>(module, "SearchProgress", "Where a long iteration is.")
        .def_ro("depth", &Progress::depth)
        .def_prop_ro(
            "move", [](const Progress& p) { return p.move ? std::optional(p.move) : std::nullopt; },
            "Of the root, being searched.")
        .def_ro("move_number", &Progress::move_number, "From 1.")
        .def_ro("nodes", &Progress::nodes)
        .def_ro("time_ms", &Progress::time_ms)
        .def_ro("table_fullness", &Progress::table_fullness, "In thousandths.")
        .def_ro("ending_hits", &Progress::ending_hits, "Answers of the endgame tables.");
    nb::class_<BestMove>(module, "SearchResult", "The last event of a search.")
        .def_prop_ro("move", [](const BestMove& best) { return best.move ? std::optional(best.move) : std::nullopt; })
        .def_prop_ro("ponder",
                     [](const BestMove& best) { return best.ponder ? std::optional(best.ponder) : std::nullopt; });
}

}  // namespace

void bind_alphabeta(nb::module_& module) {
    bind_events(module);
    nb::class_<chess::SyzygyTables>(module, "SyzygyTables", "The Syzygy tables of results (.rtbw) of some folders.")
        .def(nb::init<const std::vector<std::string>&>(), "folders"_a)
        .def_prop_ro("men", &chess::SyzygyTables::men, "Positions with more men are in no table.")
        .def(
            "probe",
            [](const chess::SyzygyTables& tables, const PyPosition& position) -> std::optional<int> {
                chess::State state;
                chess::Board board = position.ptr->copy_board(state);
                const auto result = tables.probe(board);
                return result ? std::optional<int>(int(*result)) : std::nullopt;
            },
            "position"_a,
            "2 for a win of the side to move, 0, -2; 1 and -1 where the fifty-move rule spoils it; None if unknown.");
    nb::class_<AlphaBetaEngine>(module, "AlphaBetaEngine",
                                "Alpha-beta search over a native evaluator, in threads of its own.")
        .def(nb::new_(&make_engine), "evaluator"_a = "handcrafted")
        .def(nb::new_(&make_network_engine), "network"_a, "is_hybrid"_a = false)
        .def(nb::new_(&make_giraffe_engine), "network"_a)
        .def("new_game", &AlphaBetaEngine::new_game, nb::call_guard<nb::gil_scoped_release>())
        .def("set_table_size", &AlphaBetaEngine::set_table_size, "megabytes"_a,
             nb::call_guard<nb::gil_scoped_release>())
        .def("clear_table", &AlphaBetaEngine::clear_table, nb::call_guard<nb::gil_scoped_release>())
        .def("set_threads", &AlphaBetaEngine::set_threads, "count"_a, nb::call_guard<nb::gil_scoped_release>())
        .def("set_options", &set_options, "multi_pv"_a = Options().multi_pv,
             "move_overhead"_a = Options().move_overhead, "without"_a = std::vector<std::string>(),
             "parameters"_a = std::map<std::string, int>(), "silence"_a = Options().silence,
             "`without` names search features to leave out, `parameters` numbers to change; after `silence` "
             "milliseconds "
             "without news a search tells where it is.")
        .def("set_endings", &AlphaBetaEngine::set_endings, "folders"_a, nb::call_guard<nb::gil_scoped_release>(),
             "Folders with Syzygy tables that the search asks, or none. RuntimeError if there are no tables in them.")
        .def("start", &start, "position"_a, nb::kw_only(), "depth"_a = nb::none(), "nodes"_a = nb::none(),
             "mate"_a = nb::none(), "move_time"_a = nb::none(), "white_time"_a = nb::none(),
             "black_time"_a = nb::none(), "white_increment"_a = 0, "black_increment"_a = 0,
             "moves_to_go"_a = nb::none(), "infinite"_a = false, "ponder"_a = false,
             "search_moves"_a = std::vector<chess::Move>(), "spent_us"_a = 0,
             "Times are milliseconds; `spent_us`, microseconds, is how long ago the order came.")
        .def("search", &search_now, "position"_a, nb::kw_only(), "depth"_a = nb::none(), "soft_nodes"_a = nb::none(),
             "nodes"_a = nb::none(),
             "Searches in the calling thread. `soft_nodes` ends the search after an iteration, `nodes` at once.")
        .def("next_event", &next_event, "timeout_ms"_a, "The next event, or None after the timeout.")
        .def_prop_ro("is_searching", &AlphaBetaEngine::is_searching)
        .def("stop", &AlphaBetaEngine::stop, nb::call_guard<nb::gil_scoped_release>())
        .def("ponder_hit", &AlphaBetaEngine::ponder_hit, "spent_us"_a = 0, nb::call_guard<nb::gil_scoped_release>())
        .def_prop_ro("nodes", &AlphaBetaEngine::nodes)
        .def(
            "evaluate",
            [](AlphaBetaEngine& engine, const PyPosition& position) { return engine.evaluate(position.ptr); },
            "position"_a, "The evaluator's verdict in centipawns, in the side to move's view.");
    module.def(
        "search_features",
        [] {
            std::vector<std::tuple<std::string, bool, std::string>> rows;
            for (const FeatureInfo& feature : kFeatures)
                rows.emplace_back(feature.name, feature.is_sound, feature.meaning);
            return rows;
        },
        "(name, whether it keeps the value of a fixed-depth search, meaning) of each part of the search.");
    module.def(
        "search_parameters",
        [] {
            std::vector<std::tuple<std::string, int, int, int, std::string>> rows;
            for (const ParameterInfo& parameter : kParameters)
                rows.emplace_back(parameter.name, parameter.standard, parameter.low, parameter.high, parameter.meaning);
            return rows;
        },
        "(name, standard value, lowest, highest, meaning) of each number of the search.");
}

}  // namespace philidor::bindings
