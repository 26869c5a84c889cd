// Perft at depths that stay quick under the sanitizers; tests/games/chess goes deeper.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "games/chess/movegen.h"
#include "tests/chess_walks.h"

using namespace philidor::chess;

namespace {

void check_perft(std::string_view fen, const std::vector<std::uint64_t>& counts) {
    CAPTURE(std::string(fen));
    State state;
    Board board;
    parse_fen(fen, board, state);
    for (std::size_t i = 0; i < counts.size(); ++i) {
        CHECK(perft(board, int(i) + 1) == counts[i]);
        CHECK(perft(board, int(i) + 1, false) == counts[i]);
    }
    CHECK(board.is_consistent());
}

}  // namespace

TEST_CASE("perft gives the published counts") {
    check_perft(kStartFen, {20, 400, 8902, 197281});
    check_perft(kKiwipete, {48, 2039, 97862});
    check_perft("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", {14, 191, 2812, 43238});
    check_perft("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", {6, 264, 9467, 422333});
    check_perft("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", {44, 1486, 62379});
    check_perft("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", {46, 2079, 89890});
    check_perft("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", {24, 496, 9483, 182838});
}

TEST_CASE("Chess960 perft gives the published counts") {
    check_perft("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", {21, 528, 12189, 326672});
    check_perft("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", {21, 807, 18002});
    check_perft("q1bnrkr1/ppppp2p/2n2p2/4b1p1/2NP4/8/PPP1PPPP/QNB1RRKB w ge - 1 9", {30, 860, 24566});
}

TEST_CASE("the position with the most moves fits into a list") {
    check_perft("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", {218});
}

TEST_CASE("a tree without depth has one leaf") {
    State state;
    Board board;
    parse_fen(kStartFen, board, state);
    CHECK(perft(board, 0) == 1);
    CHECK(perft(board, -5) == 1);
}
