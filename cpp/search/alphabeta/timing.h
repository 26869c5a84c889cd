// How long to think: a soft limit to aim at, stretched while the search is unsure, and a hard one.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

#include "search/alphabeta/limits.h"

namespace philidor::search {

// One thread starts the clock, the main thread of the search asks it. All times are microseconds inside.
class Clock {
  public:
    // `spent` is the time since the command came in, which is already gone from our clock; `ply` is how far the game
    // is.
    void start(const Limits& limits, chess::Color us, std::int64_t overhead_ms, std::int64_t spent, int ply = 0) {
        // A command that tells only the opponent's time means the same for us.
        const std::optional<std::int64_t>& time = limits.time[us] ? limits.time[us] : limits.time[~us];
        remember_stalls(spent, time ? lag(*time) : 0);
        told_ms_ = time;
        told_increment_ms_ = limits.increment[us];
        begin_.store(now() - spent, std::memory_order_relaxed);
        soft_ = hard_ = std::nullopt;
        is_adaptive_ = false;
        if (limits.move_time)
            soft_ = hard_ = 1000 * std::clamp<std::int64_t>(*limits.move_time - overhead_ms, 1, kForever);
        if (time) {
            const auto move_limit = hard_;
            allot(1000 * std::min(*time, kForever), 1000 * std::min(limits.increment[us], kForever), 1000 * overhead_ms,
                  limits.moves_to_go, ply);
            if (move_limit) hard_ = std::min(*hard_, *move_limit), soft_ = std::min(*soft_, *move_limit);
        }
    }

    std::int64_t elapsed_ms() const { return elapsed() / 1000; }
    bool has_limit() const { return hard_.has_value(); }
    // What a search may use at most, in microseconds from the order.
    std::optional<std::int64_t> limit() const { return hard_; }
    // Asked every millisecond or so by the search; the longest silence between two questions tells how long the
    // machine may let us wait while others run.
    bool is_over() {
        const std::int64_t asked = now();
        if (last_asked_) longest_silence_ = std::max(longest_silence_, asked - last_asked_);
        last_asked_ = asked;
        return hard_ && elapsed() >= *hard_;
    }
    // After an iteration: `stretch` is 1 for an ordinary position, more for an unsettled one.
    bool is_enough(double stretch) const {
        return soft_ && double(elapsed()) >= double(*soft_) * (is_adaptive_ ? stretch : 1.0);
    }

  private:
    static constexpr std::int64_t kForever = 1'000'000'000;  // ms, eleven days; much more would overflow
    // A busy machine makes us wait now and then, for how long it shows while there is time; one that was asleep is no
    // busy one.
    static constexpr std::int64_t kShortestStall = 10'000, kLongestStall = 200'000;
    // The moves that the time is shared by: fewer as the game goes on, or a third of it would be left at the end.
    static constexpr int kMostMoves = 25, kFewestMoves = 12, kPliesPerMoveLess = 8;
    static constexpr std::int64_t kTick = 1000;

    static std::int64_t now() {
        return std::chrono::duration_cast<std::chrono::microseconds>(
                   std::chrono::steady_clock::now().time_since_epoch())
            .count();
    }
    std::int64_t elapsed() const { return now() - begin_.load(std::memory_order_relaxed); }

    // What the last move took of our clock beyond its search, on the way here and back. Nonsense, and most often less
    // than nothing, where another game has begun.
    std::int64_t lag(std::int64_t time_ms) const {
        // A clock that stands still is that of a move pondered on.
        if (!told_ms_ || !last_asked_ || *told_ms_ == time_ms || *told_ms_ + told_increment_ms_ > kForever) return 0;
        const std::int64_t searched = last_asked_ - begin_.load(std::memory_order_relaxed);
        return 1000 * (*told_ms_ + told_increment_ms_ - std::min(time_ms, kForever)) - searched;
    }

    // The longest stall counts, and half of it is forgotten in 22 moves: what happened in a game happens again.
    void remember_stalls(std::int64_t spent, std::int64_t lag) {
        if (last_asked_) usual_lag_ = (3 * usual_lag_ + std::clamp<std::int64_t>(lag, 0, kLongestStall)) / 4;
        stall_ = std::clamp(std::max({stall_ * 31 / 32, longest_silence_, spent, lag}), kShortestStall, kLongestStall);
        longest_silence_ = last_asked_ = 0;
    }

    void allot(std::int64_t time, std::int64_t increment, std::int64_t overhead, std::optional<int> moves_to_go,
               int ply) {
        const int moves =
            std::clamp(moves_to_go.value_or(std::max(kMostMoves - ply / kPliesPerMoveLess, kFewestMoves)), 1, 50);
        // One stall may hit the search and another one its answer; and each move to come costs what it costs now.
        const std::int64_t reserve = overhead + 2 * stall_;
        const std::int64_t left = std::max({time - reserve - moves * usual_lag_, time / 4, kTick});
        // Near the reserve the increment is saved, or a clock that lives on it would never recover from a stall.
        const std::int64_t usable = std::max<std::int64_t>(increment - usual_lag_, 0) *
                                    std::clamp<std::int64_t>(time - reserve - moves * usual_lag_, 0, 3 * reserve) /
                                    (3 * reserve);
        // The share of a move: of the rest of the control, or of a number of moves that falls, plus the increment.
        const std::int64_t share = left / moves;
        const std::int64_t ceiling =
            std::max(moves_to_go == 1 ? left * 9 / 10 - overhead : left * 3 / 4 - overhead, std::min(left / 2, kTick));
        soft_ = std::clamp<std::int64_t>(share * 7 / 10 + usable, 1, ceiling);
        hard_ = std::clamp<std::int64_t>((share + usable) * 3, 1, ceiling);
        is_adaptive_ = true;
    }

    // Reported times are read while `ponderhit` starts the clock again.
    std::atomic<std::int64_t> begin_{0};
    std::optional<std::int64_t> soft_, hard_;
    bool is_adaptive_ = false;
    std::optional<std::int64_t> told_ms_;  // our time before the last move
    std::int64_t told_increment_ms_ = 0;
    std::int64_t usual_lag_ = 0;  // what a move costs beyond its search, of late
    std::int64_t last_asked_ = 0, longest_silence_ = 0, stall_ = kShortestStall;
};

}  // namespace philidor::search
