// Which moves of one position give check: what Board::gives_check works out for each move, shared by all of them.
#pragma once

#include "games/chess/board.h"

namespace philidor::chess {

// Looks at the board when first asked; the board must not have changed by then, nor between two questions.
class Checks {
  public:
    explicit Checks(const Board& board) : board_(board) {}

    // The same as board.gives_check(move).
    bool given_by(Move move) {
        if (move.kind() != kNormal) return board_.gives_check(move);
        if (!is_known_) find();
        const Square from = move.from(), to = move.to();
        const bool is_direct = from_[type_of(board_.piece_on(from))] >> to & 1;
        // A shield is rare and foreseen; whether a check is direct is neither, so there is no branch for it.
        if (!(shields_ >> from & 1)) return is_direct;
        return is_direct || !(line_through(king_, from) >> to & 1);
    }

  private:
    void find();

    const Board& board_;
    bool is_known_ = false;
    Square king_ = kNoSquare;  // the enemy's
    Bitboard from_[8];         // by PieceType: the squares on which such a piece attacks that king
    Bitboard shields_ = 0;     // own pieces between it and an own slider
};

}  // namespace philidor::chess
