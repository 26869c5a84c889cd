// Solves connect four on any board of 64 bits: the exact score of a position, of its moves, and a perfect game.
//
// A score is Pons': positive when the side to move wins, 1 if with its last stone, 2 with the one before, and so on;
// negative in the same way when it loses, 0 in a drawn game. Quick wins and slow losses are the greater ones.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "games/connect4.h"
#include "search/connect4_table.h"

namespace philidor::search {

// Moves to the end of the game under perfect play from a position with this score.
int plies_to_end(const games::Connect4& state, int score);

// All calls give the same answers whatever came before; only `nodes` depends on what the table remembers. They may
// come from different threads, and wait for each other. They throw std::invalid_argument if the game is over, and
// return nothing when they were stopped or would have to visit more than `node_limit` positions.
class Connect4Solver {
  public:
    static constexpr std::uint64_t kNoLimit = UINT64_MAX;

    // The table takes at most `memory_mb` MiB. Throws std::invalid_argument if there is no room at all.
    explicit Connect4Solver(int memory_mb);

    std::optional<int> score(const games::Connect4& root, std::uint64_t node_limit = kNoLimit);
    // Of each legal move, in canonical order and in the mover's view.
    std::optional<std::vector<int>> move_scores(const games::Connect4& root, std::uint64_t node_limit = kNoLimit);
    // A perfect game: the places of its moves in canonical order. Of equal moves the first is played.
    std::optional<std::vector<int>> line(const games::Connect4& root, std::uint64_t node_limit = kNoLimit);

    // Positions visited by all calls that have ended.
    std::uint64_t nodes() const { return nodes_; }
    // Ends the running call and each later one soon, until `resume`. From any thread.
    void stop() { should_stop_.store(true, std::memory_order_relaxed); }
    void resume() { should_stop_.store(false, std::memory_order_relaxed); }

  private:
    class Search;
    template <typename Answer>
    std::optional<Answer> run(const games::Connect4& root, std::uint64_t node_limit, Answer (Search::*work)());

    Connect4Table table_;
    std::mutex mutex_;
    std::atomic<bool> should_stop_{false};
    std::atomic<std::uint64_t> nodes_{0};
    int width_ = 0, stride_ = 0;  // of the boards in the table; 0 when it is empty
};

}  // namespace philidor::search
