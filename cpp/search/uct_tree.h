// What a UCT tree offers whoever runs it, whatever the game: the seam between a search and its thread.
#pragma once

#include <cstdint>
#include <vector>

namespace philidor::search {

struct UctSettings {
    double exploration = 1.4142;  // c in the book's formula
    std::uint64_t seed = 1;
    int playout_limit = 10000;  // a playout of so many moves is taken for a draw
    int memory_mb = 1024;
};

struct UctChild {
    std::int32_t visits = 0;
    std::int32_t half_points = 0;  // of the player who chooses the move: 2 a win, 1 a draw
};

struct UctStatistics {
    std::int64_t simulations = 0;
    std::int64_t nodes = 0;
    std::int64_t wins = 0, draws = 0, losses = 0;  // of all simulations, seen by the player to move at the root
    std::vector<UctChild> children;                // in canonical order; those not tried yet have no visits
    std::vector<int> line;  // from the root: each time the most visited child, as its place in canonical order
};

// Not thread-safe: one thread at a time.
class UctTree {
  public:
    virtual ~UctTree() = default;

    // Runs up to `simulations`, fewer if they take longer than about a millisecond or the memory is full. Returns how
    // many it ran; the result depends on their sum only, not on how they were parted.
    virtual std::int64_t simulate(std::int64_t simulations) = 0;
    // Whether the tree has used up its memory and will not run another simulation.
    virtual bool is_full() const = 0;
    virtual UctStatistics statistics() const = 0;
};

}  // namespace philidor::search
