#include "games/go/tactics.h"

#include <algorithm>

namespace philidor::games::go {

namespace {

constexpr int kMostLiberties = 8;

void add(PointBits& bits, Point p) { bits[p / 64] |= std::uint64_t{1} << p % 64; }
int count(const PointBits& bits) {
    int sum = 0;
    for (const std::uint64_t word : bits) sum += std::popcount(word);
    return sum;
}

After after_taking(const Board& board, Point p, Color color) {
    Board next = board;
    const int captured = next.place(p, color);
    return {captured, next.chain_size(p), next.count_liberties(p, kMostLiberties)};
}

}  // namespace

const PointBits& Chains::liberties(Point stone) {
    const Point head = board_.head(stone);
    if (is_known_[head]) return bits_[head];
    is_known_[head] = true;
    bits_[head] = {};
    Point each = head;
    do {
        for (const Point n : board_.neighbors(each))
            if (board_.at(n) == kEmpty) add(bits_[head], n);
        each = board_.next(each);
    } while (each != head);
    return bits_[head];
}

int Chains::liberty_count(Point stone) {
    const Point head = board_.head(stone);
    if (counts_[head] == 0) counts_[head] = std::uint16_t(count(liberties(stone)));
    return counts_[head];
}

After after_stone(const Board& board, Chains& chains, Point p, Color color) {
    if (board.is_suicide(p, color)) return {};
    PointBits liberties{};
    Point heads[4];
    int own = 0, size = 1;
    for (const Point n : board.neighbors(p)) {
        const Color there = board.at(n);
        if (there == other(color) && board.is_taken_by(n, p)) return after_taking(board, p, color);
        if (there == kEmpty) add(liberties, n);
        if (there != color || std::find(heads, heads + own, board.head(n)) != heads + own) continue;
        heads[own++] = board.head(n);
        size += board.chain_size(n);
        const PointBits& theirs = chains.liberties(n);
        for (std::size_t i = 0; i < liberties.size(); ++i) liberties[i] |= theirs[i];
    }
    liberties[p / 64] &= ~(std::uint64_t{1} << p % 64);
    return {0, size, count(liberties)};
}

}  // namespace philidor::games::go
