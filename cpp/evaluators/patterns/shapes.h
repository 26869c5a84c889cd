// Shapes around a point of a Go board as numbers: the 3x3 patterns and 12-point diamonds of AlphaGo's rollout and tree
// policies (Silver et al. 2016, Extended Data Table 4). The twin of evaluators/pattern_features.py.
//
// A cell is three bits: beyond the edge, empty, or a stone of the mover's or of the other's with one, two or at least
// three liberties. A shape and its seven images by turning and reflecting are one pattern, known by the smallest
// number.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "games/go/board.h"

namespace philidor::evaluators::patterns {

using games::go::Board;
using games::go::Color;
using games::go::Point;

enum Cell : std::uint8_t { kBeyond, kFree, kOwn, kTheirs = 5 };  // a stone's liberties, less one, are added

inline constexpr int kSquareCells = 8, kDiamondCells = 12, kSymmetries = 8;
// (right, up) of each cell.
using Offset = std::pair<int, int>;
inline constexpr std::array<Offset, kSquareCells> kSquare = {
    {{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}}};
inline constexpr std::array<Offset, kDiamondCells> kDiamond = {
    {{0, -2}, {-1, -1}, {0, -1}, {1, -1}, {-2, 0}, {-1, 0}, {1, 0}, {2, 0}, {-1, 1}, {0, 1}, {1, 1}, {0, 2}}};

constexpr Offset turned(Offset at, int symmetry) {
    if (symmetry & 1) at = {at.second, at.first};
    if (symmetry & 2) at.first = -at.first;
    if (symmetry & 4) at.second = -at.second;
    return at;
}

// For each symmetry, where each cell goes.
template <std::size_t N>
constexpr std::array<std::array<std::uint8_t, N>, kSymmetries> images_of(const std::array<Offset, N>& cells) {
    std::array<std::array<std::uint8_t, N>, kSymmetries> images{};
    for (int symmetry = 0; symmetry < kSymmetries; ++symmetry)
        for (std::size_t i = 0; i < N; ++i)
            for (std::size_t j = 0; j < N; ++j)
                if (cells[j] == turned(cells[i], symmetry)) images[std::size_t(symmetry)][i] = std::uint8_t(j);
    return images;
}
inline constexpr auto kSquareImages = images_of(kSquare);
inline constexpr auto kDiamondImages = images_of(kDiamond);

// A diamond's number may have the place of a reply in it, plus one, above its cells.
inline constexpr int kReplyShift = 3 * kDiamondCells;

template <std::size_t N>
constexpr std::uint64_t image(std::uint64_t key, const std::array<std::uint8_t, N>& places) {
    std::uint64_t moved = 0;
    for (std::size_t i = 0; i < N; ++i) moved |= (key >> (3 * i) & 7) << (3 * places[i]);
    if (const std::uint64_t reply = key >> (3 * N)) moved |= std::uint64_t(places[reply - 1] + 1) << (3 * N);
    return moved;
}
template <std::size_t N>
constexpr std::uint64_t canonical(std::uint64_t key, const std::array<std::array<std::uint8_t, N>, kSymmetries>& all) {
    std::uint64_t smallest = key;
    for (const auto& places : all) smallest = std::min(smallest, image(key, places));
    return smallest;
}

// The cells of a whole board, with two columns and rows beyond every edge.
class Cells {
  public:
    static constexpr int kStride = games::go::kMaxSide + 4;

    Cells(const Board& board, Color color);
    static int place(int column, int row) { return (row + 2) * kStride + column + 2; }
    std::uint64_t square(int place) const { return key(place, kSquare); }
    std::uint64_t diamond(int place) const { return key(place, kDiamond); }
    std::uint8_t at(int place) const { return cells_[std::size_t(place)]; }

  private:
    template <std::size_t N>
    std::uint64_t key(int place, const std::array<Offset, N>& offsets) const {
        std::uint64_t found = 0;
        for (std::size_t i = 0; i < N; ++i)
            found |= std::uint64_t(cells_[std::size_t(place + offsets[i].second * kStride + offsets[i].first)])
                     << 3 * i;
        return found;
    }
    std::array<std::uint8_t, std::size_t(kStride* kStride)> cells_{};
};

}  // namespace philidor::evaluators::patterns
