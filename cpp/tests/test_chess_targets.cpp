// The legal moves as sets are the legal moves as a list, in canonical order.
#include <doctest/doctest.h>

#include <algorithm>

#include "games/chess/fen.h"
#include "games/chess/movegen.h"
#include "games/chess/targets.h"
#include "search/random.h"

using namespace philidor::chess;

namespace {

bool is_list_in_order(const Board& board) {
    MoveList list = legal_moves(board);
    sort_canonical(list);
    LegalTargets targets;
    targets.find(board);
    if (targets.count() != list.size()) return false;
    for (int i = 0; i < list.size(); ++i)
        if (targets.nth(board, i) != list[i]) return false;
    Move written[kMaxMoves];
    return std::equal(list.begin(), list.end(), written, targets.write(board, written));
}

// Every position of the tree, so that every rule is met from both sides.
void check_tree(Board& board, int depth) {
    if (!is_list_in_order(board)) {
        FAIL_CHECK(to_fen(board));
        return;
    }
    if (depth == 0) return;
    State next;
    for (Move move : legal_moves(board)) {
        board.make(move, next);
        check_tree(board, depth - 1);
        board.unmake(move);
    }
}

void check_random_games(const char* fen, int games) {
    philidor::search::SplitMix64 random(1);
    for (int game = 0; game < games; ++game) {
        Board board;
        State start, states[2];
        parse_fen(fen, board, start);
        for (int ply = 0; ply < 300; ++ply) {
            REQUIRE_MESSAGE(is_list_in_order(board), to_fen(board));
            const MoveList list = legal_moves(board);
            if (list.empty()) break;
            board.make(list[random.below(list.size())], states[ply % 2]);
        }
    }
}

}  // namespace

TEST_CASE("targets list the legal moves in canonical order") {
    for (const char* fen : {
             "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
             "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",  // castling, pins
             "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",                             // en passant on a pinned rank
             "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",      // promotions, check
             "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
             "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",    // en passant out of check
             "3r3k/8/8/3PpP2/8/8/8/3K4 w - e6 0 1",  // en passant for two, one of them pinned
             "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",  // Chess960
         }) {
        Board board;
        State state;
        parse_fen(fen, board, state);
        check_tree(board, 3);
    }
}

TEST_CASE("targets list the legal moves along random games") {
    check_random_games("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 100);
    check_random_games("nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w KQkq - 0 1", 50);
}
