// Gomoku by the free rules: five stones or more in a row win, on boards of 5x5 to 19x19. A board has more squares than
// a word has bits, so stones are kept in several words.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "games/bits.h"
#include "games/game.h"

namespace philidor::games {

class Gomoku {
  public:
    static constexpr const char* kName = "gomoku";
    static constexpr const char* kFields = "width, height, both players' stones: row * width + column, in words of 64";
    using Fields = std::tuple<int, int, std::vector<std::uint64_t>, std::vector<std::uint64_t>>;

    static constexpr int kMinSide = 5, kMaxSide = 19;
    using Words = std::array<std::uint64_t, (kMaxSide * kMaxSide + 63) / 64>;

    // Both players' stones: square row * width + column is bit square % 64 of word square / 64. Words that are left
    // out are empty. Throws std::invalid_argument.
    Gomoku(int width, int height, std::span<const std::uint64_t> first = {}, std::span<const std::uint64_t> second = {})
        : width_(width), height_(height) {
        if (std::min(width, height) < kMinSide || std::max(width, height) > kMaxSide)
            throw std::invalid_argument("gomoku is played on 5x5 to 19x19, got " + std::to_string(width) + "x" +
                                        std::to_string(height));
        const int squares = width * height;
        for (int word = 0; word < words(); ++word)
            empty_[std::size_t(word)] = ~std::uint64_t{0} >> std::max(64 * (word + 1) - squares, 0);
        place(0, first);
        place(1, second);
        for (const std::uint64_t word : empty_) empty_count_ += std::popcount(word);
        to_move_ = (squares - empty_count_) % 2;
        settle();
    }

    int to_move() const { return to_move_; }
    Result result() const { return result_; }
    int move_count() const { return empty_count_; }
    // A move is the square's number; canonical order is theirs.
    MoveCode nth_move(int index) const {
        for (std::size_t word = 0;; ++word) {
            const int count = std::popcount(empty_[word]);
            if (index < count) return MoveCode(64 * int(word) + nth_set_bit(empty_[word], index));
            index -= count;
        }
    }

    void play(MoveCode square) {
        const std::uint64_t bit = std::uint64_t{1} << square % 64;
        stones_[to_move_][square / 64] |= bit;
        empty_[square / 64] &= ~bit;
        --empty_count_;
        if (has_five(to_move_, square))
            result_ = win_of(to_move_);
        else if (empty_count_ == 0)
            result_ = Result::kDraw;
        to_move_ ^= 1;
    }

    // Why the game ended.
    const char* ending() const { return result_ == Result::kDraw ? "board full" : "five in a row"; }

    void write_board(int player, std::uint64_t* words) const { std::ranges::copy(stones(player), words); }
    ActionIndex action_index(MoveCode square) const { return square; }

    int width() const { return width_; }
    int height() const { return height_; }
    int words() const { return (width_ * height_ + 63) / 64; }
    // As the constructor takes them.
    std::span<const std::uint64_t> stones(int player) const {
        return std::span(stones_[player]).first(std::size_t(words()));
    }

  private:
    bool has_stone(int player, int square) const { return (stones_[player][square / 64] >> (square % 64)) & 1; }

    void place(int player, std::span<const std::uint64_t> stones) {
        if (stones.size() > std::size_t(words())) throw std::invalid_argument("the board has fewer squares");
        for (std::size_t word = 0; word < stones.size(); ++word) {
            if (stones[word] & ~empty_[word]) throw std::invalid_argument("stones lie on the board, one on a square");
            stones_[player][word] = stones[word];
            empty_[word] &= ~stones[word];
        }
    }

    // Sees whether the game was over before it was given to us.
    void settle() {
        const int mover = to_move_ ^ 1;
        for (int square = 0; square < width_ * height_; ++square)
            if (has_stone(mover, square) && has_five(mover, square)) {
                result_ = win_of(mover);
                return;
            }
        if (empty_count_ == 0) result_ = Result::kDraw;
    }

    // Whether the stone on `square` is one of five in a row.
    bool has_five(int player, int square) const {
        const int row = square / width_, column = square % width_;
        const auto line = [&](int up, int right) {
            return 1 + run(player, row, column, up, right) + run(player, row, column, -up, -right) >= 5;
        };
        return line(0, 1) || line(1, 0) || line(1, 1) || line(1, -1);
    }
    // How many stones follow on a stone in one direction.
    int run(int player, int row, int column, int up, int right) const {
        for (int count = 0;; ++count) {
            row += up;
            column += right;
            if (unsigned(row) >= unsigned(height_) || unsigned(column) >= unsigned(width_)) return count;
            if (!has_stone(player, row * width_ + column)) return count;
        }
    }

    Words stones_[2] = {};
    Words empty_ = {};
    int width_, height_;
    int empty_count_ = 0;
    int to_move_ = 0;
    Result result_ = Result::kOngoing;
};

static_assert(NativeGame<Gomoku>);

}  // namespace philidor::games
