// How much less deep a late move is searched.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "search/alphabeta/parameters.h"

namespace philidor::search {

// Hundredths of a ply by depth and number of the move. They grow with both logarithms.
struct Reductions {
    std::array<std::array<std::int16_t, 64>, 64> hundredths{};
    int of(int depth, int move_count) const {
        return hundredths[std::size_t(std::min(depth, 63))][std::size_t(std::min(move_count, 63))];
    }
};

inline Reductions reductions_of(const Parameters& parameters) {
    Reductions table;
    for (int depth = 1; depth < 64; ++depth)
        for (int move = 1; move < 64; ++move)
            table.hundredths[std::size_t(depth)][std::size_t(move)] =
                std::int16_t(parameters.reduction_base +
                             std::log(double(depth)) * std::log(double(move)) * 10000.0 / parameters.reduction_divisor);
    return table;
}

}  // namespace philidor::search
