// Which thread of a parallel search speaks for all.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "games/chess/types.h"
#include "search/alphabeta/values.h"

namespace philidor::search {

// What a thread found.
struct Opinion {
    chess::Move move{};
    int score = 0;
    int depth = 0;  // completed
};

// Threads vote for their moves, the deeper and the more hopeful the louder (an idea of Stockfish's). The first voter of
// the winning move that got deepest speaks, of equals the one with the best score; where mates
// are proven, the best score alone counts. `opinions` is not empty; the first is the main thread's and wins ties.
inline std::size_t elect(std::span<const Opinion> opinions) {
    int worst = kInfinite;
    for (const Opinion& opinion : opinions) worst = std::min(worst, opinion.score);
    const auto votes = [&](chess::Move move) {
        std::int64_t sum = 0;
        for (const Opinion& opinion : opinions)
            if (opinion.move == move) sum += std::int64_t(opinion.score - worst + 14) * opinion.depth;
        return sum;
    };
    std::size_t best = 0;
    for (std::size_t i = 1; i < opinions.size(); ++i) {
        const Opinion &one = opinions[i], &other = opinions[best];
        if (is_mate(one.score) || is_mate(other.score)) {
            if (one.score > other.score) best = i;
        } else if (one.move == other.move) {
            if (one.depth > other.depth || (one.depth == other.depth && one.score > other.score)) best = i;
        } else if (votes(one.move) > votes(other.move)) {
            best = i;
        }
    }
    return best;
}

}  // namespace philidor::search
