// Searches judge training positions, in place of a network (book, 4.6.3).
#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

#include "games/chess/position.h"
#include "search/alphabeta/engine.h"
#include "train/position_set.h"

namespace philidor::train {

// A position to search. What 32 bytes do not say is lost: history, clocks, the square of en passant, and rights to
// castle from other squares than the normal ones.
chess::PositionPtr to_position(const PackedPosition& packed);

class PositionJudge {
  public:
    // Each engine judges in a thread of its own; they must outlive the judge, and are its alone. Scores are `largest`
    // centipawns at most, mates too.
    PositionJudge(std::vector<search::AlphaBetaEngine*> engines, search::Limits limits, int largest)
        : engines_(std::move(engines)), limits_(std::move(limits)), largest_(largest) {}

    // Gives a score to each position of the set's own that has none; false if it was told to stop. The scores are a
    // function of the positions: neighbors share what a search remembers, but only within blocks that begin anew.
    bool judge(PositionSet& set);
    // From any thread. A search that is about to begin may not hear of it: whoever wants to be sure says it again.
    void stop();

  private:
    void judge_block(search::AlphaBetaEngine& engine, PositionSet& set, std::size_t first, std::size_t end) const;

    std::vector<search::AlphaBetaEngine*> engines_;
    search::Limits limits_;
    int largest_;
    std::atomic<bool> is_stopped_{false};
};

}  // namespace philidor::train
