// UCT with random playouts (book, ch. 3.5.2), over any native game. The twin of src/philidor/search/uct.py: with the
// same seed both grow the same tree, visit for visit.
//
// What keeps the twins together: one shared generator, one draw for each playout move; children tried in canonical
// order; results summed in half points, which is exact; a score is one expression in double; the first of equal
// scores wins.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "games/game.h"
#include "search/random.h"
#include "search/uct_arena.h"
#include "search/uct_tree.h"

namespace philidor::search {

using games::Result;

// The logarithms of the visit counts that most nodes have: a look-up is a tenth of a call's time. Made once a process.
inline constexpr int kLogs = 1 << 16;
inline const double* log_table() {
    static const std::vector<double> table = [] {
        std::vector<double> logs(kLogs);
        for (int n = 1; n < kLogs; ++n) logs[n] = std::log(double(n));
        return logs;
    }();
    return table.data();
}

// A game that has playouts of its own, such as Go, where random moves would fill the mover's own eyes forever.
template <typename G>
concept PlaysOut = requires(G game, SplitMix64& random, int limit) {
    { game.playout(random, limit) } -> std::same_as<games::PlayedOut>;
};

template <games::Game G>
class RolloutUct final : public UctTree {
  public:
    RolloutUct(const G& root, const UctSettings& settings)
        : root_(root),
          exploration_(settings.exploration),
          playout_limit_(settings.playout_limit),
          random_(settings.seed),
          arena_(words_of(settings.memory_mb)),
          root_count_(root.result() == Result::kOngoing ? root.move_count() : 0) {
        if (root_count_ == 0) throw std::invalid_argument("the game is over: nothing to search");
        if (!arena_.has_room_for(root_count_)) throw std::invalid_argument("too little memory for the first move");
        root_block_ = arena_.add_block(root_count_);
    }

    std::int64_t simulate(std::int64_t simulations) override {
        // Moves played are the measure of time: from 10 (connect four) to 100 ns (chess) each.
        constexpr std::int64_t kMovesPerBatch = 4096;
        std::int64_t done = 0;
        for (std::int64_t moves = 0; done < simulations && moves < kMovesPerBatch; ++done) {
            const int played = simulate_once();
            if (played == 0) break;
            moves += played;
        }
        return done;
    }

    bool is_full() const override { return is_full_ || visits_ >= kMaxVisits; }

    UctStatistics statistics() const override {
        UctStatistics statistics;
        statistics.simulations = visits_;
        statistics.nodes = nodes_;
        const int mover = root_.to_move();
        statistics.wins = tally_[int(games::win_of(mover))];
        statistics.draws = tally_[int(Result::kDraw)];
        statistics.losses = tally_[int(games::win_of(1 - mover))];
        const std::int32_t* visits = arena_.at(root_block_);
        const std::int32_t* half_points = visits + UctArena::padded(root_count_);
        for (int i = 0; i < root_count_; ++i) statistics.children.push_back({visits[i], half_points[i]});
        statistics.line = most_visited_line();
        return statistics;
    }

  private:
    static constexpr int kLanes = UctArena::kLanes;
    // So that half points stay below 2^31.
    static constexpr std::int32_t kMaxVisits = 1 << 30;
    static_assert(kLanes == 4, "the lanes' numbers and turns below are written out");
    using Lanes [[gnu::vector_size(8 * kLanes)]] = double;
    using Indices [[gnu::vector_size(8 * kLanes)]] = std::int64_t;
    using Counts [[gnu::vector_size(4 * kLanes)]] = std::int32_t;

    // A step of the path: the chosen child's block, its place there, the number of its siblings, and who moved.
    struct Step {
        std::uint32_t block;
        std::uint16_t place, count;
        int mover;
    };

    static std::uint32_t words_of(int memory_mb) {
        // Links have 32 bits, so 16 GB is the end of the address space.
        return std::uint32_t(std::min<std::int64_t>(std::int64_t(memory_mb) << 18, std::int64_t{UINT32_MAX}));
    }
    double log_of(std::int32_t n) const { return n < kLogs ? logs_[n] : std::log(double(n)); }

    // Select, expand, simulate, back up. Returns the number of moves played, 0 if the tree is full.
    int simulate_once() {
        if (is_full()) return 0;
        G game = root_;
        path_.clear();
        // 1 and 2. Select and expand.
        select_and_expand(game);
        if (is_full_) return 0;
        // 3. Simulate.
        int moves = int(path_.size());
        const Result result = play_out(game, moves);
        // 4. Back up.
        back_up(result);
        return moves;
    }

    // Plays to the end and counts the moves: as the game itself plays out, or at random.
    Result play_out(G& game, int& moves) {
        if constexpr (PlaysOut<G>) {
            if (game.result() != Result::kOngoing) return game.result();
            const games::PlayedOut end = game.playout(random_, playout_limit_);
            moves += end.moves;
            return end.result;
        } else {
            const int limit = moves + playout_limit_;
            for (; game.result() == Result::kOngoing && moves < limit; ++moves)
                game.play(game.nth_move(random_.below(game.move_count())));
            return game.result() == Result::kOngoing ? Result::kDraw : game.result();
        }
    }

    // Walks down the best children to a new one, or to the end of the game. The best child of each node is known
    // since its last visit (see `back_up`), so the walk is a chain of loads.
    void select_and_expand(G& game) {
        std::uint32_t block = root_block_;
        int count = root_count_, best = root_best_;
        // Each visit of a node has tried one more child, but for the first, which was its own playout. (The root
        // had none.) So no counter of tried children is needed.
        std::int32_t tried = visits_;
        for (;;) {
            const std::uint32_t n = UctArena::padded(count);
            const int place = tried < count ? tried : best;
            path_.push_back({block, std::uint16_t(place), std::uint16_t(count), game.to_move()});
            game.play(game.nth_move(place));
            std::int32_t* child = arena_.at(block + std::uint32_t(place));
            if (tried < count) {
                child[3 * n] = game.result() == Result::kOngoing ? game.move_count() << 16 : 0;
                ++nodes_;
                return;
            }
            count = child[3 * n] >> 16;
            if (count == 0) return;
            best = child[3 * n] & 0xFFFF;
            tried = child[0] - 1;
            if (tried == 0) {
                is_full_ = !arena_.has_room_for(count);
                if (is_full_) return;
                child[2 * n] = std::int32_t(arena_.add_block(count));
            }
            block = std::uint32_t(child[2 * n]);
        }
    }

    // Adds one visit and its points to the child at `place`, and returns the first child with the highest score, the
    // book's formula with the fraction the right way up: M + c * sqrt(log(V_parent) / V). Lane by lane these are the
    // IEEE operations of the scalar formula in its order, so the same bits as the twin's.
    //
    // Both at once, because a vector that is loaded right after one of its lanes was stored waits for that store.
    int visit_and_choose(std::uint32_t block, std::uint32_t n, int place, int points, double log_parent) {
        std::int32_t* words = arena_.at(block);
        Counts at = {0, 1, 2, 3};
        Indices best_at = {};
        Lanes best = Lanes{} - 1.0;  // below every score
        for (std::uint32_t i = 0; i < n; i += kLanes, at += kLanes) {
            Counts visits, half_points;
            std::memcpy(&visits, words + i, sizeof visits);
            std::memcpy(&half_points, words + n + i, sizeof half_points);
            const Counts is_visited = at == place;  // 0 or -1
            visits -= is_visited;
            half_points += is_visited & points;
            std::memcpy(words + i, &visits, sizeof visits);
            std::memcpy(words + n + i, &half_points, sizeof half_points);

            const Lanes v = __builtin_convertvector(visits, Lanes);
            const Lanes ratio = log_parent / v;
            Lanes root;
            for (int lane = 0; lane < kLanes; ++lane) root[lane] = std::sqrt(ratio[lane]);
            const Lanes scores = __builtin_convertvector(half_points, Lanes) / (2.0 * v) + exploration_ * root;
            const auto is_better = scores > best;
            best = is_better ? scores : best;
            best_at = is_better ? Indices{0, 1, 2, 3} + std::int64_t(i) : best_at;
        }
        // Across the lanes: the highest score, then the first child that has it.
        Lanes highest = best, turned = __builtin_shufflevector(best, best, 2, 3, 0, 1);
        highest = highest > turned ? highest : turned;
        turned = __builtin_shufflevector(highest, highest, 1, 0, 3, 2);
        highest = highest > turned ? highest : turned;
        Indices first = best == highest ? best_at : Indices{} + std::int64_t(n);
        Indices other = __builtin_shufflevector(first, first, 2, 3, 0, 1);
        first = first < other ? first : other;
        return int(std::min(first[0], first[1]));
    }

    // Books the result along the path, and finds the best child of each of its nodes for the next walk. Scores change
    // nowhere else, and here, unlike in the walk itself, no node has to wait for another's divisions: 1.6 times as many
    // simulations of tic-tac-toe as with scoring on the way down.
    void back_up(Result result) {
        ++visits_;
        ++tally_[int(result)];
        const int points[2] = {games::half_points(result, 0), games::half_points(result, 1)};
        std::int32_t parent_visits = visits_, tried = visits_;
        std::int32_t* parent_info = &root_best_;
        for (const Step step : path_) {
            const std::uint32_t n = UctArena::padded(step.count);
            std::int32_t* child = arena_.at(step.block + step.place);
            const std::int32_t visits = child[0] + 1;
            if (tried < step.count) {
                child[0] = visits;
                child[n] += points[step.mover];
            } else {
                const int best = visit_and_choose(step.block, n, step.place, points[step.mover], log_of(parent_visits));
                *parent_info = (*parent_info & ~0xFFFF) | best;
            }
            parent_visits = visits;
            tried = visits - 1;
            parent_info = child + 3 * n;
        }
    }

    std::vector<int> most_visited_line() const {
        std::vector<int> line;
        std::uint32_t block = root_block_;
        int count = root_count_;
        while (block != 0 && count != 0) {
            const std::int32_t* visits = arena_.at(block);
            const auto place = std::max_element(visits, visits + count) - visits;
            if (visits[place] == 0) break;
            line.push_back(int(place));
            const std::uint32_t n = UctArena::padded(count);
            count = visits[3 * n + place] >> 16;
            block = std::uint32_t(visits[2 * n + place]);
        }
        return line;
    }

    G root_;
    double exploration_;
    int playout_limit_;
    SplitMix64 random_;
    UctArena arena_;
    int root_count_;
    std::uint32_t root_block_ = 0;
    std::int32_t root_best_ = 0;
    std::int32_t visits_ = 0;
    std::int64_t nodes_ = 1;
    std::int64_t tally_[4] = {};  // simulations by Result
    bool is_full_ = false;
    std::vector<Step> path_;
    const double* logs_ = log_table();
};

}  // namespace philidor::search
