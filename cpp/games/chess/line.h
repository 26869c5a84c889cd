// Chess as a tree search over networks sees it (games/game.h): a position with its whole past, which encoders need.
#pragma once

#include <span>

#include "games/chess/movegen.h"
#include "games/chess/outcome.h"
#include "games/chess/position.h"
#include "games/game.h"

namespace philidor::chess {

class Line {
  public:
    explicit Line(PositionPtr position) : position_(std::move(position)) {}

    int to_move() const { return position_->board().to_move(); }
    games::Result result() const { return settle().result; }
    int move_count() const { return int(settle().moves.size()); }
    games::MoveCode nth_move(int index) const { return settle().moves[std::size_t(index)].raw(); }
    std::span<const Move> moves() const { return {settle().moves.begin(), settle().moves.end()}; }
    void play(games::MoveCode move) {
        position_ = Position::play(std::move(position_), Move(move));
        is_settled_ = false;
    }
    std::uint64_t key() const { return position_->board().key(); }
    // Why the game ended.
    const char* ending() const { return termination_text(termination(position_->board())); }
    const PositionPtr& position() const { return position_; }

  private:
    struct Settled {
        games::Result result = games::Result::kOngoing;
        MoveList moves;  // in canonical order
    };
    // The moves and the result, found when first asked for: most positions on the way to a leaf are only passed.
    const Settled& settle() const;

    PositionPtr position_;
    mutable Settled settled_;
    mutable bool is_settled_ = false;
};

static_assert(games::Game<Line>);

}  // namespace philidor::chess
