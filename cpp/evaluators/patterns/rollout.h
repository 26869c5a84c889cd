// A game played out by the rollout policy: the weights of points are kept from move to move, and only those near a
// change are computed anew.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "evaluators/patterns/policy.h"
#include "games/go/playout.h"

namespace philidor::evaluators::patterns {

// e to the power of each weight of a rollout policy, so that moves are drawn by products.
class RolloutPolicy {
  public:
    // Throws std::invalid_argument for a tree policy: it has features that a rollout does not keep.
    explicit RolloutPolicy(const Policy& policy);
    const Book& book() const { return book_; }
    float factor(std::uint32_t feature) const { return factors_[feature]; }

  private:
    const Book& book_;
    std::vector<float> factors_;
};

// A position in a rollout. Copying one is cheaper than making it, for many rollouts from one position.
class Rollout {
  public:
    // Keeps a reference to the policy. `captured` are the stones that the last move took.
    Rollout(const RolloutPolicy& policy, const games::Go& state, std::span<const Point> captured);

    // Plays to the end: both pass when they have no point that is legal and fills no own eye.
    template <typename Random>
    games::go::Playout run(int most, Random& random) {
        int moves = 0;
        for (; passes_ < 2 && moves < most; ++moves) play(draw(random));
        return {moves, board_.score()};
    }
    // Draws a move; kNoPoint is a pass.
    template <typename Random>
    Point draw(Random& random) {
        return point_at(double(random.next() >> 11) * 0x1p-53);
    }
    void play(Point p);
    const Board& board() const { return board_; }
    // Probabilities by square.
    std::vector<float> chances();

  private:
    static constexpr int kRow = Cells::kStride;
    static constexpr int kPlaces = kRow * kRow;

    int place_of(Point p) const { return int(p) + (kRow - board_.stride()) * (int(p) / board_.stride()) + kFirst; }
    Point point_of(int place) const { return Point((place / kRow - 1) * board_.stride() + place % kRow - 1); }
    static constexpr int kFirst = 1 + kRow;

    int side() const { return color_ == games::go::kWhite; }
    std::uint8_t seen(std::uint8_t cell, int side) const { return side == 0 ? cell : kSwapped[cell]; }
    template <std::size_t N>
    std::uint64_t key(int place, const std::array<Offset, N>& offsets, int side) const;
    void set_cell(int place, std::uint8_t cell);
    void look_at_chain(Point stone);
    void refresh();
    void weigh(int place, int side);
    // What the last move adds: multiplies the weights of a few points, and remembers them.
    void add_reply();
    void add_saving();
    void multiply(int place, float factor);
    void sum_row(int row, int side);
    void take_back();
    Point point_at(double share);

    static constexpr std::array<std::uint8_t, 8> kSwapped = {0, 1, 5, 6, 7, 2, 3, 4};

    const RolloutPolicy* policy_;
    Board board_;
    Color color_;
    Point ko_, last_;
    int passes_;
    std::vector<Point> captured_;
    std::array<std::uint8_t, kPlaces> cells_{};  // as Black sees them
    std::array<std::array<float, kPlaces>, 2> weights_{};
    std::array<std::array<float, kRow>, 2> rows_{};
    std::array<std::array<std::uint64_t, (kPlaces + 63) / 64>, 2> stale_{};
    std::vector<std::pair<int, float>> before_;  // weights that a reply has changed
};

}  // namespace philidor::evaluators::patterns
