// What the other side attacks: which quiet moves escape, and which run into it.
#pragma once

#include "games/chess/attacks.h"
#include "games/chess/board.h"

namespace philidor::search {

struct Threats {
    chess::Bitboard by_pawns = 0;
    chess::Bitboard by_minors = 0;  // and pawns
    chess::Bitboard by_rooks = 0;   // and minor pieces and pawns
    chess::Bitboard all = 0;

    // The squares on which a piece of this type is attacked by a lesser one; kings and pawns are not asked for.
    chess::Bitboard of_lesser(chess::PieceType type) const {
        switch (type) {
            case chess::kKnight:
            case chess::kBishop: return by_pawns;
            case chess::kRook: return by_minors;
            case chess::kQueen: return by_rooks;
            default: return 0;
        }
    }

    // Whether a move certainly loses nothing by exchange: nobody takes back where it ends, nor does a slider through
    // the square that it leaves. (En passant opens a third square, but has won a pawn for the one it may lose.)
    bool is_safe(chess::Move move) const { return !(all & (chess::bit(move.from()) | chess::bit(move.to()))); }
};

inline Threats threats_to(const chess::Board& board, chess::Color us) {
    using namespace chess;
    const Color them = ~us;
    const Bitboard occupied = board.occupied();
    const auto attacked_by = [&](PieceType type) {
        Bitboard attacked = 0;
        for (Bitboard rest = board.pieces(them, type); rest; rest &= rest - 1)
            attacked |= piece_attacks(type, first_square(rest), occupied);
        return attacked;
    };
    Threats threats;
    threats.by_pawns = pawn_attacks_of(them, board.pieces(them, kPawn));
    threats.by_minors = threats.by_pawns | attacked_by(kKnight) | attacked_by(kBishop);
    threats.by_rooks = threats.by_minors | attacked_by(kRook);
    threats.all = threats.by_rooks | attacked_by(kQueen) | king_attacks(board.king(them));
    return threats;
}

}  // namespace philidor::search
