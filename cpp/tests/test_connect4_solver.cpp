// The connect four solver against plain minimax, and its limits; tests/search compares it with the Python solver.
#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "search/connect4_solver.h"
#include "search/random.h"

using philidor::games::Connect4;
using philidor::games::Result;
using philidor::search::Connect4Solver;
using philidor::search::plies_to_end;

namespace {

using Scores = std::optional<std::vector<int>>;

// Plain minimax, by the definition: the winner's stones that are left when the game ends, and one more.
int minimax(const Connect4& state) {
    const int left = std::popcount(state.cells() & ~(state.stones(0) | state.stones(1)));
    if (state.result() == Result::kDraw) return 0;
    if (state.result() != Result::kOngoing) return -(left / 2 + 1);
    int best = -100;
    for (int i = 0; i < state.move_count(); ++i) {
        Connect4 next = state;
        next.play(state.nth_move(i));
        best = std::max(best, -minimax(next));
    }
    return best;
}

}  // namespace

TEST_CASE("late positions have the scores of plain minimax") {
    philidor::search::SplitMix64 random(1);
    Connect4Solver solver(1);
    int compared = 0;
    for (const Connect4& empty : {Connect4(7, 6), Connect4(4, 4), Connect4(5, 5), Connect4(1, 63), Connect4(2, 31),
                                  Connect4(16, 3), Connect4(32, 1), Connect4(8, 7)}) {
        for (int game = 0; game < 60; ++game) {
            Connect4 state = empty;
            while (state.result() == Result::kOngoing) {
                const int left = std::popcount(state.cells() & ~(state.stones(0) | state.stones(1)));
                if (left <= 9) {
                    CAPTURE(empty.width());
                    CAPTURE(state.stones(0));
                    CAPTURE(state.stones(1));
                    CHECK(solver.score(state) == minimax(state));
                    ++compared;
                }
                state.play(state.nth_move(random.below(state.move_count())));
            }
        }
    }
    CHECK(compared > 500);
}

TEST_CASE("connect four on 4x4 and 5x4 is drawn, on 6x4 the second player wins") {
    Connect4Solver solver(8);
    CHECK(solver.move_scores(Connect4(4, 4)) == Scores({0, 0, 0, 0}));
    CHECK(solver.move_scores(Connect4(5, 4)) == Scores({-1, 0, 0, 0, -1}));
    CHECK(solver.score(Connect4(6, 4)) == -1);
    CHECK(plies_to_end(Connect4(6, 4), -1) == 24);
}

TEST_CASE("a perfect game keeps its score and ends when it must") {
    Connect4Solver solver(8);
    Connect4 state(5, 4);
    state.play(state.nth_move(0));
    int score = *solver.score(state);
    const std::vector<int> line = *solver.line(state);
    CHECK(int(line.size()) == plies_to_end(state, score));
    for (const int place : line) {
        REQUIRE(state.result() == Result::kOngoing);
        CHECK(solver.score(state) == score);
        state.play(state.nth_move(place));
        score = -score;
    }
    CHECK(state.result() == Result::kSecondWins);
}

TEST_CASE("limits and stops end a call, and the next one is right again") {
    Connect4Solver solver(1);
    CHECK(!solver.score(Connect4(7, 6), 1000));
    CHECK(solver.nodes() == 1000);
    std::thread other([&] { solver.stop(); });
    CHECK(!solver.move_scores(Connect4(7, 6)));
    other.join();
    CHECK(!solver.line(Connect4(7, 6)));
    solver.resume();
    CHECK(solver.score(Connect4(4, 4)) == 0);
}

TEST_CASE("finished games and tables without room are refused") {
    Connect4Solver solver(1);
    CHECK_THROWS_AS(solver.score(Connect4(4, 4, 0b1111, 0b111 << 5)), std::invalid_argument);
    CHECK_THROWS_AS(Connect4Solver(0), std::invalid_argument);
}
