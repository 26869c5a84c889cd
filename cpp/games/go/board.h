// A Go board: stones, chains and captures, without turns, ko rules or memory. Sizes from 1x1 to 19x19.
//
// Points stand in one array with an edge around them, so that a neighbor is an addition away. A chain is a circular
// list with one of its stones as head; its liberties are counted with repetitions ("pseudo-liberties": once for each
// stone beside an empty point), which is enough to see captures and costs one addition a neighbor.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>

#include "games/bits.h"

namespace philidor::games::go {

enum Color : std::uint8_t { kEmpty, kBlack, kWhite, kEdge };
constexpr Color stone_of(int player) { return Color(player + 1); }
constexpr Color other(Color color) { return Color(3 - color); }

inline constexpr int kMaxSide = 19;
inline constexpr int kMaxArea = kMaxSide * kMaxSide;
// One column of edge between rows, a row below and above, and one point more for the last diagonal.
inline constexpr int kMaxPoints = (kMaxSide + 2) * (kMaxSide + 1) + 1;
inline constexpr int kMaxWords = (kMaxPoints + 63) / 64;

// A point's number in the array with its edge; 0 is none.
using Point = std::uint16_t;
inline constexpr Point kNoPoint = 0;

// The Zobrist number of a stone: the same as Python's `zobrist_numbers("go", ...)[2 * square + player]`.
std::uint64_t stone_key(int square, Color color);

class Board {
  public:
    // Throws std::invalid_argument.
    Board(int width, int height);

    int width() const { return width_; }
    int height() const { return height_; }
    int area() const { return width_ * height_; }
    // Squares are numbered row by row from the bottom, as in the other games.
    Point point_of(int square) const { return Point(square + square / width_ + width_ + 2); }
    int square_of(Point point) const {
        const int row = point / stride() - 1;
        return point - row - width_ - 2;
    }
    int stride() const { return width_ + 1; }
    std::array<Point, 4> neighbors(Point p) const {
        return {Point(p - stride()), Point(p - 1), Point(p + 1), Point(p + stride())};
    }
    std::array<Point, 4> diagonals(Point p) const {
        return {Point(p - stride() - 1), Point(p - stride() + 1), Point(p + stride() - 1), Point(p + stride() + 1)};
    }

    Color at(Point point) const { return Color(color_[point]); }
    int stones(Color color) const { return stones_[color]; }
    int empty_count() const { return area() - stones_[kBlack] - stones_[kWhite]; }
    std::uint64_t key() const { return key_; }
    // The empty points as bits, point by point.
    std::span<const std::uint64_t> empty_words() const { return std::span(empty_).first(std::size_t(words_)); }

    Point head(Point stone) const { return head_[stone]; }
    Point next(Point stone) const { return next_[stone]; }
    int chain_size(Point stone) const { return size_[head_[stone]]; }
    // Whether a stone on this empty point would take the chain of the stone beside it.
    bool is_taken_by(Point stone, Point point) const {
        const int liberties = liberties_[head_[stone]];
        return liberties <= 4 && liberties == contacts(stone, point);
    }
    // Different empty points beside a chain, found by walking it; counts no further than `most` and writes them to
    // `found` if there is room for them.
    int count_liberties(Point stone, int most, Point* found = nullptr) const;

    // An empty point whose stone would have no liberty and take nothing.
    bool is_suicide(Point p, Color color) const {
        if (count(p, kEmpty) > 0) return false;
        for (const Point n : neighbors(p)) {
            if (color_[n] == color && !is_taken_by(n, p)) return false;
            if (color_[n] == other(color) && is_taken_by(n, p)) return false;
        }
        return true;
    }
    // Whether a stone on the ko takes the one that took there and no other, so that the board is as it was before.
    bool takes_back(Point ko, Color color) const {
        int chains = 0;
        for (const Point n : neighbors(ko)) chains += color_[n] == other(color) && is_taken_by(n, ko);
        return chains == 1;
    }
    // No suicide and, `ko` being where a single stone was just taken, no taking back at once.
    bool is_legal(Point p, Color color, Point ko) const {
        return color_[p] == kEmpty && !is_suicide(p, color) && (p != ko || !takes_back(p, color));
    }
    // How many points before this one are legal; for those who count moves in their canonical order.
    int legal_before(Point p, Color color, Point ko) const;

    // All neighbors are its own, and too few diagonals the other's to make the eye false: one at most, none at the
    // edge.
    bool is_eye(Point p, Color color) const {
        if (count(p, color) < 4) return false;
        int enemies = 0, edges = 0;
        for (const Point d : diagonals(p)) {
            enemies += color_[d] == other(color);
            edges += color_[d] == kEdge;
        }
        return enemies + (edges > 0) < 2;
    }
    // How many neighbors have this color; the edge counts as black and as white.
    int count(Point p, Color color) const { return neighbors_[p] >> kShift[color] & 15; }

    // Puts a stone on an empty point and takes off the chains without liberties, its own last: suicide. Returns how
    // many stones were taken; `single` is told where, if it was one.
    template <bool kHashed = true>
    int place(Point p, Color color, Point& single) {
        add_stone<kHashed>(p, color);
        // Whose the neighbors are cannot be foreseen, that few moves take can: one branch instead of four.
        int taken = 0;
        bool takes = false;
        for (const Point n : neighbors(p)) takes |= (color_[n] == other(color)) & (liberties_[head_[n]] == 0);
        if (takes)
            for (const Point n : neighbors(p))
                if (color_[n] == other(color) && liberties_[head_[n]] == 0) {
                    single = n;
                    taken += remove_chain<kHashed>(n);
                }
        if (taken == 0 && liberties_[head_[p]] == 0) {
            single = p;
            taken = remove_chain<kHashed>(p);
        }
        return taken;
    }
    int place(Point p, Color color) {
        Point single;
        return place(p, color, single);
    }

    // Stones and the empty regions that touch no other color, point by point: 1 Black's, -1 White's, 0 nobody's.
    // `owners` has room for `area()` squares. Returns Black's points less White's.
    int score(std::int8_t* owners = nullptr) const;

  private:
    static constexpr int kShift[4] = {8, 0, 4, 12};  // bits of `neighbors_` by color
    static constexpr std::uint16_t kStep[3] = {0, std::uint16_t(1 - (1 << 8)), std::uint16_t((1 << 4) - (1 << 8))};

    int contacts(Point stone, Point point) const {
        const Point h = head_[stone];
        int count = 0;
        for (const Point n : neighbors(point)) count += head_[n] == h;
        return count;
    }

    template <bool kHashed>
    void add_stone(Point p, Color color) {
        empty_[p / 64] &= ~(std::uint64_t{1} << p % 64);
        color_[p] = color;
        ++stones_[color];
        head_[p] = next_[p] = p;
        size_[p] = 1;
        liberties_[p] = std::uint16_t(count(p, kEmpty));
        if constexpr (kHashed) key_ ^= stone_key(square_of(p), color);
        for (const Point n : neighbors(p)) {
            neighbors_[n] = std::uint16_t(neighbors_[n] + kStep[color]);
            --liberties_[head_[n]];  // of no chain: entry 0 counts for nobody
        }
        for (const Point n : neighbors(p))
            if (color_[n] == color && head_[n] != head_[p]) merge(head_[n], head_[p]);
    }

    void merge(Point first, Point second) {
        const Point to = size_[first] < size_[second] ? second : first;
        const Point from = size_[first] < size_[second] ? first : second;
        Point stone = from;
        do {
            head_[stone] = to;
            stone = next_[stone];
        } while (stone != from);
        std::swap(next_[to], next_[from]);
        size_[to] = std::uint16_t(size_[to] + size_[from]);
        liberties_[to] = std::uint16_t(liberties_[to] + liberties_[from]);
    }

    template <bool kHashed>
    int remove_chain(Point first) {
        const Color color = at(first);
        Point stone = first;
        int count = 0;
        do {
            const Point following = next_[stone];
            empty_[stone / 64] |= std::uint64_t{1} << stone % 64;
            color_[stone] = kEmpty;
            head_[stone] = kNoPoint;
            if constexpr (kHashed) key_ ^= stone_key(square_of(stone), color);
            for (const Point n : neighbors(stone)) {
                neighbors_[n] = std::uint16_t(neighbors_[n] - kStep[color]);
                ++liberties_[head_[n]];
            }
            stone = following;
            ++count;
        } while (stone != first);
        stones_[color] -= count;
        return count;
    }

    std::uint64_t empty_[kMaxWords] = {};
    std::uint64_t key_ = 0;
    std::int32_t stones_[3] = {};
    std::uint8_t width_, height_, words_;
    std::uint8_t color_[kMaxPoints];
    Point head_[kMaxPoints], next_[kMaxPoints];
    std::uint16_t liberties_[kMaxPoints], size_[kMaxPoints];  // of a chain, at its head
    std::uint16_t neighbors_[kMaxPoints];                     // black, white and empty ones, four bits each
};

// How many of the 3^area boards are positions: each chain has a liberty.
std::uint64_t count_positions(int width, int height);

// Calls `visit(point)` for each set bit in order.
template <typename Visit>
void for_each_point(std::span<const std::uint64_t> words, Visit&& visit) {
    for (std::size_t i = 0; i < words.size(); ++i)
        for (std::uint64_t bits = words[i]; bits != 0; bits &= bits - 1)
            visit(Point(64 * i + std::size_t(std::countr_zero(bits))));
}

// The point of the n-th set bit; there must be more than n. Without branches: which word it is cannot be foreseen.
inline Point nth_point(std::span<const std::uint64_t> words, int n) {
    int word = 0, before = 0, sum = 0;
    for (const std::uint64_t bits : words) {
        sum += std::popcount(bits);
        const bool is_before = sum <= n;
        word += is_before;
        before = is_before ? sum : before;
    }
    return Point(64 * word + nth_set_bit(words[std::size_t(word)], n - before));
}

}  // namespace philidor::games::go
