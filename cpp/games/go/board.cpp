#include "games/go/board.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace philidor::games::go {
namespace {

// FNV-1a of "go" seeds SplitMix64, as in core/zobrist.py.
constexpr std::array<std::uint64_t, 2 * kMaxArea> make_keys() {
    std::uint64_t state = 0xCBF29CE484222325ULL;
    for (const char byte : {'g', 'o'}) state = (state ^ std::uint64_t(byte)) * 0x100000001B3ULL;
    std::array<std::uint64_t, 2 * kMaxArea> keys{};
    for (std::uint64_t& key : keys) {
        state += 0x9E3779B97F4A7C15ULL;
        std::uint64_t z = state;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        key = z ^ (z >> 31);
    }
    return keys;
}

constexpr std::array<std::uint64_t, 2 * kMaxArea> kKeys = make_keys();

std::uint64_t count_from(const Board& board, int square) {
    if (square == board.area()) return 1;
    std::uint64_t count = count_from(board, square + 1);
    // Squares to come count as empty: a chain that has no liberty now will never have one.
    for (const Color color : {kBlack, kWhite}) {
        Board next = board;
        if (next.place(board.point_of(square), color) == 0) count += count_from(next, square + 1);
    }
    return count;
}

}  // namespace

std::uint64_t count_positions(int width, int height) { return count_from(Board(width, height), 0); }

std::uint64_t stone_key(int square, Color color) { return kKeys[std::size_t(2 * square + color - kBlack)]; }

Board::Board(int width, int height) {
    if (std::min(width, height) < 1 || std::max(width, height) > kMaxSide)
        throw std::invalid_argument("Go is played on 1x1 to 19x19, got " + std::to_string(width) + "x" +
                                    std::to_string(height));
    width_ = std::uint8_t(width);
    height_ = std::uint8_t(height);
    const int points = (height + 2) * stride() + 1;
    words_ = std::uint8_t((points + 63) / 64);
    std::fill_n(color_, kMaxPoints, std::uint8_t(kEdge));
    std::fill_n(head_, kMaxPoints, kNoPoint);
    std::fill_n(next_, kMaxPoints, kNoPoint);
    std::fill_n(liberties_, kMaxPoints, std::uint16_t{0});
    std::fill_n(size_, kMaxPoints, std::uint16_t{0});
    std::fill_n(neighbors_, kMaxPoints, std::uint16_t{0});
    for (int square = 0; square < area(); ++square) {
        const Point p = point_of(square);
        color_[p] = kEmpty;
        empty_[p / 64] |= std::uint64_t{1} << p % 64;
    }
    for (int square = 0; square < area(); ++square) {
        const Point p = point_of(square);
        for (const Point n : neighbors(p)) {
            const int amount = color_[n] == kEdge ? (1 << kShift[kBlack]) + (1 << kShift[kWhite]) : 1 << kShift[kEmpty];
            neighbors_[p] = std::uint16_t(neighbors_[p] + amount);
        }
    }
}

int Board::count_liberties(Point first, int most, Point* found) const {
    std::uint64_t seen[kMaxWords] = {};
    int count = 0;
    Point stone = first;
    do {
        for (const Point n : neighbors(stone)) {
            std::uint64_t& word = seen[n / 64];
            const std::uint64_t bit = std::uint64_t{1} << n % 64;
            if (color_[n] != kEmpty || (word & bit) != 0) continue;
            word |= bit;
            if (found != nullptr) found[count] = n;
            if (++count == most) return count;
        }
        stone = next_[stone];
    } while (stone != first);
    return count;
}

int Board::legal_before(Point p, Color color, Point ko) const {
    // Only an empty point without an empty neighbor can be forbidden, and there are few: they are found word by word.
    const auto before = [&](int word) {
        const int end = p - 64 * word;
        return end >= 64 ? ~std::uint64_t{0} : end <= 0 ? 0 : (std::uint64_t{1} << end) - 1;
    };
    const auto word_at = [&](int first_bit) {
        const int word = first_bit >> 6, shift = first_bit & 63;
        const auto at = [&](int i) { return i < 0 || i >= kMaxWords ? 0 : empty_[i]; };
        return shift == 0 ? at(word) : at(word) >> shift | at(word + 1) << (64 - shift);
    };
    int count = 0;
    for (int word = 0; word <= p / 64; ++word) {
        const std::uint64_t empty = empty_[word] & before(word);
        count += std::popcount(empty);
        const int bit = 64 * word;
        std::uint64_t lonely =
            empty & ~(word_at(bit - 1) | word_at(bit + 1) | word_at(bit - stride()) | word_at(bit + stride()));
        for (; lonely != 0; lonely &= lonely - 1) count -= !is_legal(Point(bit + std::countr_zero(lonely)), color, ko);
    }
    return count;
}

int Board::score(std::int8_t* owners) const {
    int total = stones_[kBlack] - stones_[kWhite];
    if (owners != nullptr)
        for (int square = 0; square < area(); ++square)
            owners[square] = std::int8_t((at(point_of(square)) == kBlack) - (at(point_of(square)) == kWhite));
    std::uint64_t left[kMaxWords];
    std::copy_n(empty_, kMaxWords, left);
    Point region[kMaxArea];
    for (int word = 0; word < words_; ++word)
        while (left[word] != 0) {
            // 1. Flood the region of empty points that the lowest bit belongs to.
            int size = 0;
            bool touches[4] = {};
            region[size++] = Point(64 * word + std::countr_zero(left[word]));
            left[word] &= left[word] - 1;
            for (int i = 0; i < size; ++i)
                for (const Point n : neighbors(region[i])) {
                    touches[color_[n]] = true;
                    const std::uint64_t bit = std::uint64_t{1} << n % 64;
                    if (color_[n] != kEmpty || (left[n / 64] & bit) == 0) continue;
                    left[n / 64] &= ~bit;
                    region[size++] = n;
                }
            // 2. It belongs to the only color it touches.
            const int owner = int(touches[kBlack]) - int(touches[kWhite]);
            total += owner * size;
            if (owners != nullptr)
                for (int i = 0; i < size; ++i) owners[square_of(region[i])] = std::int8_t(owner);
        }
    return total;
}

}  // namespace philidor::games::go
