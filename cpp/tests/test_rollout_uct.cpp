// Rollout UCT: the tree's bookkeeping, what it converges to, and the thread around it.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <thread>

#include "games/chess/movegen.h"
#include "games/chess/notation.h"
#include "games/chess/rollout.h"
#include "games/native_games.h"
#include "players/rollout_uct.h"
#include "search/random.h"
#include "search/uct_search.h"

using namespace philidor;
using games::Connect4;
using games::Gomoku;
using games::Hexapawn;
using games::TicTacToe;
using search::UctEnd;
using search::UctSearch;
using search::UctStatistics;

namespace {

constexpr double kPatience = 60;  // seconds; only a hanging test waits for it

template <typename Root>
UctStatistics run(const Root& root, std::int64_t simulations, std::uint64_t seed, std::int64_t step = INT64_MAX) {
    auto tree = players::rollout_uct(root, {.seed = seed, .memory_mb = 64});
    while (simulations > 0) simulations -= tree->simulate(std::min(simulations, step));
    return tree->statistics();
}

int most_visited(const UctStatistics& statistics) {
    const auto& children = statistics.children;
    return int(std::max_element(children.begin(), children.end(),
                                [](const auto& a, const auto& b) { return a.visits < b.visits; }) -
               children.begin());
}

double mean(const search::UctChild& child) { return child.half_points / (2.0 * child.visits); }

std::optional<search::UctEvent> last_event(UctSearch& search) {
    for (;;) {
        auto event = search.next_event(kPatience);
        if (!event || event->end != UctEnd::kRunning) return event;
    }
}

}  // namespace

TEST_CASE("SplitMix64 draws the published sequence") {
    search::SplitMix64 random(1234567);
    CHECK(random.next() == 6457827717110365317ULL);
    CHECK(random.next() == 3203168211198807973ULL);
}

TEST_CASE("children share all visits, and their points are the root's results") {
    const auto check = [](const UctStatistics& s, std::int64_t simulations) {
        std::int64_t visits = 0, half_points = 0;
        for (const auto& child : s.children) {
            visits += child.visits;
            half_points += child.half_points;
        }
        CHECK(s.simulations == simulations);
        CHECK(visits == simulations);
        CHECK(s.wins + s.draws + s.losses == simulations);
        CHECK(half_points == 2 * s.wins + s.draws);
        CHECK(s.line.front() == most_visited(s));
    };
    check(run(Connect4(7, 6), 5000, 3), 5000);
    check(run(Gomoku(19, 19), 2000, 3), 2000);
}

TEST_CASE("the same seed grows the same tree, however the simulations are parted") {
    const UctStatistics whole = run(*chess::Position::start(), 300, 5),
                        parted = run(*chess::Position::start(), 300, 5, 7);
    const UctStatistics other = run(*chess::Position::start(), 300, 6);
    bool differs = false;
    for (std::size_t i = 0; i < whole.children.size(); ++i) {
        CHECK(whole.children[i].visits == parted.children[i].visits);
        CHECK(whole.children[i].half_points == parted.children[i].half_points);
        differs |= whole.children[i].half_points != other.children[i].half_points;
    }
    CHECK(whole.line == parted.line);
    CHECK(differs);
}

TEST_CASE("each move is tried once, in canonical order, before any is tried again") {
    const UctStatistics s = run(TicTacToe(), 4, 1);
    for (int i = 0; i < 9; ++i) CHECK(s.children[i].visits == (i < 4 ? 1 : 0));
    for (const auto& child : run(TicTacToe(), 9, 1).children) CHECK(child.visits == 1);
}

TEST_CASE("values converge to the game's: tic-tac-toe is drawn, hexapawn 3x3 lost, 4x4 won") {
    const UctStatistics draw = run(TicTacToe(), 400000, 1);
    CHECK(mean(draw.children[most_visited(draw)]) == doctest::Approx(0.5).epsilon(0.05));
    const UctStatistics lost = run(Hexapawn::start(3, 3), 100000, 1);
    for (const auto& child : lost.children) CHECK(mean(child) < 0.05);
    const UctStatistics won = run(Hexapawn::start(4, 4), 400000, 1);
    CHECK(mean(won.children[most_visited(won)]) > 0.95);
}

TEST_CASE("a win in one is found and a loss in one is parried") {
    // X on a1 and b1 wins on c1.
    CHECK(most_visited(run(TicTacToe(0b000000011, 0b000011000), 1000, 1)) == 0);
    // O on a2 and b2 threatens c2: squares left are c1, c2, a3, b3, c3.
    const UctStatistics parry = run(TicTacToe(0b001000001, 0b000011000), 20000, 1);
    CHECK(most_visited(parry) == 2);
}

TEST_CASE("in Fig. 3.1 two hundred simulations prefer Qxf7 mate") {
    const auto root = chess::Position::from_fen("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4");
    chess::MoveList moves = chess::legal_moves(root->board());
    chess::sort_canonical(moves);
    const chess::Move mate(chess::make_square(7, 4), chess::make_square(5, 6));
    const int index = chess::canonical_index(moves, mate);
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const UctStatistics s = run(*root, 200, seed);
        CHECK_MESSAGE(most_visited(s) == index, "seed ", seed);
        CHECK(mean(s.children[index]) == 1.0);
        CHECK(s.line.size() == 1);
    }
}

TEST_CASE("chess playouts end by the rules the position knows") {
    // Knights out and back: the third occurrence of the start position ends the game.
    chess::PositionPtr position = chess::Position::start();
    auto play = [&](const char* uci) {
        position = chess::Position::play(position, chess::parse_uci(position->board(), uci));
    };
    for (const char* uci : {"g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"}) play(uci);
    chess::Rollout rollout(*position);
    CHECK(rollout.result() == games::Result::kOngoing);
    const chess::Rollout copy = rollout;
    rollout.play(chess::parse_uci(position->board(), "f6g8").raw());
    CHECK(rollout.result() == games::Result::kDraw);
    CHECK(copy.result() == games::Result::kOngoing);
    // 99 quiet half moves: the hundredth draws, unless it mates.
    const auto clock = chess::Position::from_fen("7k/8/6K1/8/8/8/8/R7 w - - 99 80");
    chess::Rollout quiet(*clock), mate(*clock);
    quiet.play(chess::parse_uci(clock->board(), "a1a2").raw());
    CHECK(quiet.result() == games::Result::kDraw);
    mate.play(chess::parse_uci(clock->board(), "a1a8").raw());
    CHECK(mate.result() == games::Result::kFirstWins);
}

TEST_CASE("a playout over the limit is a draw") {
    auto tree = players::rollout_uct(*chess::Position::start(), {.playout_limit = 3});
    while (tree->statistics().simulations < 20) tree->simulate(20 - tree->statistics().simulations);
    CHECK(tree->statistics().draws == 20);  // nobody is mated on the fourth ply of twenty random games
}

TEST_CASE("a finished game cannot be searched") {
    CHECK_THROWS_AS(players::rollout_uct(TicTacToe(0b111, 0b11000), {}), std::invalid_argument);
    const auto stalemate = chess::Position::from_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    CHECK_THROWS_AS(players::rollout_uct(*stalemate, {}), std::invalid_argument);
}

TEST_CASE("a search ends by each of its limits and says so") {
    UctSearch search(players::rollout_uct(Connect4(7, 6), {.seed = 1, .memory_mb = 64}));
    CHECK_FALSE(search.next_event(kPatience));  // nothing runs: no waiting
    search.start({.simulations = 1000});
    auto event = last_event(search);
    REQUIRE(event);
    CHECK(event->end == UctEnd::kSimulations);
    CHECK(event->statistics.simulations == 1000);
    CHECK_FALSE(search.next_event(kPatience));
    search.start({.simulations = 500});  // goes on
    CHECK(last_event(search)->statistics.simulations == 1500);
    search.start({.seconds = 0.01});
    CHECK(last_event(search)->end == UctEnd::kTime);
    UctSearch small(players::rollout_uct(Connect4(7, 6), {.seed = 1, .memory_mb = 1}));
    small.start({});
    CHECK(last_event(small)->end == UctEnd::kMemory);
}

TEST_CASE("a running search reports, refuses a second start and stops when asked") {
    UctSearch search(players::rollout_uct(*chess::Position::start(), {}));
    search.start({.report_every = 0.001});
    CHECK_THROWS_AS(search.start({}), std::logic_error);
    const auto progress = search.next_event(kPatience);
    REQUIRE(progress);
    CHECK(progress->end == UctEnd::kRunning);
    std::thread stopper([&] { search.stop(); });
    const auto last = last_event(search);
    stopper.join();
    REQUIRE(last);
    CHECK(last->end == UctEnd::kStopped);
    CHECK(last->statistics.simulations >= progress->statistics.simulations);
    search.start({});  // the destructor ends this one
}
