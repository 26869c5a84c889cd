// Any bytes as moves: the first picks a start position, each line is read as SAN and as UCI and played if it is a move.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "games/chess/fen.h"
#include "games/chess/movegen.h"
#include "games/chess/notation.h"

using namespace philidor::chess;

namespace {

constexpr std::string_view kStarts[] = {
    kStartFen,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1",
    "1r2krr1/8/8/8/8/8/8/1R2KRR1 w FBfb - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
};
constexpr int kMaxPlies = 100;

void check_move(const Board& board, Move move) {
    if (!board.is_legal(move) || !legal_moves(board).contains(move)) std::abort();
    if (parse_san(board, to_san(board, move)).move != move) std::abort();
    if (parse_uci(board, to_uci(board, move)) != move) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
    State states[kMaxPlies + 1];
    Board board;
    parse_fen(kStarts[data[0] % std::size(kStarts)], board, states[0]);
    for (int ply = 0; ply < kMaxPlies && !rest.empty();) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        const SanResult san = parse_san(board, line);
        const Move uci = parse_uci(board, line);
        if (bool(san.move) != (san.error == SanError::kNone)) std::abort();
        // UCI text is SAN with both squares, so it cannot mean another move.
        if (uci && san.move != uci) std::abort();
        if (!san.move) continue;
        check_move(board, san.move);
        board.make(san.move, states[++ply]);
        if (!board.is_consistent()) std::abort();
    }
    return 0;
}
