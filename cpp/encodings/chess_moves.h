// Chess moves as places in a policy head; the twin of encodings/chess_moves.py, which explains the numbers.
#pragma once

#include <array>
#include <cstdint>

#include "games/chess/types.h"

namespace philidor::encodings {

using PolicyIndex = std::uint16_t;

inline constexpr int kMoveKinds = 73;
inline constexpr int kFlatPolicySize = 1858;
inline constexpr int kPlanesPolicySize = kMoveKinds * 64;

enum class LeelaPolicy : std::uint8_t { kFlat, kPlanes };

struct PolicyTables {
    std::array<std::array<PolicyIndex, 64>, 64> flat;   // [from][to]; 0xFFFF where no piece goes
    std::array<std::array<std::uint8_t, 64>, 64> kind;  // [from][to]; 0xFF where no piece goes
};
extern const PolicyTables kPolicyTables;

// Squares are the mover's view. `from` and `to` must be a move of a queen or a knight.
PolicyIndex leela_flat_index(int from, int to, chess::PieceType promotion);
PolicyIndex leela_planes_index(int from, int to, chess::PieceType promotion);
PolicyIndex alphazero_index(int from, int to, chess::PieceType promotion);

}  // namespace philidor::encodings
