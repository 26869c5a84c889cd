// AlphaGo's search for Python: groups of simulations without the GIL, what they ask the networks as encoded batches.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/alphago_batch.h"
#include "evaluators/patterns/policy.h"
#include "evaluators/patterns/rollout.h"
#include "search/apv.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace philidor::bindings {

namespace {

namespace patterns = evaluators::patterns;
using games::Go;
using search::ApvParts;
using search::ApvPosition;
using search::ApvSettings;
using search::ApvTree;

// Left for the pass, of which the linear policies know nothing. As in evaluators/patterns.
constexpr float kPassPrior = 1e-4f;

ApvPosition position_of(const Go& state, const std::vector<int>& captured) {
    ApvPosition position{state, {}};
    for (const int square : captured) {
        if (square < 0 || square >= state.area()) throw std::invalid_argument("no such square");
        position.captured.push_back(state.board().point_of(square));
    }
    return position;
}

double play_out(const patterns::RolloutPolicy& policy, const ApvPosition& position, std::uint64_t seed) {
    search::SplitMix64 random(seed);
    patterns::Rollout rollout(policy, position.state, position.captured);
    const games::go::Playout end = rollout.run(3 * position.state.area(), random);
    const double score = end.score - position.state.rules().komi, black = score > 0 ? 1 : score < 0 ? -1 : 0;
    return position.state.to_move() == 0 ? black : -black;
}

void tree_priors(const patterns::Policy& policy, const ApvPosition& position, std::vector<double>& priors) {
    if (priors.size() == 1) return;  // the pass alone
    std::vector<patterns::Book::Move> moves;
    std::vector<float> chances;
    policy.evaluate({position.state, position.captured}, moves, chances);
    for (std::size_t i = 0; i < chances.size(); ++i) priors[i] = chances[i] * (1 - kPassPrior);
    priors.back() = kPassPrior;
}

using Answers = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Row = std::tuple<int, int, double, double, int, double, double>;

const ApvTree::Questions& waiting(const ApvTree& tree) {
    if (tree.waiting_groups() == 0) throw std::invalid_argument("nothing was asked");
    return tree.waiting();
}

// (move, Nr, Wr, P, Nv, Wv, Q) of the moves of the root.
std::vector<Row> rows_of(const ApvTree& tree, double mixing) {
    std::vector<Row> rows;
    for (const ApvTree::Edge& edge : tree.root().edges)
        rows.emplace_back(int(edge.move), edge.rollout_count, edge.rollout_sum, edge.prior, edge.value_count,
                          edge.value_sum, edge.mean(mixing));
    return rows;
}

// A tree with the policies that it plays out by and begins its positions with.
struct Search {
    ApvSettings settings;
    std::optional<patterns::RolloutPolicy> rollouts;
    std::unique_ptr<ApvTree> tree;

    Search(const Go& root, const std::vector<int>& captured, const ApvSettings& settings,
           const patterns::Policy* rollout, const patterns::Policy* tree_policy)
        : settings(settings) {
        ApvParts parts;
        if (rollout != nullptr) {
            rollouts.emplace(*rollout);
            parts.rollout = [this](const ApvPosition& position, std::uint64_t seed) {
                return play_out(*rollouts, position, seed);
            };
        }
        if (tree_policy != nullptr)
            parts.tree_policy = [tree_policy](const ApvPosition& position, std::vector<double>& priors) {
                tree_priors(*tree_policy, position, priors);
            };
        tree = std::make_unique<ApvTree>(position_of(root, captured), settings, std::move(parts));
    }
};

}  // namespace

void bind_apv(nb::module_& module) {
    nb::class_<ApvSettings>(module, "ApvSettings", "Knobs of APV-MCTS.")
        .def(nb::init<>())
        .def_rw("mixing", &ApvSettings::mixing)
        .def_rw("c_puct", &ApvSettings::c_puct)
        .def_rw("policy_temperature", &ApvSettings::policy_temperature)
        .def_rw("threshold", &ApvSettings::threshold)
        .def_rw("virtual_loss", &ApvSettings::virtual_loss)
        .def_rw("threads", &ApvSettings::threads)
        .def_rw("seed", &ApvSettings::seed);
    nb::class_<Search>(module, "GoApv", "A search of AlphaGo's that is under way.")
        .def(nb::init<const Go&, const std::vector<int>&, const ApvSettings&, const patterns::Policy*,
                      const patterns::Policy*>(),
             "root"_a, "captured"_a, "settings"_a, "rollout"_a.none(), "tree_policy"_a.none(), nb::keep_alive<1, 5>(),
             nb::keep_alive<1, 6>())
        .def(
            "group", [](Search& search, int simulations) { search.tree->group(simulations); }, "simulations"_a,
            nb::call_guard<nb::gil_scoped_release>(), "Runs simulations together, rollouts and all.")
        .def_prop_ro(
            "waiting_groups", [](const Search& search) { return search.tree->waiting_groups(); },
            "Groups whose questions have no answer yet.")
        .def(
            "policy_questions",
            [](const Search& search, int planes) {
                return encode_positions(waiting(*search.tree).policies, search.tree->root().position->state, planes,
                                        [](const ApvTree::Node& node) -> const Go& { return node.position->state; });
            },
            "planes"_a, "(planes, scalars, legal offsets, legal indices) of what the oldest group asks of the policy.")
        .def(
            "policy_positions",
            [](const Search& search) {
                std::vector<std::pair<Go, std::vector<int>>> found;
                for (const ApvTree::Node* node : waiting(*search.tree).policies) {
                    const ApvPosition& position = *node->position;
                    std::vector<int> captured;
                    for (const games::go::Point p : position.captured)
                        captured.push_back(position.state.board().square_of(p));
                    found.emplace_back(position.state, std::move(captured));
                }
                return found;
            },
            "The same as states, each with the squares that the last move took.")
        .def(
            "value_questions",
            [](const Search& search, int planes) {
                return encode_positions(waiting(*search.tree).values, search.tree->root().position->state, planes,
                                        [](const ApvTree::Edge& edge) -> const Go& { return edge.position->state; });
            },
            "planes"_a, "(planes, scalars, legal offsets, legal indices) of what it asks of the value network.")
        .def(
            "answer",
            [](Search& search, const Answers& priors, const Answers& values) {
                search.tree->answer({priors.data(), priors.size()}, {values.data(), values.size()});
            },
            "priors"_a, "values"_a, "Answers the oldest group: probabilities of all legal moves in turn, and values.")
        .def_prop_ro(
            "simulations", [](const Search& search) { return search.tree->simulations(); }, "So far.")
        .def(
            "rows", [](const Search& search) { return rows_of(*search.tree, search.settings.mixing); },
            "(move, Nr, Wr, P, Nv, Wv, Q) of the moves of the root.");
}

}  // namespace philidor::bindings
