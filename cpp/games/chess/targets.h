// The legal moves as sets: for each piece the squares it may go to. To count the moves or to pick the n-th of them no
// list has to be written, which is what random play needs; movegen.h is for everyone who looks at all moves.
#pragma once

#include "games/chess/board.h"

namespace philidor::chess {

class LegalTargets {
  public:
    // Finds the moves of the side to move. `board` must not change before the last call of `nth`.
    void find(const Board& board);
    int count() const { return count_; }
    // The move at this place of canonical order, (from, to, promotion); `index` is below `count()`.
    Move nth(const Board& board, int index) const;
    // Writes all moves in canonical order, which needs no sorting, and returns the end. `list` must have room.
    Move* write(const Board& board, Move* list) const;

  private:
    Move* write_from(const Board& board, Square from, Move* list) const;
    template <Color Us>
    void find_for(const Board& board);
    template <Color Us>
    void add_king(const Board& board);
    template <Color Us>
    void add_pawns(const Board& board, Bitboard check_mask);
    template <Color Us>
    void add_pieces(const Board& board, Bitboard check_mask);
    void add(Square from, Bitboard targets) {
        targets_[from] = targets;
        count_ += popcount(targets);
    }

    int count_ = 0;
    Bitboard movers_ = 0;     // whose targets are known; those of all other squares are old
    Bitboard promoting_ = 0;  // pawns one step from the last rank: each target is four moves
    Bitboard targets_[64];    // by square; a castling king goes to its rook, as in the move itself
};

}  // namespace philidor::chess
