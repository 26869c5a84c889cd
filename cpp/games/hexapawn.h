// Hexapawn of any size up to 64 cells: pawns step forward, capture diagonally, win on the last row or by leaving the
// opponent without a move (book, ch. 5).
#pragma once

#include <stdexcept>
#include <string>
#include <tuple>

#include "games/bits.h"
#include "games/game.h"

namespace philidor::games {

class Hexapawn {
  public:
    static constexpr const char* kName = "hexapawn";
    static constexpr const char* kFields =
        "width, height, both players' pawns as bits: row * width + column, the player to move";
    using Fields = std::tuple<int, int, std::uint64_t, std::uint64_t, int>;

    // Both players' pawns as bits: row * width + column. The first player moves up. Throws std::invalid_argument.
    Hexapawn(int width, int height, std::uint64_t first, std::uint64_t second, int to_move)
        : pawns_{first, second}, width_(width), to_move_(to_move) {
        if (width < 1 || width > 32 || height < 2 || height > 64 || width * height > 64)
            throw std::invalid_argument("native hexapawn needs two rows and width * height <= 64, got " +
                                        std::to_string(width) + "x" + std::to_string(height));
        for (int row = 0; row < height; ++row) left_file_ |= std::uint64_t{1} << (row * width);
        right_file_ = left_file_ << (width - 1);
        const std::uint64_t row = (std::uint64_t{1} << width) - 1;
        board_ = left_file_ * row;
        last_row_[0] = row << (width * (height - 1));
        last_row_[1] = row;
        if (((first | second) & ~board_) || (first & second) || (to_move != 0 && to_move != 1))
            throw std::invalid_argument("pawns stand on the board, one on a square, and player 0 or 1 moves");
        settle();
    }
    // The start: every pawn on its first row.
    static Hexapawn start(int width, int height) {
        Hexapawn empty(width, height, 0, 0, 0);
        return Hexapawn(width, height, empty.last_row_[1], empty.last_row_[0], 0);
    }

    int to_move() const { return to_move_; }
    Result result() const { return result_; }
    int move_count() const { return std::popcount(takes_left_) + std::popcount(steps_) + std::popcount(takes_right_); }

    // A move is from * 64 + to; canonical order is (from, to), which lists a pawn's moves from left to right.
    MoveCode nth_move(int index) const {
        std::uint64_t movers = takes_left_ | steps_ | takes_right_;
        for (;; movers &= movers - 1) {
            const int from = std::countr_zero(movers);
            const int left = (takes_left_ >> from) & 1, step = (steps_ >> from) & 1, right = (takes_right_ >> from) & 1;
            if (index < left + step + right) {
                const int sideways = index < left ? -1 : index < left + step ? 0 : 1;
                return MoveCode(from * 64 + from + forward() + sideways);
            }
            index -= left + step + right;
        }
    }

    void play(MoveCode move) {
        const std::uint64_t from = std::uint64_t{1} << (move / 64), to = std::uint64_t{1} << (move % 64);
        pawns_[to_move_] ^= from | to;
        pawns_[to_move_ ^ 1] &= ~to;
        to_move_ ^= 1;
        settle();
    }

    int words() const { return 1; }
    void write_board(int player, std::uint64_t* words) const { *words = pawns_[player]; }
    // White's steps, Black's steps, White's captures, Black's captures, each from the mover's first row.
    ActionIndex action_index(MoveCode move) const {
        const int from = move / 64, to = move % 64;
        const int row = from / width_, column = from % width_, sideways = to % width_ - column;
        const int rows_behind = to_move_ == 0 ? row : height() - 1 - row;
        const int steps = width_ * (height() - 1), captures = (2 * width_ - 2) * (height() - 1);
        if (sideways == 0) return ActionIndex(to_move_ * steps + rows_behind * width_ + column);
        // The first column has only a right capture, hence the - 1.
        const int place = 2 * column - 1 + (sideways > 0);
        return ActionIndex(2 * steps + to_move_ * captures + rows_behind * (2 * width_ - 2) + place);
    }

    int width() const { return width_; }
    int height() const { return std::popcount(left_file_); }
    std::uint64_t pawns(int player) const { return pawns_[player]; }
    // Why the game ended.
    const char* ending() const { return has_arrived() ? "last row reached" : "no legal move"; }

  private:
    // Whether the side that just moved has a pawn on its last row.
    bool has_arrived() const { return (pawns_[to_move_ ^ 1] & last_row_[to_move_ ^ 1]) != 0; }
    int forward() const { return to_move_ == 0 ? width_ : -width_; }
    // The cells from which a pawn of the side to move would arrive in `targets`, going forward and `sideways`.
    std::uint64_t origins(std::uint64_t targets, int sideways) const {
        return to_move_ == 0 ? targets >> (width_ + sideways) : targets << (width_ - sideways);
    }

    // Finds the moves of the side to move, and with them the end of the game.
    void settle() {
        const std::uint64_t mine = pawns_[to_move_], theirs = pawns_[to_move_ ^ 1];
        steps_ = mine & origins(board_ & ~(mine | theirs), 0);
        takes_left_ = mine & ~left_file_ & origins(theirs, -1);
        takes_right_ = mine & ~right_file_ & origins(theirs, +1);
        const bool is_stuck = (steps_ | takes_left_ | takes_right_) == 0;
        result_ = has_arrived() || is_stuck ? win_of(to_move_ ^ 1) : Result::kOngoing;
    }

    std::uint64_t pawns_[2];
    // The pawns that can capture to the left, step, and capture to the right; left as the first player sees it.
    std::uint64_t takes_left_ = 0, steps_ = 0, takes_right_ = 0;
    std::uint64_t board_ = 0, left_file_ = 0, right_file_ = 0;
    int width_;
    std::uint64_t last_row_[2];  // where each player's pawns win
    int to_move_;
    Result result_ = Result::kOngoing;
};

static_assert(NativeGame<Hexapawn>);

}  // namespace philidor::games
