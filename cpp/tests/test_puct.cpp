// PUCT's tree under a made-up network: nothing is lost or counted twice, however leaves are batched, given up or kept.
#include <doctest/doctest.h>

#include <numeric>

#include "games/chess/line.h"
#include "games/connect4.h"
#include "games/gomoku.h"
#include "games/tictactoe.h"
#include "search/puct/search_of.h"
#include "search/random.h"

using namespace philidor;
using search::kNoNode;
using search::PuctNode;
using search::PuctSearchOf;
using search::PuctSettings;
using search::PuctTree;

namespace {

// Opinions out of a hat.
template <typename G>
void answer(PuctSearchOf<G>& search, const typename PuctSearchOf<G>::Leaf& leaf, search::SplitMix64& random) {
    std::vector<float> priors;
    for (int i = 0; i < leaf.state.move_count(); ++i) priors.push_back(float(1 + random.below(100)));
    const float total = std::accumulate(priors.begin(), priors.end(), 0.0F);
    for (float& prior : priors) prior /= total;
    search.apply(leaf, priors, (random.below(201) - 100) / 100.0, random.below(101) / 1000.0);
}

// Every visit of an open node but its own first went on to a child; nothing is under way.
void check(const PuctTree& tree) {
    std::vector<search::NodeId> todo{PuctTree::kRoot};
    while (!todo.empty()) {
        const PuctNode& node = tree.node(todo.back());
        todo.pop_back();
        REQUIRE(node.in_flight == 0);
        REQUIRE(!node.is_pending);
        std::uint64_t below = 0;
        for (int place = 0; place < node.edge_count; ++place)
            if (const search::NodeId child = tree.edge(node, place).child; child != kNoNode) {
                below += tree.node(child).visits;
                todo.push_back(child);
            }
        if (node.proven == PuctNode::kOpen && node.edge_count) REQUIRE(node.visits == 1 + below);
    }
}

template <typename G>
void play_a_game(const G& start, std::uint64_t seed, int batch, int simulations) {
    search::SplitMix64 random(seed);
    PuctSettings settings;
    settings.noise = 0.25;
    settings.seed = seed;
    settings.is_gumbel = seed % 2 == 0;
    PuctSearchOf<G> search(start, settings);
    while (search.root().result() == games::Result::kOngoing) {
        while (search.tree().root().visits < std::uint32_t(simulations) && !search.is_settled()) {
            auto leaves = search.collect(batch, simulations);
            if (leaves.empty() && search.is_settled()) break;
            for (const auto& leaf : leaves)
                if (random.below(10) == 0)
                    search.cancel(leaf);
                else
                    answer(search, leaf, random);
        }
        check(search.tree());
        search.advance(search.tree().root().edge_count ? search.tree().best_place(search.tree().root()) : 0);
        check(search.tree());
    }
}

}  // namespace

TEST_CASE("puct: whole games keep their books, one leaf at a time and many") {
    for (const int batch : {1, 8})
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            play_a_game(games::TicTacToe(), seed, batch, 60);
            play_a_game(games::Connect4(7, 6), seed, batch, 60);
        }
    play_a_game(chess::Line(chess::Position::from_fen("8/8/8/3k4/8/8/4Q3/4K3 w - - 90 90")), 1, 8, 100);
    for (const std::uint64_t seed : {1, 2}) play_a_game(games::Gomoku(19, 19), seed, 8, 16);
}

TEST_CASE("puct: a proven root stops the search") {
    search::SplitMix64 random(3);
    // X to move wins at c1 or b3.
    PuctSearchOf<games::TicTacToe> search(games::TicTacToe(0b000000011, 0b000011000), PuctSettings{});
    while (!search.is_settled())
        for (const auto& leaf : search.collect(4, 1000)) answer(search, leaf, random);
    CHECK(search.tree().root().proven == -1);  // for the player who moved to the root
    CHECK(search.collect(4, 1000).empty());
    const PuctNode& root = search.tree().root();
    CHECK(search.tree().node(search.tree().edge(root, search.tree().best_place(root)).child).proven == 1);
}

TEST_CASE("puct: what does not fit is refused") {
    PuctSearchOf<games::TicTacToe> search(games::TicTacToe(), PuctSettings{});
    const auto leaves = search.collect(1, 10);
    REQUIRE(leaves.size() == 1);
    const std::vector<float> priors(4, 0.25F);
    CHECK_THROWS_AS(search.apply(leaves[0], priors, 0, 0), std::invalid_argument);
    CHECK_THROWS_AS(search.advance(0), std::logic_error);
    search.cancel(leaves[0]);
    CHECK_THROWS_AS(search.advance(9), std::invalid_argument);
    CHECK_THROWS_AS(PuctSearchOf<games::TicTacToe>(games::TicTacToe(0b111, 0b011000), PuctSettings{}),
                    std::invalid_argument);
}

// Takes half a minute and 1.5 GB: philidor_tests_v3 --no-skip -tc="puct: ten million*"
TEST_CASE("puct: ten million nodes have at most 64 bytes each, and their edges 16" * doctest::skip()) {
    search::SplitMix64 random(1);
    PuctSettings settings;
    settings.prove = false;
    settings.memory_mb = 1 << 20;
    PuctSearchOf<games::Connect4> search(games::Connect4(7, 6), settings);
    while (search.tree().size() < 10'000'000) {
        const auto leaf = search.next(1'000'000'000);
        REQUIRE(leaf);
        answer(search, *leaf, random);
    }
    const PuctTree& tree = search.tree();
    MESSAGE(tree.size(), " nodes, ", tree.edge_count(), " edges, ", tree.bytes(), " bytes");
    CHECK(tree.bytes() <= 64 * std::size_t(tree.size()) + 16 * std::size_t(tree.edge_count()));
    check(tree);
    search.advance(tree.best_place(tree.root()));
    check(search.tree());
}

TEST_CASE("puct: segments grow without moving what is there") {
    search::Segments<int, 4> numbers;
    std::vector<std::uint32_t> firsts;
    for (std::uint32_t count = 1; count < 300; ++count) {
        firsts.push_back(numbers.add(count));
        for (std::uint32_t i = 0; i < count; ++i) numbers[firsts.back() + i] = int(100 * count + i);
    }
    for (std::uint32_t count = 1; count < 300; ++count)
        for (std::uint32_t i = 0; i < count; ++i) CHECK(numbers[firsts[count - 1] + i] == int(100 * count + i));
}
