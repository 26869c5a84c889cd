#include "games/chess/rollout.h"

#include <algorithm>

#include "games/chess/outcome.h"

namespace philidor::chess {

void Rollout::set(const Board& board) {
    const State& now = board.state();
    const int past = std::min({now.halfmove_clock, now.plies_from_null, int(kStates) - 1});
    // Oldest last in the chain, first in the ring.
    const State* source = &now;
    int known = 0;
    for (; known < past && source->previous; ++known) source = source->previous;
    last_state_ = unsigned(known);
    source = &now;
    for (int i = known; i >= 0; --i, source = source->previous) {
        states_[i] = *source;
        states_[i].previous = i > 0 ? &states_[i - 1] : nullptr;
    }
    board_ = board;
    board_.rebase(states_[known]);
    settle();
}

void Rollout::settle() {
    targets_.find(board_);
    if (targets_.count() == 0)
        result_ = board_.in_check() ? games::win_of(~board_.to_move()) : games::Result::kDraw;
    else
        result_ = draw_by_rule(board_) == Termination::kNone ? games::Result::kOngoing : games::Result::kDraw;
}

}  // namespace philidor::chess
