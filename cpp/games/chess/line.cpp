#include "games/chess/line.h"

namespace philidor::chess {

const Line::Settled& Line::settle() const {
    if (is_settled_) return settled_;
    const Board& board = position_->board();
    settled_.moves = legal_moves(board);
    sort_canonical(settled_.moves);
    if (settled_.moves.empty())
        settled_.result = board.in_check() ? games::win_of(~board.to_move()) : games::Result::kDraw;
    else
        settled_.result = draw_by_rule(board) == Termination::kNone ? games::Result::kOngoing : games::Result::kDraw;
    is_settled_ = true;
    return settled_;
}

}  // namespace philidor::chess
