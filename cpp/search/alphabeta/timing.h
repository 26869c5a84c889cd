// How long to think: a soft limit to aim at, stretched while the search is unsure, and a hard one.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

#include "search/alphabeta/limits.h"

namespace philidor::search {

class Clock {
  public:
    void start(const Limits& limits, chess::Color us, std::int64_t overhead) {
        begin_ = std::chrono::steady_clock::now();
        soft_ = hard_ = std::nullopt;
        if (limits.move_time) soft_ = hard_ = std::max<std::int64_t>(*limits.move_time - overhead, 1);
        if (!limits.time[us]) return;
        const std::int64_t left = std::max<std::int64_t>(*limits.time[us] - overhead, 1);
        const std::int64_t increment = limits.increment[us];
        // The share of a move: the rest of the control, or about a twenty-fifth plus most of the increment.
        const std::int64_t share = limits.moves_to_go
                                       ? left / std::clamp(*limits.moves_to_go, 1, 50) + increment * 3 / 4
                                       : left / 25 + increment * 3 / 4;
        const std::int64_t ceiling = std::max<std::int64_t>(left * 3 / 4 - overhead, 1);
        soft_ = std::clamp<std::int64_t>(share * 7 / 10, 1, ceiling);
        hard_ = std::clamp<std::int64_t>(
            share * 3, 1, limits.moves_to_go == 1 ? std::max<std::int64_t>(left * 9 / 10 - overhead, 1) : ceiling);
        is_adaptive_ = true;
    }

    std::int64_t elapsed_ms() const {
        return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin_).count();
    }
    bool has_limit() const { return hard_.has_value(); }
    bool is_over() const { return hard_ && elapsed_ms() >= *hard_; }
    // After an iteration: `stretch` is 1 for an ordinary position, more for an unsettled one.
    bool is_enough(double stretch) const {
        return soft_ && double(elapsed_ms()) >= double(*soft_) * (is_adaptive_ ? stretch : 1.0);
    }

  private:
    std::chrono::steady_clock::time_point begin_;
    std::optional<std::int64_t> soft_, hard_;
    bool is_adaptive_ = false;
};

}  // namespace philidor::search
