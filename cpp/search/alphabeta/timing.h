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
    // `spent` is the time since the command came in, which is already gone from our clock.
    void start(const Limits& limits, chess::Color us, std::int64_t overhead_ms, std::int64_t spent) {
        remember_stalls(spent);
        begin_.store(now() - spent, std::memory_order_relaxed);
        soft_ = hard_ = std::nullopt;
        is_adaptive_ = false;
        if (limits.move_time)
            soft_ = hard_ = 1000 * std::clamp<std::int64_t>(*limits.move_time - overhead_ms, 1, kForever);
        // A command that tells only the opponent's time means the same for us.
        if (const auto& time = limits.time[us] ? limits.time[us] : limits.time[~us]) {
            const auto move_limit = hard_;
            allot(1000 * std::min(*time, kForever), 1000 * std::min(limits.increment[us], kForever), 1000 * overhead_ms,
                  limits.moves_to_go);
            if (move_limit) hard_ = std::min(*hard_, *move_limit), soft_ = std::min(*soft_, *move_limit);
        }
    }

    std::int64_t elapsed_ms() const { return elapsed() / 1000; }
    bool has_limit() const { return hard_.has_value(); }
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
    // A busy machine makes us wait about so long now and then; one that was asleep is no busy one. Measured in 60 games
    // at 1+0.01, four at a time on two cores with a load of 7 to 9: no time forfeit, 30 before.
    static constexpr std::int64_t kShortestStall = 40'000, kLongestStall = 200'000;
    static constexpr std::int64_t kTick = 1000;

    static std::int64_t now() {
        return std::chrono::duration_cast<std::chrono::microseconds>(
                   std::chrono::steady_clock::now().time_since_epoch())
            .count();
    }
    std::int64_t elapsed() const { return now() - begin_.load(std::memory_order_relaxed); }

    // The longest stall counts, and is forgotten slowly: what happened once in a game happens again.
    void remember_stalls(std::int64_t spent) {
        stall_ = std::clamp(std::max({stall_ * 63 / 64, longest_silence_, spent}), kShortestStall, kLongestStall);
        longest_silence_ = last_asked_ = 0;
    }

    void allot(std::int64_t time, std::int64_t increment, std::int64_t overhead, std::optional<int> moves_to_go) {
        // One stall may hit the search and another one its answer.
        const std::int64_t reserve = overhead + 2 * stall_;
        const std::int64_t left = std::max({time - reserve, time / 4, kTick});
        // Near the reserve the increment is saved, or a clock that lives on it would never recover from a stall.
        const std::int64_t usable = increment * 3 / 4 * std::clamp<std::int64_t>(time - reserve, 0, reserve) / reserve;
        // The share of a move: the rest of the control, or about a twenty-fifth, plus most of the increment.
        const std::int64_t share = left / std::clamp(moves_to_go.value_or(25), 1, 50) + usable;
        const std::int64_t ceiling =
            std::max(moves_to_go == 1 ? left * 9 / 10 - overhead : left * 3 / 4 - overhead, std::min(left / 2, kTick));
        soft_ = std::clamp<std::int64_t>(share * 7 / 10, 1, ceiling);
        hard_ = std::clamp<std::int64_t>(share * 3, 1, ceiling);
        is_adaptive_ = true;
    }

    // Reported times are read while `ponderhit` starts the clock again.
    std::atomic<std::int64_t> begin_{0};
    std::optional<std::int64_t> soft_, hard_;
    bool is_adaptive_ = false;
    std::int64_t last_asked_ = 0, longest_silence_ = 0, stall_ = kShortestStall;
};

}  // namespace philidor::search
