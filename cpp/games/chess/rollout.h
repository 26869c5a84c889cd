// Chess as native searches over any game see it (games/game.h): a board that only goes forward, fit for playouts.
//
// Games end as `termination` says, so every playout does: by mate, stalemate, dead material, the third repetition or
// the hundredth quiet half move. There is no other cap on their length.
#pragma once

#include "games/chess/board.h"
#include "games/chess/position.h"
#include "games/chess/targets.h"
#include "games/game.h"

namespace philidor::chess {

class Rollout {
  public:
    explicit Rollout(const Position& position) { set(position.board()); }
    Rollout(const Rollout& other) { set(other.board_); }
    Rollout& operator=(const Rollout& other) {
        if (this != &other) set(other.board_);
        return *this;
    }

    int to_move() const { return board_.to_move(); }
    games::Result result() const { return result_; }
    int move_count() const { return targets_.count(); }
    // A move is its 16 bits; canonical order is theirs.
    games::MoveCode nth_move(int index) const { return targets_.nth(board_, index).raw(); }
    void play(games::MoveCode move) {
        board_.make(Move(move), next_state());
        settle();
    }

    const Board& board() const { return board_; }

  private:
    // More than the hundred half moves a repetition can lie back, so that a ring of states serves any length of game.
    static constexpr unsigned kStates = 128;

    State& next_state() { return states_[++last_state_ % kStates]; }
    // Copies a board with as much of its past as repetitions need: the copy owes nothing to the original.
    void set(const Board& board);
    // Finds the legal moves, and with them the end of the game.
    void settle();

    Board board_;
    LegalTargets targets_;
    games::Result result_ = games::Result::kOngoing;
    unsigned last_state_ = 0;
    State states_[kStates];
};

static_assert(games::Game<Rollout>);

}  // namespace philidor::chess
