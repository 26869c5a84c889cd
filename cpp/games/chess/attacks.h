// Which squares a piece attacks. Sliding pieces look their answer up: by PEXT in builds for CPUs that have a
// fast one, by magic multiplication elsewhere.
#pragma once

#include "games/chess/types.h"

#ifdef PHILIDOR_PEXT
#include <immintrin.h>
#endif

namespace philidor::chess {

struct Slider {
    Bitboard mask;            // the squares whose occupancy matters
    const Bitboard* attacks;  // indexed by the compressed occupancy
#ifndef PHILIDOR_PEXT
    Bitboard magic;
    unsigned shift;
#endif
    unsigned index(Bitboard occupied) const {
#ifdef PHILIDOR_PEXT
        return unsigned(_pext_u64(occupied, mask));
#else
        return unsigned(((occupied & mask) * magic) >> shift);
#endif
    }
};

struct AttackTables {
    Slider bishop[64];
    Slider rook[64];
    Bitboard knight[64];
    Bitboard king[64];
    Bitboard pawn[2][64];
    // The squares strictly between two squares of one line plus the second; only the second if not aligned.
    Bitboard between[64][64];
    // The whole line through two squares, ends included; empty if not aligned.
    Bitboard line[64][64];
};

// Filled by a static initializer in attacks.cpp; no other static initializer may use it.
extern AttackTables attack_tables;

inline Bitboard knight_attacks(Square square) { return attack_tables.knight[square]; }
inline Bitboard king_attacks(Square square) { return attack_tables.king[square]; }
inline Bitboard pawn_attacks(Color color, Square square) { return attack_tables.pawn[color][square]; }
inline Bitboard bishop_attacks(Square square, Bitboard occupied) {
    const Slider& slider = attack_tables.bishop[square];
    return slider.attacks[slider.index(occupied)];
}
inline Bitboard rook_attacks(Square square, Bitboard occupied) {
    const Slider& slider = attack_tables.rook[square];
    return slider.attacks[slider.index(occupied)];
}
inline Bitboard queen_attacks(Square square, Bitboard occupied) {
    return bishop_attacks(square, occupied) | rook_attacks(square, occupied);
}
// Squares strictly between `a` and `b`, plus `b`; only `b` if they share no line.
inline Bitboard between_to(Square a, Square b) { return attack_tables.between[a][b]; }
// The whole line through both squares; empty if they share none.
inline Bitboard line_through(Square a, Square b) { return attack_tables.line[a][b]; }

// All squares attacked by the pawns in `pawns`, which belong to `color`.
constexpr Bitboard pawn_attacks_of(Color color, Bitboard pawns) {
    return color == kWhite ? ((pawns & ~kFileA) << 7) | ((pawns & ~kFileH) << 9)
                           : ((pawns & ~kFileA) >> 9) | ((pawns & ~kFileH) >> 7);
}

// Any piece but a pawn.
inline Bitboard piece_attacks(PieceType type, Square square, Bitboard occupied) {
    switch (type) {
        case kKnight: return knight_attacks(square);
        case kBishop: return bishop_attacks(square, occupied);
        case kRook: return rook_attacks(square, occupied);
        case kQueen: return queen_attacks(square, occupied);
        case kKing: return king_attacks(square);
        default: return 0;
    }
}

}  // namespace philidor::chess
