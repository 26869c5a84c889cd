#include "evaluators/book.h"

namespace philidor::evaluators {

namespace {

using namespace chess;

// By file, then rank: the listing's index order, which transposes the table it prints.
constexpr int kSquareValue[8][8] = {{-50, -40, -30, -30, -30, -30, -40, -50}, {-40, -20, 0, 0, 0, 0, -20, -40},
                                    {-30, 0, 10, 15, 15, 10, 0, -30},         {-30, 5, 15, 20, 20, 15, 5, -30},
                                    {-30, 0, 15, 20, 20, 15, 0, -30},         {-30, 5, 10, 15, 15, 10, 5, -30},
                                    {-40, -20, 0, 5, 5, 0, -20, -40},         {-50, -40, -30, -30, -30, -30, -40, -50}};
constexpr int kPieceValue[7] = {0, 100, 310, 320, 500, 900, 0};

}  // namespace

int BookEvaluator::evaluate(const Board& board) const {
    int white = 0;
    for (Bitboard rest = board.occupied() & ~board.pieces(kKing); rest;) {
        const Square square = pop_first(rest);
        const Piece piece = board.piece_on(square);
        const int value = kPieceValue[type_of(piece)] + kSquareValue[file_of(square)][rank_of(square)];
        white += color_of(piece) == kWhite ? value : -value;
    }
    return board.to_move() == kWhite ? white : -white;
}

}  // namespace philidor::evaluators
