// AlphaGo's linear policies for Python: their features, their training on recorded games, and what they expect.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unordered_map.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/arrays.h"
#include "bindings/held_index.h"
#include "evaluators/patterns/policy.h"
#include "evaluators/patterns/rollout.h"
#include "search/random.h"
#include "train/pattern_trainer.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace philidor::bindings {

namespace {

namespace patterns = evaluators::patterns;
using games::Go;
using games::go::Point;
using patterns::Kind;
using train::PatternTally;
using train::PatternTrainer;
using train::PatternWalk;

using Keys = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <typename A>
auto vector_of(const A& array) {
    return std::vector(array.data(), array.data() + array.size());
}
patterns::Shapes shapes_of(const Keys& squares, const Keys& responses, const Keys& diamonds) {
    return {vector_of(squares), vector_of(responses), vector_of(diamonds)};
}
template <typename T>
Array1<T> array_of(std::vector<T> values) {
    const std::size_t size = values.size();
    return to_numpy<Array1<T>>(std::move(values), {size});
}

std::vector<Point> points_of(const Go& state, const std::vector<int>& squares) {
    std::vector<Point> points;
    for (const int square : squares) {
        if (square < 0 || square >= state.area()) throw std::invalid_argument("no such square");
        points.push_back(state.board().point_of(square));
    }
    return points;
}

// (square, kind, canonical key) of every feature.
struct FeatureList {
    const Go& state;
    int square = 0;
    std::vector<std::tuple<int, int, std::uint64_t>> found = {};

    void begin(Point p) { square = state.board().square_of(p); }
    void add(Kind kind, std::uint64_t key) {
        if (kind == Kind::kSquare) key = patterns::canonical(key, patterns::kSquareImages);
        if (kind == Kind::kResponse || kind == Kind::kDiamond) key = patterns::canonical(key, patterns::kDiamondImages);
        found.emplace_back(square, int(kind), key);
    }
};

void check_ongoing(const Go& state) {
    if (state.result() != games::Result::kOngoing) throw std::invalid_argument("the game is over");
}

auto feature_list(const Go& state, const std::vector<int>& captured, bool is_tree) {
    check_ongoing(state);
    FeatureList list{state};
    const std::vector<Point> points = points_of(state, captured);
    patterns::for_each_feature({state, points}, is_tree, list);
    return list.found;
}

using Chances = std::tuple<Array1<std::int32_t>, Array1<float>>;

Chances evaluate(const patterns::Policy& policy, const Go& state, const std::vector<int>& captured) {
    check_ongoing(state);
    std::vector<patterns::Book::Move> moves;
    std::vector<float> chances;
    policy.evaluate({state, points_of(state, captured)}, moves, chances);
    std::vector<std::int32_t> squares;
    for (const auto& move : moves) squares.push_back(state.board().square_of(move.point));
    return {array_of(std::move(squares)), array_of(std::move(chances))};
}

// Arrays that own their numbers need nobody to keep them alive.
constexpr auto kOwned = nb::rv_policy::move;

// A policy with what playing by it needs.
struct Rollouts {
    explicit Rollouts(const patterns::Policy& policy) : policy(policy) {}
    patterns::RolloutPolicy policy;

    patterns::Rollout start(const Go& state, const std::vector<int>& captured) const {
        return {policy, state, points_of(state, captured)};
    }
    // (moves of all, Black's wins, White's wins): plays the position out many times.
    std::tuple<std::int64_t, int, int> run(const Go& state, const std::vector<int>& captured, int count,
                                           std::uint64_t seed) const {
        search::SplitMix64 random(seed);
        const patterns::Rollout first = start(state, captured);
        std::int64_t moves = 0;
        int black = 0, white = 0;
        for (int i = 0; i < count; ++i) {
            patterns::Rollout rollout = first;
            const games::go::Playout end = rollout.run(3 * state.area(), random);
            moves += end.moves;
            const double score = end.score - state.rules().komi;
            black += score > 0;
            white += score < 0;
        }
        return {moves, black, white};
    }
    // The moves of one rollout, the pass being the number of squares, each with the chances that it was drawn by.
    std::vector<std::pair<int, std::vector<float>>> walk(const Go& state, const std::vector<int>& captured, int plies,
                                                         std::uint64_t seed) const {
        search::SplitMix64 random(seed);
        patterns::Rollout rollout = start(state, captured);
        std::vector<std::pair<int, std::vector<float>>> line;
        for (int i = 0; i < plies; ++i) {
            std::vector<float> chances = rollout.chances();
            const Point p = rollout.draw(random);
            line.emplace_back(p == games::go::kNoPoint ? state.area() : state.board().square_of(p), std::move(chances));
            rollout.play(p);
        }
        return line;
    }
};

using Tally = std::tuple<std::uint64_t, std::uint64_t, double>;
Tally as_tuple(const PatternTally& tally) { return {tally.positions, tally.hits, tally.loss}; }

void bind_policy(nb::module_& module) {
    module.def("pattern_features", &feature_list, "state"_a, "captured"_a, "is_tree"_a,
               "(square, kind, canonical key) of every feature of the legal points.");
    nb::class_<patterns::Policy>(module, "PatternPolicy", "A linear softmax over pattern features.")
        .def(
            "__init__",
            [](patterns::Policy* self, const Keys& squares, const Keys& responses, const Keys& diamonds,
               const Numbers& weights, bool is_tree) {
                new (self) patterns::Policy(patterns::Book(shapes_of(squares, responses, diamonds), is_tree),
                                            vector_of(weights));
            },
            "squares"_a, "responses"_a, "diamonds"_a, "weights"_a, "is_tree"_a)
        .def("evaluate", &evaluate, "state"_a, "captured"_a,
             "The legal points and their probabilities; `captured` are the squares that the last move took.");
}

void bind_rollouts(nb::module_& module) {
    nb::class_<Rollouts>(module, "PatternRollouts", "Games played out by a rollout policy.")
        .def(nb::init<const patterns::Policy&>(), "policy"_a, nb::keep_alive<1, 2>())
        .def("run", &Rollouts::run, "state"_a, "captured"_a, "count"_a, "seed"_a,
             nb::call_guard<nb::gil_scoped_release>(),
             "(moves of all, Black's wins, White's wins) of many rollouts from one position.")
        .def("walk", &Rollouts::walk, "state"_a, "captured"_a, "plies"_a, "seed"_a,
             "The first moves of a rollout, each with the chances of all squares before it.");
}

void bind_trainer(nb::module_& module) {
    nb::class_<PatternWalk>(module, "PatternWalk", "Which positions a visit to a game takes.")
        .def(nb::init<>())
        .def_rw("passes", &PatternWalk::passes)
        .def_rw("seed", &PatternWalk::seed)
        .def_rw("is_shuffled", &PatternWalk::is_shuffled);
    nb::class_<PatternTrainer>(module, "PatternTrainer", "Learns a linear policy from recorded games.")
        .def(nb::init<PatternTrainer::Starts, bool>(), "starts"_a, "is_tree"_a)
        .def(
            "count",
            [](PatternTrainer& trainer, const HeldIndex& games, const PatternWalk& walk, std::uint64_t first,
               std::uint64_t end) { trainer.count(*games.index, walk, first, end); },
            "games"_a, "walk"_a, "first"_a, "end"_a, nb::call_guard<nb::gil_scoped_release>(),
            "Counts the shapes at the moves of these visits.")
        .def("choose", &PatternTrainer::choose, "squares"_a, "responses"_a, "diamonds"_a,
             "Takes the shapes that were counted at least this often.")
        .def(
            "restore",
            [](PatternTrainer& trainer, const Keys& squares, const Keys& responses, const Keys& diamonds,
               const Numbers& weights, const Numbers& sums) {
                trainer.restore(shapes_of(squares, responses, diamonds), vector_of(weights), vector_of(sums));
            },
            "squares"_a, "responses"_a, "diamonds"_a, "weights"_a, "gradient_squares"_a)
        .def(
            "learn",
            [](PatternTrainer& trainer, const HeldIndex& games, const PatternWalk& walk, std::uint64_t first,
               std::uint64_t end, float rate) { return as_tuple(trainer.learn(*games.index, walk, first, end, rate)); },
            "games"_a, "walk"_a, "first"_a, "end"_a, "rate"_a, nb::call_guard<nb::gil_scoped_release>(),
            "(positions, hits, sum of losses) of these visits, each before it was learned from.")
        .def(
            "measure",
            [](PatternTrainer& trainer, const HeldIndex& games, const PatternWalk& walk, std::uint64_t first,
               std::uint64_t end) { return as_tuple(trainer.measure(*games.index, walk, first, end)); },
            "games"_a, "walk"_a, "first"_a, "end"_a, nb::call_guard<nb::gil_scoped_release>(),
            "(positions, hits, sum of losses) of these visits.")
        .def_prop_ro(
            "squares", [](const PatternTrainer& t) { return array_of(t.shapes().squares); }, kOwned)
        .def_prop_ro(
            "responses", [](const PatternTrainer& t) { return array_of(t.shapes().responses); }, kOwned)
        .def_prop_ro(
            "diamonds", [](const PatternTrainer& t) { return array_of(t.shapes().diamonds); }, kOwned)
        .def_prop_ro(
            "weights", [](const PatternTrainer& t) { return array_of(t.weights()); }, kOwned)
        .def_prop_ro(
            "gradient_squares", [](const PatternTrainer& t) { return array_of(t.gradient_squares()); }, kOwned);
}

}  // namespace

void bind_patterns(nb::module_& module) {
    bind_policy(module);
    bind_rollouts(module);
    bind_trainer(module);
}

}  // namespace philidor::bindings
