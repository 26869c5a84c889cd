#include "encodings/alphazero.h"

#include <algorithm>

namespace philidor::encodings {

using namespace philidor::chess;

namespace {

float has_right(const Board& board, Color color, bool kingside) {
    return (board.castling() & castling_right(color, kingside)) != 0 ? 1.0f : 0.0f;
}

}  // namespace

void encode_alphazero(History history, std::uint64_t* planes, float* scalars) {
    const Board& now = *history.front();
    const Color own = now.to_move();
    std::fill_n(planes, kAlphaZeroPackedPlanes, 0);
    for (const Board* board : history) {
        for (Color color : {own, ~own})
            for (int type = kPawn; type <= kKing; ++type) {
                const Bitboard pieces = board->pieces(color, PieceType(type));
                *planes++ = own == kBlack ? __builtin_bswap64(pieces) : pieces;
            }
        const int repetitions = board->count_repetitions(2);
        *planes++ = repetitions >= 1 ? ~Bitboard{0} : 0;
        *planes++ = repetitions >= 2 ? ~Bitboard{0} : 0;
    }
    *scalars++ = own == kWhite ? 1.0f : 0.0f;
    *scalars++ = float(now.ply());
    for (Color color : {own, ~own})
        for (bool kingside : {true, false}) *scalars++ = has_right(now, color, kingside);
    *scalars = float(now.halfmove_clock());
}

PolicyIndex alphazero_index(const Board& board, Move move) {
    const Color own = board.to_move();
    return alphazero_index(relative_square(own, move.from()), relative_square(own, move.to()), move.promotion());
}

}  // namespace philidor::encodings
