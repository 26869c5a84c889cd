// AlphaGo's search: what adds up in every tree, and that threads change nothing. tests/search/test_native_apv.py has
// the comparison with the reference.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include "games/go/go.h"
#include "search/apv.h"

using namespace philidor;
using games::Go;
using search::ApvParts;
using search::ApvPosition;
using search::ApvSettings;
using search::ApvTree;

namespace {

double number_of(std::uint64_t key) { return double(search::SplitMix64(key).next() >> 11) * 0x1p-53; }

double rollout(const ApvPosition& position, std::uint64_t seed) {
    search::SplitMix64 random(seed);
    Go state = position.state;
    const int mover = state.to_move();
    const games::Result result = state.playout(random, 100).result;
    return result == games::Result::kDraw ? 0.0 : result == games::win_of(mover) ? 1.0 : -1.0;
}

void tree_policy(const ApvPosition& position, std::vector<double>& priors) {
    for (std::size_t i = 0; i < priors.size(); ++i) priors[i] = number_of(position.state.board().key() + i);
}

// Answers the oldest group by numbers that depend on the positions alone.
void answer(ApvTree& tree) {
    std::vector<float> priors, values;
    for (const ApvTree::Node* node : tree.waiting().policies)
        for (std::size_t i = 0; i < node->edges.size(); ++i)
            priors.push_back(float(number_of(~node->position->state.board().key() - i)));
    for (const ApvTree::Edge* edge : tree.waiting().values)
        values.push_back(float(2 * number_of(edge->position->state.board().key() * 3) - 1));
    tree.answer(priors, values);
}

std::unique_ptr<ApvTree> grown(int simulations, int batch, std::size_t lag, const ApvSettings& settings) {
    const Go root(5, 5, games::go::Rules{7.5, games::go::KoRule::kPositional, true, 60});
    auto tree = std::make_unique<ApvTree>(ApvPosition{root, {}}, settings, ApvParts{rollout, tree_policy});
    answer(*tree);
    for (int done = 0; done < simulations; done += batch) {
        tree->group(batch);
        if (tree->waiting_groups() > lag) answer(*tree);
    }
    while (tree->waiting_groups() > 0) answer(*tree);
    return tree;
}

// What went into a position goes on from it, but for the visits before it joined the tree.
void check_sums(const ApvTree::Node& node, const ApvSettings& settings) {
    double priors = 0;
    for (const ApvTree::Edge& edge : node.edges) {
        priors += edge.prior;
        CHECK(edge.rollout_count >= 0);
        CHECK(std::abs(edge.rollout_sum) <= edge.rollout_count);
        CHECK(edge.value_count == (settings.mixing < 1 ? edge.rollout_count : 0));
        CHECK(edge.waiting.empty());
        if (edge.node == nullptr) continue;
        int below = 0;
        for (const ApvTree::Edge& child : edge.node->edges) below += child.rollout_count;
        // The simulation that made it join did not go on from it; virtual losses count towards the threshold.
        CHECK(edge.rollout_count > below);
        check_sums(*edge.node, settings);
    }
    CHECK(priors == doctest::Approx(1));
}

}  // namespace

TEST_CASE("visits, values and priors add up in every position of the tree") {
    for (const double mixing : {0.0, 0.5, 1.0})
        for (const int lag : {0, 1, 3}) {
            const ApvSettings settings{.mixing = mixing, .threshold = 3, .seed = 7};
            const auto tree = grown(400, 8, std::size_t(lag), settings);
            int visits = 0;
            for (const ApvTree::Edge& edge : tree->root().edges) visits += edge.rollout_count;
            CHECK(visits == 400);
            CHECK(tree->simulations() == 400);
            check_sums(tree->root(), settings);
        }
}

TEST_CASE("threads change nothing") {
    const auto one = grown(320, 16, 1, {.threshold = 1, .threads = 1, .seed = 3});
    const auto three = grown(320, 16, 1, {.threshold = 1, .threads = 3, .seed = 3});
    for (std::size_t i = 0; i < one->root().edges.size(); ++i) {
        CHECK(one->root().edges[i].rollout_count == three->root().edges[i].rollout_count);
        CHECK(one->root().edges[i].rollout_sum == three->root().edges[i].rollout_sum);
        CHECK(one->root().edges[i].value_sum == three->root().edges[i].value_sum);
    }
}

TEST_CASE("what makes no sense is refused") {
    const Go root(5, 5, games::go::Rules{});
    CHECK_THROWS_AS(ApvTree({root, {}}, {}, {}), std::invalid_argument);  // no rollouts
    Go over = root;
    over.play(games::MoveCode(25));
    over.play(games::MoveCode(25));
    CHECK_THROWS_AS(ApvTree({over, {}}, {}, {rollout, {}}), std::invalid_argument);
    ApvTree tree({root, {}}, {}, {rollout, {}});
    CHECK_THROWS_AS(tree.answer({}, {}), std::invalid_argument);
    answer(tree);
    CHECK_THROWS_AS(tree.answer({}, {}), std::invalid_argument);  // nothing was asked
}
