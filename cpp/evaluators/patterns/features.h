// What AlphaGo's linear policies see of a move (Silver et al. 2016, Extended Data Table 4). The twin of
// evaluators/pattern_features.py.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "evaluators/patterns/shapes.h"
#include "games/go/go.h"
#include "games/go/tactics.h"

namespace philidor::evaluators::patterns {

enum class Kind : std::uint8_t {
    kSaveAtari,        // saves an own chain that is in atari; key 0
    kNeighbor,         // beside the last move; key: where, as in kSquare
    kSelfAtari,        // the own chain has one liberty then; key 0
    kDistance,         // to the last move, along the lines; key: points, 16 and more are one
    kEarlierDistance,  // to the move before it
    kNakade,           // inside stones that were just taken; key: these around the move, bits as in kDiamond
    kSquare,           // 3x3 around the move
    kResponse,         // the diamond around the last move, and where in it the move is
    kDiamond,          // the diamond around the move
};
inline constexpr int kKinds = 9;
inline constexpr int kDistances = 17;
inline constexpr std::size_t kMostFeatures = 10;  // of a move: one of each kind, and one for any known response

// A position with what happened just before.
struct Scene {
    const games::Go& state;
    std::span<const Point> captured;  // stones of the mover's that the last move took
};

// The stones that a move takes.
std::vector<Point> taken_by(const Board& board, Point p, Color color);
// Points where a stone saves an own chain in atari: by two liberties, or by taking one of the chains around it.
games::go::PointBits saving_points(const Board& board, games::go::Chains& chains, Color color);
// The same of one chain, which is in atari.
void add_saving_points(const Board& board, games::go::Chains& chains, Point prey, games::go::PointBits& found);

// Calls `visit.begin(point)` for each legal point in order, and then `visit.add(kind, key)` for each of its features;
// keys of shapes are not canonical. The rollout policy has fewer kinds than the tree policy.
template <typename Visit>
void for_each_feature(const Scene& scene, bool is_tree, Visit&& visit);

namespace detail {

struct Spot {
    int column = 0, row = 0;
    bool is_there = false;
};

inline Spot spot_of(const Board& board, Point p) {
    if (p == games::go::kNoPoint) return {};
    const int square = board.square_of(p);
    return {square % board.width(), square / board.width(), true};
}

template <std::size_t N>
int place_among(const std::array<Offset, N>& offsets, int right, int up) {
    const auto found = std::find(offsets.begin(), offsets.end(), Offset{right, up});
    return found == offsets.end() ? -1 : int(found - offsets.begin());
}

inline bool has(const games::go::PointBits& bits, Point p) { return bits[p / 64] >> p % 64 & 1; }

// The stones just taken around a point, the point itself being one of them.
inline std::uint64_t nakade_shape(const Board& board, std::span<const Point> captured, Spot at) {
    std::uint64_t shape = 0;
    for (const Point p : captured) {
        const Spot there = spot_of(board, p);
        const int place = place_among(kDiamond, there.column - at.column, there.row - at.row);
        if (place >= 0) shape |= std::uint64_t{1} << place;
    }
    return shape;
}

}  // namespace detail

template <typename Visit>
void for_each_feature(const Scene& scene, bool is_tree, Visit&& visit) {
    using namespace detail;
    const games::Go& state = scene.state;
    const Board& board = state.board();
    const Color color = games::go::stone_of(state.to_move());
    const Cells cells(board, color);
    games::go::Chains chains(board);
    const games::go::PointBits saving = saving_points(board, chains, color);
    const Spot last = spot_of(board, state.recent(0)), earlier = spot_of(board, state.recent(1));
    const std::uint64_t around_last = last.is_there ? cells.diamond(Cells::place(last.column, last.row)) : 0;
    games::go::for_each_point(state.legal_words(), [&](Point p) {
        const Spot at = spot_of(board, p);
        const int place = Cells::place(at.column, at.row);
        visit.begin(p);
        if (has(saving, p)) visit.add(Kind::kSaveAtari, 0);
        if (last.is_there) {
            const int right = at.column - last.column, up = at.row - last.row;
            const int distance = std::abs(right) + std::abs(up);
            if (distance <= 2) {
                if (const int side = place_among(patterns::kSquare, right, up); side >= 0)
                    visit.add(Kind::kNeighbor, std::uint64_t(side));
                if (const int reply = place_among(patterns::kDiamond, right, up); reply >= 0)
                    visit.add(Kind::kResponse, around_last | std::uint64_t(reply + 1) << kReplyShift);
            }
            if (is_tree) visit.add(Kind::kDistance, std::uint64_t(std::min(distance, kDistances - 1)));
        }
        if (!scene.captured.empty() && std::ranges::find(scene.captured, p) != scene.captured.end())
            visit.add(Kind::kNakade, nakade_shape(board, scene.captured, at));
        visit.add(Kind::kSquare, cells.square(place));
        if (!is_tree) return;
        if (earlier.is_there) {
            const int distance = std::abs(at.column - earlier.column) + std::abs(at.row - earlier.row);
            visit.add(Kind::kEarlierDistance, std::uint64_t(std::min(distance, kDistances - 1)));
        }
        if (board.count(p, games::go::kEmpty) < 2 && games::go::after_stone(board, chains, p, color).liberties == 1)
            visit.add(Kind::kSelfAtari, 0);
        visit.add(Kind::kDiamond, cells.diamond(place));
    });
}

}  // namespace philidor::evaluators::patterns
