// Random games from positions that are rich in rare moves, for the chess tests.
#pragma once

#include <random>
#include <string_view>

#include "games/chess/board.h"
#include "games/chess/fen.h"
#include "games/chess/movegen.h"

namespace philidor::chess {

inline constexpr std::string_view kKiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

// Castling, promotions, pins, en passant with and without a discovered check, double checks, many queens, Chess960.
inline constexpr std::string_view kRichFens[] = {
    kStartFen,
    kKiwipete,
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1",
    "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1",
    "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
    "r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1",
    "4r1k1/8/8/8/8/2n5/8/b3K2q w - - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "1rk4r/8/3b4/8/8/4B3/8/1RK4R w HBhb - 0 1",
    "1r2krr1/8/8/8/8/8/8/1R2KRR1 w FBfb - 0 1",
    "r1k4r/8/8/8/8/8/8/RK5R w KQkq - 0 1",
};

// Calls visit(board) at each position of random games from each of kRichFens: `games` games of at most `plies` plies.
template <typename Visit>
void for_each_random_position(int games, int plies, Visit visit) {
    std::mt19937 random(1);
    for (std::string_view fen : kRichFens)
        for (int game = 0; game < games; ++game) {
            State states[256];
            Board board;
            parse_fen(fen, board, states[0]);
            for (int ply = 1; ply <= plies && ply < 256; ++ply) {
                visit(board);
                const MoveList moves = legal_moves(board);
                if (moves.empty()) break;
                board.make(moves[int(random() % unsigned(moves.size()))], states[ply]);
            }
        }
}

}  // namespace philidor::chess
