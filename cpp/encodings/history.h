// A position with the boards before it, as encoders want it: from a chain of positions or from a search's stack.
#pragma once

#include <span>
#include <vector>

#include "games/chess/position.h"

namespace philidor::encodings {

inline constexpr int kHistory = 8;

// Newest first. Each board's own state must still be linked to all states before it, as repetitions are looked for.
using History = std::span<const chess::Board* const>;

// The newest boards of a position's chain; fewer than `limit` where the game began later.
class PositionHistory {
  public:
    explicit PositionHistory(const chess::Position& position, int limit = kHistory) {
        boards_.reserve(kHistory);
        for (const chess::Position* p = &position; p != nullptr && int(boards_.size()) < limit; p = p->parent().get())
            boards_.push_back(&p->board());
    }
    operator History() const { return boards_; }

  private:
    std::vector<const chess::Board*> boards_;
};

}  // namespace philidor::encodings
