// UCT with random playouts (book, ch. 3.5.2), over any native game. The twin of src/philidor/search/uct.py: with the
// same seed both grow the same tree, visit for visit.
//
// What keeps the twins together: one shared generator, one draw for each playout move; children tried in canonical
// order; results summed in half points, which is exact; a score is one expression in double; the first of equal
// scores wins.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
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

template <games::Game G>
class RolloutUct final : public UctTree {
  public:
    RolloutUct(const G& root, const UctSettings& settings)
        : root_(root),
          exploration_(settings.exploration),
          playout_limit_(settings.playout_limit),
          random_(settings.seed),
          arena_(words_of(settings.memory_mb)),
          root_count_(root.move_count()) {
        if (root.result() != Result::kOngoing) throw std::invalid_argument("the game is over: nothing to search");
        if (!arena_.has_room_for(root_count_)) throw std::invalid_argument("too little memory for the first move");
        root_block_ = arena_.add_block(root_count_);
    }

    std::int64_t simulate(std::int64_t simulations) override {
        // Moves played are the measure of time: from 10 (connect four) to 200 ns (chess) each.
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
    using Lanes [[gnu::vector_size(8 * kLanes)]] = double;
    using Indices [[gnu::vector_size(8 * kLanes)]] = std::int64_t;

    // A step of the path: the child's word, and the distance from its visits to its half points. The distance is a
    // multiple of kLanes, so its lowest bit has room for who moved.
    struct Step {
        std::uint32_t word;
        std::uint32_t distance_and_mover;
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
        Result result = select_and_expand(game);
        if (is_full_) return 0;
        // 3. Simulate.
        int moves = int(path_.size());
        if (result == Result::kOngoing) {
            const int limit = moves + playout_limit_;
            for (; game.result() == Result::kOngoing && moves < limit; ++moves)
                game.play(game.nth_move(random_.below(game.move_count())));
            result = game.result() == Result::kOngoing ? Result::kDraw : game.result();
        }
        // 4. Back up.
        back_up(result);
        return moves;
    }

    // Walks down the best children and adds one new one. Returns the result if the walk ended in a known end of
    // the game, else leaves `game` where the playout begins.
    Result select_and_expand(G& game) {
        std::uint32_t block = root_block_;
        int count = root_count_;
        std::int32_t parent_visits = visits_;
        // Each visit of a node has tried one more child, but for the first, which was its own playout. (The root
        // had none.) So no counter of tried children is needed.
        std::int32_t tried = visits_;
        for (;;) {
            const std::uint32_t n = UctArena::padded(count);
            const bool is_new = tried < count;
            const std::uint32_t word = block + (is_new ? std::uint32_t(tried) : best_child(block, n, parent_visits));
            path_.push_back({word, n | std::uint32_t(game.to_move())});
            std::int32_t* child = arena_.at(word);
            if (is_new) {
                expand(game, child, n, tried);
                return Result::kOngoing;
            }
            const auto info = std::uint32_t(child[3 * n]);
            count = int(info >> 16);
            if (count == 0) return Result(child[2 * n]);
            game.play(games::MoveCode(info & 0xFFFF));
            parent_visits = child[0];
            tried = parent_visits - 1;
            if (tried == 0) {
                is_full_ = !arena_.has_room_for(count);
                if (is_full_) return Result::kOngoing;
                child[2 * n] = std::int32_t(arena_.add_block(count));
            }
            block = std::uint32_t(child[2 * n]);
        }
    }

    void expand(G& game, std::int32_t* child, std::uint32_t n, int place) {
        const games::MoveCode move = game.nth_move(place);
        game.play(move);
        const bool is_over = game.result() != Result::kOngoing;
        child[2 * n] = is_over ? std::int32_t(game.result()) : 0;
        child[3 * n] = std::int32_t(std::uint32_t(is_over ? 0 : game.move_count()) << 16 | move);
        ++nodes_;
    }

    // The book's formula with the fraction the right way up: M + c * sqrt(log(V_parent) / V). (The result is a
    // parameter because vectors are returned differently by each instruction set.)
    void score(const std::int32_t* visits_at, const std::int32_t* half_points_at, double log_parent,
               Lanes& scores) const {
        Lanes visits, half_points, root;
        for (int i = 0; i < kLanes; ++i) visits[i] = visits_at[i];
        for (int i = 0; i < kLanes; ++i) half_points[i] = half_points_at[i];
        const Lanes ratio = log_parent / visits;
        for (int i = 0; i < kLanes; ++i) root[i] = std::sqrt(ratio[i]);
        scores = half_points / (2.0 * visits) + exploration_ * root;
    }

    // The first child with the highest score. Lane by lane these are the IEEE operations of the scalar formula in
    // its order, so the same bits as the twin's.
    std::uint32_t best_child(std::uint32_t block, std::uint32_t n, std::int32_t parent_visits) const {
        const double log_parent = log_of(parent_visits);
        const std::int32_t* visits = arena_.at(block);
        Lanes best, next;
        score(visits, visits + n, log_parent, best);
        Indices at = {0, 1, 2, 3};
        Indices best_at = at;
        for (std::uint32_t i = kLanes; i < n; i += kLanes) {
            score(visits + i, visits + n + i, log_parent, next);
            at += kLanes;
            best_at = next > best ? at : best_at;
            best = next > best ? next : best;
        }
        // Branches on purpose: most walks repeat an earlier one, and a predicted choice lets the CPU start on the
        // next level before this one's divisions are done (0.29 against 0.33 us a simulation of tic-tac-toe).
        int lane = 0;
        for (int i = 1; i < kLanes; ++i)
            if (best[i] > best[lane] || (best[i] == best[lane] && best_at[i] < best_at[lane])) lane = i;
        return std::uint32_t(best_at[lane]);
    }

    void back_up(Result result) {
        ++visits_;
        ++tally_[int(result)];
        const int points[2] = {games::half_points(result, 0), games::half_points(result, 1)};
        for (const Step step : path_) {
            const std::uint32_t mover = step.distance_and_mover & 1;
            std::int32_t* child = arena_.at(step.word);
            ++child[0];
            child[step.distance_and_mover ^ mover] += points[mover];
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
            count = int(std::uint32_t(visits[3 * n + place]) >> 16);
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
    std::int32_t visits_ = 0;
    std::int64_t nodes_ = 1;
    std::int64_t tally_[4] = {};  // simulations by Result
    bool is_full_ = false;
    std::vector<Step> path_;
    const double* logs_ = log_table();
};

}  // namespace philidor::search
