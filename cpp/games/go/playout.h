// A light playout: moves drawn evenly among the legal ones that do not fill an eye of the mover's, until both pass.
// The twin of games/go/playouts.py: with the same generator both play the same game.
#pragma once

#include <algorithm>
#include <cstdint>

#include "games/go/board.h"

namespace philidor::games::go {

struct Playout {
    int moves;  // passes too
    int score;  // Black's points less White's
};

// Plays on from `board`, on which `player` is to move after so many passes and may not play on `ko`. Ends after
// `most` moves at the latest. Repetitions beyond the simple ko are not looked for: they are rare, and the end is near.
// `owners`, if there is room for them, are whose each square is in the end, as `Board::score` says it.
template <typename Random>
Playout play_out(Board& board, int player, int passes, Point ko, int most, Random& random,
                 std::int8_t* owners = nullptr) {
    Color color = stone_of(player);
    int moves = 0;
    for (; passes < 2 && moves < most; ++moves, color = other(color)) {
        const auto is_sensible = [&](Point p) {
            return p != ko && !board.is_eye(p, color) && !board.is_suicide(p, color);
        };
        // 1. Draw a point; the usual one will do. If not, it is out, and the next is drawn from the others.
        const auto empty = board.empty_words();
        int left = board.empty_count();
        Point p = left == 0 ? kNoPoint : nth_point(empty, random.below(left));
        if (left > 0 && !is_sensible(p)) {
            std::uint64_t candidates[kMaxWords];
            std::ranges::copy(empty, candidates);
            do {
                candidates[p / 64] &= ~(std::uint64_t{1} << p % 64);
                if (--left == 0) break;
                p = nth_point(std::span(candidates).first(empty.size()), random.below(left));
            } while (!is_sensible(p));
        }
        // 2. Play there, or pass. A single stone taken from inside the other's eye may not be taken back at once.
        if (left == 0) {
            ++passes;
            ko = kNoPoint;
            continue;
        }
        passes = 0;
        const bool is_inside = board.count(p, other(color)) == 4;
        Point single = kNoPoint;
        const int taken = board.place<false>(p, color, single);
        ko = is_inside && taken == 1 ? single : kNoPoint;
    }
    return {moves, board.score(owners)};
}

}  // namespace philidor::games::go
