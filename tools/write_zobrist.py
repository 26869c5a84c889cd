"""Writes cpp/games/chess/zobrist.h: Polyglot's 781 random numbers, which are part of its book format.

python tools/write_zobrist.py > cpp/games/chess/zobrist.h
"""

from chess.polyglot import POLYGLOT_RANDOM_ARRAY

print("""// Polyglot's Zobrist numbers, a part of its book format. Written by tools/write_zobrist.py.
#pragma once

#include "games/chess/types.h"

namespace philidor::chess::zobrist {

// 64 * kind + square for the pieces (kind: black pawn, white pawn, black knight, ...), then four castling
// rights (white short, white long, black short, black long), eight en passant files, White to move.
inline constexpr Key kPolyglot[781] = {""")
for start in range(0, 781, 4):
    print("    " + " ".join(f"0x{n:016X}ULL," for n in POLYGLOT_RANDOM_ARRAY[start : start + 4]))
print("""};

// The same numbers by our piece codes, so that the hot path needs no arithmetic.
struct PieceKeys {
    Key of[16][64] = {};
    constexpr PieceKeys() {
        for (int color = 0; color < 2; ++color)
            for (int type = kPawn; type <= kKing; ++type)
                for (int square = 0; square < 64; ++square)
                    of[8 * color + type][square] = kPolyglot[64 * (2 * (type - 1) + (color == kWhite)) + square];
    }
};
inline constexpr PieceKeys kPieces{};
constexpr Key piece(Piece piece, Square square) { return kPieces.of[piece][square]; }
constexpr Key castling_side(int right_bit) { return kPolyglot[768 + right_bit]; }
constexpr Key en_passant(Square square) { return kPolyglot[772 + file_of(square)]; }
inline constexpr Key kWhiteToMove = kPolyglot[780];

// All sixteen combinations, so that changing rights is one lookup.
struct CastlingKeys {
    Key of[16] = {};
    constexpr CastlingKeys() {
        for (int rights = 0; rights < 16; ++rights)
            for (int i = 0; i < 4; ++i)
                if (rights >> i & 1) of[rights] ^= castling_side(i);
    }
};
inline constexpr CastlingKeys kCastling{};

}  // namespace philidor::chess::zobrist""")
