// An immutable position with its history: what Python sees.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "games/chess/board.h"
#include "games/chess/fen.h"

namespace philidor::chess {

class Position;
using PositionPtr = std::shared_ptr<const Position>;

class Position {
  public:
    static PositionPtr from_fen(std::string_view fen, Chess960 variant = Chess960::kAuto);
    static PositionPtr start();

    // `move` must be legal.
    static PositionPtr play(PositionPtr parent, Move move);

    ~Position();
    Position(const Position&) = delete;
    Position& operator=(const Position&) = delete;

    const Board& board() const { return board_; }
    const PositionPtr& parent() const { return parent_; }
    // The move that led here; kNoMove at the root.
    Move last_move() const { return last_move_; }
    // A board for search. It starts at this position's state, so the position must outlive it.
    Board copy_board(State& state) const;

  private:
    Position() = default;

    Board board_;
    State state_;
    PositionPtr parent_;
    Move last_move_{};
};

}  // namespace philidor::chess
