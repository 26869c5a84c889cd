#include "encodings/chess_moves.h"

#include <algorithm>

namespace philidor::encodings {

namespace {

using chess::PieceType;

constexpr int kDirections[8][2] = {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}};
constexpr int kKnightJumps[8][2] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
constexpr int kFirstKnightKind = 56, kFirstPromotionKind = 64;
constexpr PolicyIndex kFirstFlatPromotion = 1792;

constexpr PolicyTables make_tables() {
    PolicyTables tables{};
    for (auto& row : tables.flat) row.fill(0xFFFF);
    for (auto& row : tables.kind) row.fill(0xFF);
    for (int from = 0; from < 64; ++from) {
        for (int kind = 0; kind < kFirstPromotionKind; ++kind) {
            const bool jumps = kind >= kFirstKnightKind;
            const int* step = jumps ? kKnightJumps[kind - kFirstKnightKind] : kDirections[kind / 7];
            const int distance = jumps ? 1 : kind % 7 + 1;
            const int file = from % 8 + step[0] * distance, rank = from / 8 + step[1] * distance;
            if (file >= 0 && file < 8 && rank >= 0 && rank < 8)
                tables.kind[std::size_t(from)][std::size_t(8 * rank + file)] = std::uint8_t(kind);
        }
    }
    PolicyIndex next = 0;
    for (std::size_t from = 0; from < 64; ++from)
        for (std::size_t to = 0; to < 64; ++to)
            if (tables.kind[from][to] != 0xFF) tables.flat[from][to] = next++;
    return tables;
}

}  // namespace

constinit const PolicyTables kPolicyTables = make_tables();

PolicyIndex leela_flat_index(int from, int to, PieceType promotion) {
    if (promotion == chess::kNoPieceType || promotion == chess::kKnight)
        return kPolicyTables.flat[std::size_t(from)][std::size_t(to)];
    // Three moves from each file but two from the first, hence the - 1; queen, rook, bishop in this order.
    const int direction = 3 * (from % 8) + (to % 8 - from % 8 + 1) - 1;
    return PolicyIndex(kFirstFlatPromotion + 3 * direction + (chess::kQueen - promotion));
}

PolicyIndex leela_planes_index(int from, int to, PieceType promotion) {
    int kind = kPolicyTables.kind[std::size_t(from)][std::size_t(to)];
    if (promotion != chess::kNoPieceType && promotion != chess::kKnight) {
        const int piece = promotion == chess::kRook ? 0 : promotion == chess::kBishop ? 1 : 2;
        kind = kFirstPromotionKind + 3 * (to % 8 - from % 8 + 1) + piece;
    }
    return PolicyIndex(64 * kind + from);
}

PolicyIndex alphazero_index(int from, int to, PieceType promotion) {
    int kind = kPolicyTables.kind[std::size_t(from)][std::size_t(to)];
    if (promotion != chess::kNoPieceType && promotion != chess::kQueen) {
        constexpr int kDirection[3] = {1, 0, 2};  // ahead, to the left, to the right
        kind = kFirstPromotionKind + 3 * kDirection[to % 8 - from % 8 + 1] + (promotion - chess::kKnight);
    }
    return PolicyIndex(kMoveKinds * from + kind);
}

}  // namespace philidor::encodings
