// What a stone would do, read off the board without a search: how many it takes, and the chain that it would be part
// of.
#pragma once

#include <array>
#include <cstdint>

#include "games/go/board.h"

namespace philidor::games::go {

// Points as bits, point by point.
using PointBits = std::array<std::uint64_t, kMaxWords>;

// The liberties of chains, each found once. For one board, which must not change meanwhile.
class Chains {
  public:
    explicit Chains(const Board& board) : board_(board) {}
    // Of the chain of a stone.
    const PointBits& liberties(Point stone);
    int liberty_count(Point stone);

  private:
    const Board& board_;
    bool is_known_[kMaxPoints] = {};
    std::uint16_t counts_[kMaxPoints] = {};  // 0 is not known: every chain has a liberty
    PointBits bits_[kMaxPoints];             // at a chain's head
};

struct After {
    int captured = 0;             // stones of the other's
    int size = 0, liberties = 0;  // of the stone's chain; 0 after suicide
};
// After a stone on an empty point. Liberties beyond eight need not be counted.
After after_stone(const Board& board, Chains& chains, Point p, Color color);

}  // namespace philidor::games::go
