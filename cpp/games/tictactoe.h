// Tic-tac-toe on two nine-bit boards.
#pragma once

#include <array>
#include <stdexcept>
#include <tuple>

#include "games/bits.h"
#include "games/game.h"

namespace philidor::games {

class TicTacToe {
  public:
    static constexpr const char* kName = "tictactoe";
    static constexpr const char* kFields = "both players' squares as bits";
    using Fields = std::tuple<unsigned, unsigned>;

    // Both players' squares as bits, bit 0 for a1 to 8 for c3. Throws std::invalid_argument.
    explicit TicTacToe(unsigned first = 0, unsigned second = 0)
        : stones_{std::uint16_t(first), std::uint16_t(second)},
          to_move_(std::uint8_t(std::popcount(first | second) % 2)) {
        if ((first | second) > kBoard || (first & second))
            throw std::invalid_argument("tic-tac-toe has nine squares and one stone on each");
        result_ = has_line(first)    ? Result::kFirstWins
                  : has_line(second) ? Result::kSecondWins
                  : empty() == 0     ? Result::kDraw
                                     : Result::kOngoing;
    }

    int to_move() const { return to_move_; }
    Result result() const { return result_; }
    int move_count() const { return std::popcount(empty()); }
    // A move is the square's number; canonical order is theirs.
    MoveCode nth_move(int index) const { return MoveCode(nth_set_bit(empty(), index)); }

    std::uint64_t stones(int player) const { return stones_[player]; }
    // Why the game ended.
    const char* ending() const { return result_ == Result::kDraw ? "board full" : "three in a row"; }

    int words() const { return 1; }
    void write_board(int player, std::uint64_t* words) const { *words = stones_[player]; }
    ActionIndex action_index(MoveCode square) const { return square; }

    void play(MoveCode square) {
        std::uint16_t& mine = stones_[to_move_];
        mine |= std::uint16_t(1 << square);
        if (has_line(mine))
            result_ = win_of(to_move_);
        else if (empty() == 0)
            result_ = Result::kDraw;
        to_move_ ^= 1;
    }

  private:
    static constexpr unsigned kBoard = 0x1FF;

    // Bit `stones` tells whether these stones hold a line: one cache line for all 512 boards.
    static constexpr std::array<std::uint64_t, 8> kLineTable = [] {
        std::array<std::uint64_t, 8> table{};
        for (unsigned stones = 0; stones < 512; ++stones)
            for (unsigned line : {0007u, 0070u, 0700u, 0111u, 0222u, 0444u, 0421u, 0124u})
                if ((stones & line) == line) table[stones / 64] |= std::uint64_t{1} << (stones % 64);
        return table;
    }();
    static bool has_line(unsigned stones) { return (kLineTable[stones / 64] >> (stones % 64)) & 1; }
    unsigned empty() const { return ~(stones_[0] | stones_[1]) & kBoard; }

    std::uint16_t stones_[2];
    std::uint8_t to_move_;
    Result result_ = Result::kOngoing;
};

static_assert(NativeGame<TicTacToe>);

}  // namespace philidor::games
