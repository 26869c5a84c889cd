#include "games/chess/position.h"

#include <utility>

namespace philidor::chess {

PositionPtr Position::from_fen(std::string_view fen, Chess960 variant) {
    std::shared_ptr<Position> position(new Position);
    parse_fen(fen, position->board_, position->state_, variant);
    return position;
}

PositionPtr Position::start() { return from_fen(kStartFen); }

PositionPtr Position::play(PositionPtr parent, Move move) {
    std::shared_ptr<Position> position(new Position);
    position->board_ = parent->board_;
    position->board_.make(move, position->state_);
    position->last_move_ = move;
    position->parent_ = std::move(parent);
    return position;
}

// A long game is a long chain: it is taken apart here, one by one, so that no recursion can exhaust the stack.
Position::~Position() {
    PositionPtr next = std::move(parent_);
    while (next && next.use_count() == 1) {
        PositionPtr after = std::move(const_cast<Position&>(*next).parent_);
        next = std::move(after);
    }
}

Board Position::copy_board(State& state) const {
    state = state_;
    Board board = board_;
    board.rebase(state);
    return board;
}

}  // namespace philidor::chess
