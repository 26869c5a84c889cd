#include "evaluators/patterns/rollout.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <stdexcept>

namespace philidor::evaluators::patterns {

namespace go = games::go;

RolloutPolicy::RolloutPolicy(const Policy& policy) : book_(policy.book()) {
    if (book_.is_tree()) throw std::invalid_argument("rollouts are played by a rollout policy, this is a tree policy");
    for (const float weight : policy.weights()) factors_.push_back(std::exp(weight));
}

Rollout::Rollout(const RolloutPolicy& policy, const games::Go& state, std::span<const Point> captured)
    : policy_(&policy),
      board_(state.board()),
      color_(go::stone_of(state.to_move())),
      ko_(state.ko() < 0 ? go::kNoPoint : board_.point_of(state.ko())),
      last_(state.recent(0)),
      passes_(state.passes()),
      captured_(captured.begin(), captured.end()) {
    const Cells cells(board_, go::kBlack);
    for (int square = 0; square < board_.area(); ++square) {
        const int place = place_of(board_.point_of(square));
        cells_[std::size_t(place)] = cells.at(place);
        for (const int side : {0, 1})
            stale_[std::size_t(side)][std::size_t(place / 64)] |= std::uint64_t{1} << place % 64;
    }
    for (const int side : {0, 1}) {
        color_ = side == 0 ? go::kBlack : go::kWhite;
        refresh();
    }
    color_ = go::stone_of(state.to_move());
}

template <std::size_t N>
std::uint64_t Rollout::key(int place, const std::array<Offset, N>& offsets, int side) const {
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < N; ++i) {
        const std::uint8_t cell = cells_[std::size_t(place + offsets[i].second * kRow + offsets[i].first)];
        found |= std::uint64_t(seen(cell, side)) << 3 * i;
    }
    return found;
}

// A cell is part of the shapes around it, for both sides.
void Rollout::set_cell(int place, std::uint8_t cell) {
    if (cells_[std::size_t(place)] == cell) return;
    cells_[std::size_t(place)] = cell;
    for (auto& stale : stale_)
        for (int row = place - kRow; row <= place + kRow; row += kRow)
            for (int near = row - 1; near <= row + 1; ++near)
                stale[std::size_t(near / 64)] |= std::uint64_t{1} << near % 64;
}

void Rollout::look_at_chain(Point stone) {
    const int first = board_.at(stone) == go::kBlack ? kOwn : kTheirs;
    const auto cell = std::uint8_t(first + board_.count_liberties(stone, 3) - 1);
    Point each = stone;
    do {
        set_cell(place_of(each), cell);
        each = board_.next(each);
    } while (each != stone);
}

void Rollout::play(Point p) {
    take_back();
    captured_.clear();
    ko_ = go::kNoPoint;
    last_ = p;
    if (p == go::kNoPoint) {
        ++passes_;
        color_ = go::other(color_);
        return;
    }
    passes_ = 0;
    for (const Point n : board_.neighbors(p))
        if (board_.at(n) == go::other(color_) && board_.is_taken_by(n, p)) {
            captured_ = taken_by(board_, p, color_);
            break;
        }
    const bool is_inside = board_.count(p, go::other(color_)) == 4;
    Point single = go::kNoPoint;
    const int taken = board_.place<false>(p, color_, single);
    if (is_inside && taken == 1) ko_ = single;
    for (const Point stone : captured_) {
        set_cell(place_of(stone), kFree);
        for (const Point n : board_.neighbors(stone))
            if (board_.at(n) == color_) look_at_chain(n);
    }
    look_at_chain(p);
    for (const Point n : board_.neighbors(p))
        if (board_.at(n) == go::other(color_)) look_at_chain(n);
    color_ = go::other(color_);
}

// Whether a point is legal and no own eye depends on the points around it and on which of their chains are in atari:
// all that is in their cells.
void Rollout::weigh(int place, int side) {
    float& weight = weights_[std::size_t(side)][std::size_t(place)];
    weight = 0;
    if (cells_[std::size_t(place)] != kFree) return;
    const Point p = point_of(place);
    const Color color = side == 0 ? go::kBlack : go::kWhite;
    if (board_.is_eye(p, color) || board_.is_suicide(p, color)) return;
    const std::uint32_t feature = policy_->book().square(key(place, kSquare, side));
    weight = feature == ShapeTable::kNone ? 1.0F : policy_->factor(feature);
}

void Rollout::sum_row(int row, int side) {
    const float* weights = &weights_[std::size_t(side)][std::size_t(row * kRow)];
    float sum = 0;
    for (int i = 0; i < kRow; ++i) sum += weights[i];
    rows_[std::size_t(side)][std::size_t(row)] = sum;
}

void Rollout::refresh() {
    auto& stale = stale_[std::size_t(side())];
    std::uint32_t rows = 0;
    for (std::size_t word = 0; word < stale.size(); ++word) {
        for (std::uint64_t bits = stale[word]; bits != 0; bits &= bits - 1) {
            const int place = int(64 * word) + std::countr_zero(bits);
            weigh(place, side());
            rows |= std::uint32_t{1} << place / kRow;
        }
        stale[word] = 0;
    }
    for (; rows != 0; rows &= rows - 1) sum_row(std::countr_zero(rows), side());
}

void Rollout::multiply(int place, float factor) {
    float& weight = weights_[std::size_t(side())][std::size_t(place)];
    if (weight == 0) return;
    before_.emplace_back(place, weight);
    weight *= factor;
    sum_row(place / kRow, side());
}

void Rollout::take_back() {
    for (auto each = before_.rbegin(); each != before_.rend(); ++each) {
        weights_[std::size_t(side())][std::size_t(each->first)] = each->second;
        sum_row(each->first / kRow, side());
    }
    before_.clear();
}

void Rollout::add_reply() {
    const Book& book = policy_->book();
    if (ko_ != go::kNoPoint && board_.takes_back(ko_, color_)) multiply(place_of(ko_), 0);
    if (last_ != go::kNoPoint) {
        const int last = place_of(last_);
        for (std::uint32_t i = 0; i < kSquareCells; ++i)
            multiply(last + kSquare[i].second * kRow + kSquare[i].first, policy_->factor(Book::kNeighbor + i));
        const std::uint64_t around = key(last, kDiamond, side());
        for (std::uint64_t i = 0; i < kDiamondCells; ++i) {
            if ((around >> 3 * i & 7) != kFree) continue;
            const std::uint32_t feature = book.response(around | (i + 1) << kReplyShift);
            if (feature == ShapeTable::kNone) continue;
            const int place = last + kDiamond[i].second * kRow + kDiamond[i].first;
            multiply(place, policy_->factor(feature) * policy_->factor(Book::kAnyResponse));
        }
    }
    for (const Point p : captured_) {
        const std::uint64_t shape = detail::nakade_shape(board_, captured_, detail::spot_of(board_, p));
        multiply(place_of(p), policy_->factor(book.nakade(shape)));
    }
    add_saving();
}

void Rollout::add_saving() {
    const std::uint8_t in_atari = color_ == go::kBlack ? kOwn : kTheirs;
    const auto next_of = [&](const std::uint8_t* from) {
        return static_cast<const std::uint8_t*>(std::memchr(from, in_atari, std::size_t(cells_.end() - from)));
    };
    const std::uint8_t* cell = next_of(cells_.data());
    if (cell == nullptr) return;
    go::Chains chains(board_);
    go::PointBits saving{};
    for (; cell != nullptr; cell = next_of(cell + 1)) {
        const Point p = point_of(int(cell - cells_.data()));
        if (board_.head(p) == p) add_saving_points(board_, chains, p, saving);
    }
    go::for_each_point(saving, [&](Point p) { multiply(place_of(p), policy_->factor(Book::kSaveAtari)); });
}

Point Rollout::point_at(double share) {
    take_back();
    refresh();
    add_reply();
    const auto& rows = rows_[std::size_t(side())];
    double total = 0;
    for (const float row : rows) total += row;
    if (total <= 0) return go::kNoPoint;
    double left = share * total;
    Point found = go::kNoPoint;
    for (int row = 0; row < kRow; ++row) {
        const float sum = rows[std::size_t(row)];
        if (sum <= 0) continue;
        const float* weights = &weights_[std::size_t(side())][std::size_t(row * kRow)];
        const bool is_here = left < sum;
        for (int i = 0; i < kRow; ++i) {
            if (weights[i] <= 0) continue;
            found = point_of(row * kRow + i);  // of the last possible one, if rounding leads beyond it
            if (is_here && left < weights[i]) return found;
            left -= is_here ? weights[i] : 0;
        }
        if (is_here) return found;
        left -= sum;
    }
    return found;
}

std::vector<float> Rollout::chances() {
    take_back();
    refresh();
    add_reply();
    double total = 0;
    for (const float row : rows_[std::size_t(side())]) total += row;
    std::vector<float> found;
    for (int square = 0; square < board_.area(); ++square) {
        const float weight = weights_[std::size_t(side())][std::size_t(place_of(board_.point_of(square)))];
        found.push_back(total > 0 ? float(weight / total) : 0.0F);
    }
    return found;
}

}  // namespace philidor::evaluators::patterns
