// The chess position as Python holds it; shared by the binding files.
#pragma once

#include "games/chess/position.h"

namespace philidor::bindings {

// Python holds positions by value; the history behind them is shared.
struct PyPosition {
    chess::PositionPtr ptr;
    const chess::Board& board() const { return ptr->board(); }
};

}  // namespace philidor::bindings
