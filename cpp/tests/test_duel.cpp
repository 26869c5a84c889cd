// Games between two engines: what ends them, and that they depend on nothing but the engines and the start.
#include <doctest/doctest.h>

#include <algorithm>
#include <thread>

#include "arena/duel.h"
#include "games/chess/movegen.h"
#include "players/classic.h"

using namespace philidor;
using namespace philidor::arena;
using namespace philidor::chess;

namespace {

struct Players {
    std::unique_ptr<search::AlphaBetaEngine> first = players::make_classic_engine(),
                                             second = players::make_classic_engine();
    Players() { first->set_table_size(1), second->set_table_size(1); }
};

search::Limits of_nodes(std::uint64_t nodes) {
    search::Limits limits;
    limits.nodes = nodes;
    return limits;
}

DuelGame play(const char* fen, int white, const DuelRules& rules, std::uint64_t first, std::uint64_t second) {
    Players players;
    Duel duel(*players.first, *players.second, rules);
    const search::Limits limits[2] = {of_nodes(first), of_nodes(second)};
    const std::optional<DuelGame> game = duel.play(Position::from_fen(fen), white, limits);
    REQUIRE(game.has_value());
    return *game;
}

constexpr const char* kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
constexpr const char* kQueenUp = "4k3/8/8/8/8/8/3Q4/4K3 w - - 0 1";

bool is_same(const DuelGame& a, const DuelGame& b) {
    return a.winner == b.winner && a.reason == b.reason &&
           std::equal(a.moves.begin(), a.moves.end(), b.moves.begin(), b.moves.end(),
                      [](const DuelMove& x, const DuelMove& y) { return x.move == y.move && x.score == y.score; });
}

}  // namespace

TEST_CASE("engines of the same settings play the same game with either color, and limits go with the engine") {
    DuelRules rules;
    rules.max_moves = 12;
    const DuelGame game = play(kStart, 0, rules, 600, 600);
    CHECK(game.moves.size() == 24);
    CHECK(game.reason == "adjudication: too many moves");
    CHECK(is_same(game, play(kStart, 1, rules, 600, 600)));
    const DuelGame uneven = play(kStart, 0, rules, 600, 60);
    CHECK(!is_same(game, uneven));
    CHECK(is_same(uneven, play(kStart, 1, rules, 60, 600)));
    for (std::size_t i = 0; i < uneven.moves.size(); ++i) CHECK(uneven.moves[i].nodes <= (i % 2 == 0 ? 700u : 300u));
}

TEST_CASE("a clear game is called only where the rules say so") {
    DuelRules rules;
    const DuelGame mated = play(kQueenUp, 0, rules, 3000, 3000);
    CHECK(mated.reason == "checkmate");
    CHECK(mated.winner == kWhite);
    rules.resign_score = 400;
    rules.resign_moves = 2;
    const DuelGame called = play(kQueenUp, 0, rules, 3000, 3000);
    CHECK(called.reason == "adjudication: won by score");
    CHECK(called.winner == kWhite);
    CHECK(called.moves.size() == 4);
    rules = {};
    rules.draw_score = 30000;
    rules.draw_moves = 3;
    rules.draw_after = 0;
    const DuelGame drawn = play(kStart, 0, rules, 100, 100);
    CHECK(drawn.winner == -1);
    CHECK(drawn.moves.size() == 6);
}

TEST_CASE("a duel stops when another thread says so") {
    Players players;
    Duel duel(*players.first, *players.second, {});
    const search::Limits limits[2] = {of_nodes(1u << 30), of_nodes(1u << 30)};
    std::atomic<bool> has_ended{false};
    std::optional<DuelGame> game = DuelGame{};
    std::thread thread([&] {
        game = duel.play(Position::start(), 0, limits);
        has_ended = true;
    });
    while (!has_ended) {
        duel.stop();
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    thread.join();
    CHECK(!game.has_value());
}
