#include <doctest/doctest.h>

#include "games/chess/repetition.h"
#include "tests/chess_walks.h"

namespace philidor::chess {
namespace {

// By making every move and looking back.
bool can_repeat_by_trying(Board& board, int reach) {
    State next;
    for (const Move move : legal_moves(board)) {
        board.make(move, next);
        const State* earlier = &next;
        bool found = false;
        for (int back = 1; back < reach + 1 && back <= next.halfmove_clock && earlier->previous; ++back) {
            earlier = earlier->previous;
            found |= earlier->key == next.key;
        }
        board.unmake(move);
        if (found) return true;
    }
    return false;
}

TEST_CASE("a repetition is foreseen where a move repeats, and nowhere else") {
    int found = 0, asked = 0;
    for_each_random_position(20, 120, [&](const Board& board) {
        Board twin = board;
        for (const int reach : {3, 4, 5, 8, 100}) {
            const bool expected = can_repeat_by_trying(twin, reach);
            CAPTURE(to_fen(board));
            CAPTURE(reach);
            CHECK(can_repeat(board, reach) == expected);
            found += expected, ++asked;
        }
    });
    CHECK(found > 200);
    CHECK(found < asked / 2);
}

TEST_CASE("a piece in the way, or the opponent's, does not repeat") {
    State states[8];
    Board board;
    parse_fen("4k3/8/8/8/8/8/4K3/R7 w - - 0 1", board, states[0]);
    const auto play = [&](int ply, Square from, Square to) { board.make(Move(from, to, kNormal), states[ply]); };
    play(1, Square(0), Square(7));    // Ra1-h1
    play(2, Square(60), Square(61));  // Ke8-f8
    CHECK_FALSE(can_repeat(board, 100));
    play(3, Square(7), Square(0));  // and back
    CHECK(can_repeat(board, 100));  // Kf8-e8
    CHECK(can_repeat(board, 4));
    CHECK_FALSE(can_repeat(board, 3));
    play(4, Square(61), Square(53));  // Ke8 it was not
    CHECK_FALSE(can_repeat(board, 4));
}

}  // namespace
}  // namespace philidor::chess
