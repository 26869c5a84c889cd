// The small games' rules against published counts; tests/search walks them beside the Python games.
#include <doctest/doctest.h>

#include <vector>

#include "games/connect4.h"
#include "games/gomoku.h"
#include "games/hexapawn.h"
#include "games/tictactoe.h"

using namespace philidor::games;

namespace {

template <Game G>
void check_perft(const G& start, const std::vector<std::uint64_t>& counts) {
    for (std::size_t depth = 0; depth < counts.size(); ++depth) CHECK(perft(start, int(depth) + 1) == counts[depth]);
}

// Finished games of all lengths below `state`, by result.
template <Game G>
void count_games(const G& state, std::uint64_t (&games)[4]) {
    if (state.result() != Result::kOngoing) {
        ++games[int(state.result())];
        return;
    }
    for (int i = 0; i < state.move_count(); ++i) {
        G next = state;
        next.play(state.nth_move(i));
        count_games(next, games);
    }
}

template <Game G>
G after(G state, std::initializer_list<int> indices) {
    for (int index : indices) state.play(state.nth_move(index));
    return state;
}

}  // namespace

TEST_CASE("tic-tac-toe has 255,168 games") {
    check_perft(TicTacToe(), {9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872});
    std::uint64_t games[4] = {};
    count_games(TicTacToe(), games);
    CHECK(games[int(Result::kFirstWins)] == 131184);
    CHECK(games[int(Result::kSecondWins)] == 77904);
    CHECK(games[int(Result::kDraw)] == 46080);
}

TEST_CASE("connect four has its known perft") {
    check_perft(Connect4(7, 6), {7, 49, 343, 2401, 16807, 117649, 823536, 5673234});
}

TEST_CASE("hexapawn has its known perft on several boards") {
    check_perft(Hexapawn::start(3, 3), {3, 10, 28, 56, 70, 64});
    check_perft(Hexapawn::start(4, 4), {4, 16, 66, 280, 1170, 4548});
    check_perft(Hexapawn::start(3, 4), {3, 9, 28, 88, 256, 650});
    std::uint64_t games[4] = {};
    count_games(Hexapawn::start(3, 3), games);
    CHECK(games[int(Result::kFirstWins)] == 64);
    CHECK(games[int(Result::kSecondWins)] == 70);
}

TEST_CASE("a full column is no longer offered, and four upright win on a board one column wide") {
    const Connect4 full = after(Connect4(2, 2), {0, 0});
    CHECK(full.move_count() == 1);
    CHECK(full.nth_move(0) == 3);  // column 1, row 0
    CHECK(after(Connect4(2, 2), {0, 0, 0, 0}).result() == Result::kDraw);
    // X in rows 0 and 2, O in rows 1 and 3: no line; a column of 63 is the highest that fits.
    CHECK(Connect4(1, 63, 0b0101, 0b1010).result() == Result::kOngoing);
    CHECK(Connect4(1, 63, 0b0011111, 0b1100000).result() == Result::kFirstWins);
    CHECK(Connect4(2, 31, 0b1, std::uint64_t{1} << 32).result() == Result::kOngoing);
}

TEST_CASE("connect four sees lines in all four directions and none around the edge") {
    auto stones = [](std::initializer_list<int> cells) {
        std::uint64_t bits = 0;
        for (int cell : cells) bits |= std::uint64_t{1} << cell;
        return bits;
    };
    // Column * 7 + row on the usual board.
    CHECK(Connect4(7, 6, stones({0, 1, 2, 3}), stones({7, 14, 21})).result() == Result::kFirstWins);
    CHECK(Connect4(7, 6, stones({0, 7, 14, 21}), stones({1, 8, 15})).result() == Result::kFirstWins);
    CHECK(Connect4(7, 6, stones({0, 8, 16, 24, 15, 23}), stones({7, 14, 21, 22, 42})).result() == Result::kFirstWins);
    CHECK(Connect4(7, 6, stones({21, 15, 9, 3, 1, 7}), stones({0, 2, 8, 14, 42})).result() == Result::kFirstWins);
    // Three at the top of one column and one at the foot of the next.
    CHECK(Connect4(7, 6, stones({3, 4, 5, 7}), stones({0, 1, 2})).result() == Result::kOngoing);
}

TEST_CASE("hexapawn's pawns do not capture around the edge") {
    // White a2, black c3 and c1's neighbor would be reached only by wrapping.
    const Hexapawn left(3, 3, 1 << 3, 1 << 5, 0);
    CHECK(left.move_count() == 1);
    CHECK(left.nth_move(0) == 3 * 64 + 6);
    const Hexapawn right(3, 3, 1 << 5, 1 << 3, 1);
    CHECK(right.move_count() == 1);
    CHECK(right.nth_move(0) == 3 * 64 + 0);
}

TEST_CASE("gomoku: five or more in a row win on boards of any number of words, and no row runs around the edge") {
    const auto plays = [](int width, int height, std::initializer_list<int> first, std::initializer_list<int> second) {
        Gomoku state(width, height);
        auto other = second.begin();
        for (const int square : first) {
            REQUIRE(state.result() == Result::kOngoing);
            state.play(MoveCode(square));
            if (other != second.end()) state.play(MoveCode(*other++));
        }
        // Read afresh, a board is what it was when it was played to.
        CHECK(Gomoku(width, height, state.stones(0), state.stones(1)).result() == state.result());
        return state.result();
    };
    // Squares 62 to 66 of 19x19 lie in two words, as do a column and both diagonals through them.
    CHECK(plays(19, 19, {62, 63, 64, 66, 65}, {0, 2, 4, 6}) == Result::kFirstWins);
    CHECK(plays(19, 19, {26, 45, 64, 83, 102}, {0, 2, 4, 6}) == Result::kFirstWins);
    CHECK(plays(19, 19, {24, 44, 64, 84, 104}, {0, 2, 4, 6}) == Result::kFirstWins);
    CHECK(plays(19, 19, {28, 46, 64, 82, 100}, {0, 2, 4, 6}) == Result::kFirstWins);
    CHECK(plays(19, 19, {356, 357, 358, 360, 300, 359}, {0, 1, 2, 3, 5}) == Result::kFirstWins);
    CHECK(plays(19, 19, {0, 2, 4, 6, 8}, {356, 357, 358, 359, 360}) == Result::kSecondWins);
    CHECK(plays(15, 15, {10, 11, 13, 14, 30, 12}, {100, 102, 104, 106, 108}) == Result::kFirstWins);
    CHECK(plays(9, 9, {5, 6, 7, 8, 9}, {70, 72, 74, 76}) == Result::kOngoing);
    CHECK(plays(9, 9, {40, 50, 60, 70, 80}, {0, 2, 4, 6}) == Result::kFirstWins);
    CHECK(plays(9, 9, {35, 43, 51, 59, 27}, {0, 2, 4, 6}) == Result::kOngoing);
    CHECK(perft(Gomoku(19, 19), 2) == 361 * 360);
    CHECK(Gomoku(19, 19).nth_move(360) == 360);
    CHECK(after(Gomoku(19, 19), {64, 64}).nth_move(64) == 66);
}

TEST_CASE("gomoku: a full board without five is a draw") {
    // Rows from the bottom: OXOOO, OXXOX, OOXXX, XOOXX, XOXOX.
    const std::uint64_t first = 0b10101'11001'11100'10110'00010, second = ~first & 0x1FFFFFF;
    CHECK(Gomoku(5, 5, std::span(&first, 1), std::span(&second, 1)).result() == Result::kDraw);
}

TEST_CASE("impossible boards are refused") {
    CHECK_THROWS_AS(TicTacToe(1, 1), std::invalid_argument);
    CHECK_THROWS_AS(TicTacToe(512, 0), std::invalid_argument);
    CHECK_THROWS_AS(Connect4(8, 8), std::invalid_argument);
    CHECK_THROWS_AS(Connect4(1 << 30, 1 << 30), std::invalid_argument);
    CHECK_THROWS_AS(Connect4(7, 6, 0b10, 0), std::invalid_argument);
    CHECK_THROWS_AS(Connect4(7, 6, std::uint64_t{1} << 6, 0), std::invalid_argument);
    CHECK_THROWS_AS(Hexapawn::start(9, 8), std::invalid_argument);
    CHECK_THROWS_AS(Hexapawn::start(3, 1), std::invalid_argument);
    CHECK_THROWS_AS(Hexapawn(3, 3, 1, 1, 0), std::invalid_argument);
    CHECK_THROWS_AS(Hexapawn(3, 3, 1, 2, 2), std::invalid_argument);
    CHECK_THROWS_AS(Gomoku(4, 9), std::invalid_argument);
    CHECK_THROWS_AS(Gomoku(19, 20), std::invalid_argument);
    const std::vector<std::uint64_t> one{1}, beside{0, std::uint64_t{1} << 17}, three(3);
    CHECK_THROWS_AS(Gomoku(9, 9, one, one), std::invalid_argument);
    CHECK_THROWS_AS(Gomoku(9, 9, beside), std::invalid_argument);
    CHECK_THROWS_AS(Gomoku(9, 9, one, three), std::invalid_argument);
}
