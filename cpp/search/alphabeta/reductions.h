// How many plies less a late move is searched.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "search/alphabeta/parameters.h"

namespace philidor::search {

// Plies by depth and number of the move. They grow with both logarithms.
struct Reductions {
    std::array<std::array<std::int8_t, 64>, 64> plies{};
    int of(int depth, int move_count) const {
        return plies[std::size_t(std::min(depth, 63))][std::size_t(std::min(move_count, 63))];
    }
};

inline Reductions reductions_of(const Parameters& parameters) {
    Reductions table;
    for (int depth = 1; depth < 64; ++depth)
        for (int move = 1; move < 64; ++move)
            table.plies[std::size_t(depth)][std::size_t(move)] =
                std::int8_t(parameters.reduction_base / 100.0 +
                            std::log(double(depth)) * std::log(double(move)) / (parameters.reduction_divisor / 100.0));
    return table;
}

}  // namespace philidor::search
