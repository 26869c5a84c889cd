#include "search/connect4_solver.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace philidor::search {

namespace {

using games::Connect4;
using std::uint64_t;

struct Stopped {};

// Stones of the side to move and of both; where they lie is `Connect4`'s layout.
struct Stones {
    uint64_t mine;
    uint64_t taken;

    uint64_t theirs() const { return mine ^ taken; }
    int count() const { return std::popcount(taken); }
    Stones after(uint64_t move) const { return {theirs(), taken | move}; }
};

Stones stones_of(const Connect4& state) { return {state.stones(state.to_move()), state.stones(0) | state.stones(1)}; }

}  // namespace

// What one call does.
class Connect4Solver::Search {
  public:
    Search(const Connect4& root, Connect4Table& table, const std::atomic<bool>& should_stop, uint64_t node_limit);

    int root_score() { return score(stones_of(board_)); }
    std::vector<int> move_scores();
    std::vector<int> line();
    uint64_t nodes() const { return nodes_; }

  private:
    struct MoveList {
        uint64_t moves[32];  // the widest board has 32 columns
        int count = 0;
    };

    int score(Stones stones);
    int bound(Stones stones, int goal);
    bool reaches(Stones stones, int goal);
    std::optional<int> known_score(Stones stones) const;
    uint64_t legal_moves(Stones stones) const { return (stones.taken + board_.bottom()) & board_.cells(); }
    uint64_t winning_cells(uint64_t stones, uint64_t taken) const;
    uint64_t safe_moves(Stones stones) const;
    void narrow_by_lines_left(Stones stones, Connect4Bounds& bounds) const;
    MoveList ordered(Stones stones, uint64_t moves) const;
    uint64_t key(Stones stones) const;
    int best_known(Stones stones, const MoveList& list) const;
    void visit();

    const Connect4& board_;  // the root; below it only its shape counts
    Connect4Table& table_;
    const std::atomic<bool>& should_stop_;
    const uint64_t node_limit_;
    uint64_t nodes_ = 0;
    const int size_;
    const int stride_;
    const bool is_wide_;
    std::vector<uint64_t> columns_;  // cells of each column, center first
};

Connect4Solver::Search::Search(const Connect4& root, Connect4Table& table, const std::atomic<bool>& should_stop,
                               uint64_t node_limit)
    : board_(root),
      table_(table),
      should_stop_(should_stop),
      node_limit_(node_limit),
      size_(std::popcount(root.cells())),
      stride_(root.stride()),
      is_wide_(root.width() >= 4) {
    const uint64_t first_column = root.cells() & ((uint64_t{1} << (stride_ - 1)) - 1);
    for (int i = 0; i < root.width(); ++i) {
        const int column = root.width() / 2 + (i % 2 ? -(i + 1) / 2 : i / 2);
        columns_.push_back(first_column << (column * stride_));
    }
}

// The cells where one more stone makes a four.
uint64_t Connect4Solver::Search::winning_cells(uint64_t stones, uint64_t taken) const {
    uint64_t cells = stones << 1 & stones << 2 & stones << 3;
    if (is_wide_) {
        for (const int step : {stride_ - 1, stride_, stride_ + 1}) {
            const uint64_t before = stones << step & stones << 2 * step;
            const uint64_t behind = stones >> step & stones >> 2 * step;
            cells |= before & (stones << 3 * step | stones >> step);
            cells |= behind & (stones >> 3 * step | stones << step);
        }
    }
    return cells & board_.cells() & ~taken;
}

// The moves after which the other side does not win at once.
uint64_t Connect4Solver::Search::safe_moves(Stones stones) const {
    uint64_t moves = legal_moves(stones);
    const uint64_t threats = winning_cells(stones.theirs(), stones.taken);
    const uint64_t forced = moves & threats;
    if (forced & (forced - 1)) return 0;  // nobody stops two threats
    if (forced) moves = forced;
    return moves & ~(threats >> 1);  // a stone below a threat lets it come true
}

// A side without a line that it could still fill cannot win.
void Connect4Solver::Search::narrow_by_lines_left(Stones stones, Connect4Bounds& bounds) const {
    const uint64_t free = board_.cells() & ~stones.taken;
    if (!board_.has_four(stones.theirs() | free)) bounds.lower = std::max(bounds.lower, 0);
    if (!board_.has_four(stones.mine | free)) bounds.upper = std::min(bounds.upper, 0);
}

// Moves that make most threats first, of equal ones the nearest to the center: they refute soonest.
Connect4Solver::Search::MoveList Connect4Solver::Search::ordered(Stones stones, uint64_t moves) const {
    MoveList list;
    int threats[32];
    for (const uint64_t column : columns_) {
        const uint64_t move = moves & column;
        if (!move) continue;
        const int made = std::popcount(winning_cells(stones.mine | move, stones.taken | move));
        int place = list.count++;
        for (; place > 0 && threats[place - 1] < made; --place) {
            list.moves[place] = list.moves[place - 1];
            threats[place] = threats[place - 1];
        }
        list.moves[place] = move;
        threats[place] = made;
    }
    return list;
}

// A number that no other position has but the mirror image: in each column the sum of both sets is at least
// 2^n - 1 and less than 2^(n+1) - 1 with n stones, so it tells n and which of them are mine.
uint64_t Connect4Solver::Search::key(Stones stones) const {
    const uint64_t sum = stones.mine + stones.taken;
    uint64_t mirrored = 0;
    const uint64_t column = (uint64_t{2} << (stride_ - 1)) - 1;
    for (int shift = (board_.width() - 1) * stride_, from = 0; shift >= 0; shift -= stride_, from += stride_)
        mirrored |= (sum >> from & column) << shift;
    return std::min(sum, mirrored);
}

// A lower bound of the score from what the table remembers of the positions after the moves: looking there costs much
// less than searching a first move in vain when another one refutes.
int Connect4Solver::Search::best_known(Stones stones, const MoveList& list) const {
    int best = -size_;
    for (int i = 0; i < list.count; ++i) {
        Connect4Bounds after{-size_, size_};
        table_.probe(key(stones.after(list.moves[i])), after);
        best = std::max(best, -after.upper);
    }
    return best;
}

void Connect4Solver::Search::visit() {
    if (nodes_ == node_limit_) throw Stopped{};
    if (++nodes_ % 1024 == 0 && should_stop_.load(std::memory_order_relaxed)) throw Stopped{};
}

// Says whether the score reaches `goal`, with a reason: a result of at least `goal` is a lower bound of the score, any
// other an upper bound. The side to move must not be able to win at once, and at least one cell must be free.
int Connect4Solver::Search::bound(Stones stones, int goal) {
    visit();
    const uint64_t start = nodes_;
    const int left = size_ - stones.count();
    // 1. If every move loses at once, or only two cells are left and none does, the end is known.
    const uint64_t moves = safe_moves(stones);
    if (moves == 0) return -(left / 2);
    if (left <= 2) return 0;
    // 2. Nobody wins at once, the mover does not lose at the next move: that bounds the score, and so does what is
    //    remembered and which lines are left.
    Connect4Bounds bounds{-((left - 2) / 2), (left - 1) / 2};
    const uint64_t own_key = key(stones);
    table_.probe(own_key, bounds);
    if (bounds.lower < goal && bounds.upper >= goal) narrow_by_lines_left(stones, bounds);
    if (bounds.lower >= goal) return bounds.lower;
    if (bounds.upper < goal) return bounds.upper;
    // 3. Else one move that reaches the goal is enough: perhaps one is known already. If none does, the best of them
    //    is an upper bound.
    const MoveList list = ordered(stones, moves);
    int best = std::max(bounds.lower, best_known(stones, list));
    for (int i = 0; i < list.count && best < goal; ++i)
        best = std::max(best, -bound(stones.after(list.moves[i]), 1 - goal));
    if (best >= goal)
        bounds.lower = best;
    else
        bounds.upper = best = std::min(best, bounds.upper);
    table_.store(own_key, bounds, nodes_ - start);
    return best;
}

// The score of a game that is over, or won at once.
std::optional<int> Connect4Solver::Search::known_score(Stones stones) const {
    const int left = size_ - stones.count();
    if (board_.has_four(stones.theirs())) return -(left / 2 + 1);
    if (left == 0) return 0;
    if (legal_moves(stones) & winning_cells(stones.mine, stones.taken)) return (left + 1) / 2;
    return std::nullopt;
}

bool Connect4Solver::Search::reaches(Stones stones, int goal) {
    const std::optional<int> known = known_score(stones);
    return (known ? *known : bound(stones, goal)) >= goal;
}

// Bisects, from the extremes to 0: a quick win or loss is soon confirmed or refuted, and what the table learns thereby
// makes the longer searches shorter.
int Connect4Solver::Search::score(Stones stones) {
    if (const std::optional<int> known = known_score(stones)) return *known;
    const int left = size_ - stones.count();
    int lower = -(left / 2), upper = (left - 1) / 2;
    while (lower < upper) {
        int middle = lower + (upper - lower) / 2;
        if (middle <= 0 && lower / 2 < middle)
            middle = lower / 2;
        else if (middle >= 0 && upper / 2 > middle)
            middle = upper / 2;
        const int found = bound(stones, middle + 1);
        (found > middle ? lower : upper) = found;
    }
    return lower;
}

std::vector<int> Connect4Solver::Search::move_scores() {
    const Stones stones = stones_of(board_);
    std::vector<int> scores;
    for (uint64_t moves = legal_moves(stones); moves; moves &= moves - 1)
        scores.push_back(-score(stones.after(moves & -moves)));
    return scores;
}

std::vector<int> Connect4Solver::Search::line() {
    Stones stones = stones_of(board_);
    std::vector<int> places;
    int best = score(stones);
    while (!board_.has_four(stones.theirs()) && legal_moves(stones)) {
        uint64_t moves = legal_moves(stones);
        int place = 0;
        // A move keeps the score if the other side cannot reach more than its opposite.
        while (reaches(stones.after(moves & -moves), 1 - best)) {
            moves &= moves - 1;
            ++place;
        }
        places.push_back(place);
        stones = stones.after(moves & -moves);
        best = -best;
    }
    return places;
}

int plies_to_end(const Connect4& state, int score) {
    const int left = std::popcount(state.cells()) - stones_of(state).count();
    if (score == 0) return left;
    // So many, or one less: the winner makes the last move.
    const int plies = left + 2 - 2 * std::abs(score);
    const bool is_mine_last = score > 0;
    return plies % 2 == int(is_mine_last) ? plies : plies - 1;
}

Connect4Solver::Connect4Solver(int memory_mb) : table_(std::max(memory_mb, 1)) {
    if (memory_mb < 1) throw std::invalid_argument("memory_mb must be at least 1, got " + std::to_string(memory_mb));
}

template <typename Answer>
std::optional<Answer> Connect4Solver::run(const Connect4& root, uint64_t node_limit, Answer (Search::*work)()) {
    if (root.result() != games::Result::kOngoing) throw std::invalid_argument("the game is over");
    const std::lock_guard lock(mutex_);
    // Positions of another board have the same keys.
    if (width_ != 0 && (root.width() != width_ || root.stride() != stride_)) table_.clear();
    width_ = root.width();
    stride_ = root.stride();
    Search search(root, table_, should_stop_, node_limit);
    std::optional<Answer> answer;
    try {
        answer = (search.*work)();
    } catch (const Stopped&) {
    }
    nodes_ += search.nodes();
    return answer;
}

std::optional<int> Connect4Solver::score(const Connect4& root, uint64_t node_limit) {
    return run(root, node_limit, &Search::root_score);
}

std::optional<std::vector<int>> Connect4Solver::move_scores(const Connect4& root, uint64_t node_limit) {
    return run(root, node_limit, &Search::move_scores);
}

std::optional<std::vector<int>> Connect4Solver::line(const Connect4& root, uint64_t node_limit) {
    return run(root, node_limit, &Search::line);
}

}  // namespace philidor::search
