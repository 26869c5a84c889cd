// Connect four of any size that fits 64 bits: columns of `height` cells and one empty cell above each, which keeps
// lines from running on into the next column (Tromp's layout).
#pragma once

#include <stdexcept>
#include <string>
#include <tuple>

#include "games/bits.h"
#include "games/game.h"

namespace philidor::games {

class Connect4 {
  public:
    static constexpr const char* kName = "connect4";
    static constexpr const char* kFields = "width, height, both players' stones as bits: column * (height + 1) + row";
    using Fields = std::tuple<int, int, std::uint64_t, std::uint64_t>;

    // Both players' stones as bits: column * (height + 1) + row. Throws std::invalid_argument.
    Connect4(int width, int height, std::uint64_t first = 0, std::uint64_t second = 0)
        : stones_{first, second}, is_wide_(width >= 4) {
        if (width < 1 || width > 64 || height < 1 || height > 63 || width * (height + 1) > 64)
            throw std::invalid_argument("native connect four needs width * (height + 1) <= 64, got " +
                                        std::to_string(width) + "x" + std::to_string(height));
        stride_ = height + 1;
        for (int column = 0; column < width; ++column) bottom_ |= std::uint64_t{1} << (column * stride_);
        cells_ = bottom_ * ((std::uint64_t{1} << height) - 1);
        const std::uint64_t taken = first | second;
        if ((taken & ~cells_) || (first & second) || (taken & ~(bottom_ | taken << 1)))
            throw std::invalid_argument("stones lie on the board, one on another, one in a place");
        to_move_ = std::popcount(taken) % 2;
        settle();
    }

    int to_move() const { return to_move_; }
    Result result() const { return result_; }
    int move_count() const { return std::popcount(free_cells()); }
    // A move is the bit of the cell the stone will rest on; canonical order is the columns'.
    MoveCode nth_move(int index) const { return MoveCode(nth_set_bit(free_cells(), index)); }

    void play(MoveCode cell) {
        stones_[to_move_] |= std::uint64_t{1} << cell;
        to_move_ ^= 1;
        settle();
    }

    // Why the game ended.
    const char* ending() const { return result_ == Result::kDraw ? "board full" : "four in a line"; }

    int words() const { return 1; }
    void write_board(int player, std::uint64_t* words) const {
        *words = 0;
        for (std::uint64_t stones = stones_[player]; stones; stones &= stones - 1) {
            const int cell = std::countr_zero(stones);
            *words |= std::uint64_t{1} << (cell % stride_ * width() + cell / stride_);
        }
    }
    ActionIndex action_index(MoveCode cell) const { return ActionIndex(cell / stride_); }

    int width() const { return std::popcount(bottom_); }
    int stride() const { return stride_; }  // from a cell to the one right of it
    std::uint64_t cells() const { return cells_; }
    std::uint64_t bottom() const { return bottom_; }  // the lowest cell of every column
    std::uint64_t stones(int player) const { return stones_[player]; }

    bool has_four(std::uint64_t stones) const {
        // A narrow board has columns only, and may be so high that the other steps leave the word.
        return has_four(stones, 1) || (is_wide_ && (has_four(stones, stride_ - 1) || has_four(stones, stride_) ||
                                                    has_four(stones, stride_ + 1)));
    }

  private:
    // Sees whether the last stone ended the game.
    void settle() {
        if (has_four(stones_[to_move_ ^ 1]))
            result_ = win_of(to_move_ ^ 1);
        else if (free_cells() == 0)
            result_ = Result::kDraw;
    }

    // Adding the bottom row carries up through each column's stones to its first free cell, or to the cell above
    // a full one, which is not on the board.
    std::uint64_t free_cells() const { return ((stones_[0] | stones_[1]) + bottom_) & cells_; }

    static bool has_four(std::uint64_t stones, int step) {
        const std::uint64_t pairs = stones & (stones >> step);
        return (pairs & (pairs >> (2 * step))) != 0;
    }

    std::uint64_t stones_[2];
    std::uint64_t bottom_ = 0;
    std::uint64_t cells_ = 0;
    int stride_ = 0;
    bool is_wide_;
    int to_move_ = 0;
    Result result_ = Result::kOngoing;
};

static_assert(NativeGame<Connect4>);

}  // namespace philidor::games
