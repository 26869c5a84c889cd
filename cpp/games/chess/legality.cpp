// Questions about a single move: is it legal, does it give check?
#include "games/chess/board.h"
#include "games/chess/checks.h"
#include "games/chess/movegen.h"

namespace philidor::chess {

namespace {

// Whether a pawn could go from `from` to `to` if there were no kings.
bool is_pawn_move(const Board& board, Square from, Square to) {
    const Color us = board.to_move();
    if (pawn_attacks(us, from) & bit(to)) return board.piece_on(to) != kNoPiece;
    const int up = forward(us);
    if (int(to) == int(from) + up) return board.piece_on(to) == kNoPiece;
    return int(to) == int(from) + 2 * up && relative_rank(us, from) == 1 && board.piece_on(to) == kNoPiece &&
           board.piece_on(from + up) == kNoPiece;
}

}  // namespace

bool Board::is_legal(Move move) const {
    const Color us = to_move_;
    const Square from = move.from(), to = move.to();
    const Piece piece = pieces_on_[from];
    const PieceType type = type_of(piece);
    if (piece == kNoPiece || color_of(piece) != us || move.kind() > kPromoteQueen) return false;
    if (move.kind() == kCastling) return type == kKing && is_legal_castling(*this, move);
    if (by_color_[us] & bit(to)) return false;
    if (move.kind() == kEnPassant)
        return type == kPawn && to == state_->en_passant && (pawn_attacks(us, from) & bit(to)) &&
               is_legal_en_passant(from, to);
    if (type == kKing)
        return move.kind() == kNormal && (king_attacks(from) & bit(to)) &&
               !is_attacked(to, ~us, occupied() ^ bit(from));

    // 1. The piece moves that way.
    const bool is_promotion = type == kPawn && relative_rank(us, to) == 7;
    if (is_promotion != move.is_promotion()) return false;
    if (type == kPawn ? !is_pawn_move(*this, from, to) : !(piece_attacks(type, from, occupied()) & bit(to)))
        return false;
    // 2. A check is answered, a pin kept.
    const Square own_king = king(us);
    if (state_->checkers &&
        (has_several(state_->checkers) || !(between_to(own_king, first_square(state_->checkers)) & bit(to))))
        return false;
    return !(state_->pinned & bit(from)) || (line_through(own_king, from) & bit(to));
}

bool Board::gives_check(Move move) const {
    const Color us = to_move_;
    const Square enemy = king(~us), from = move.from();
    // 1. The board as the move leaves it, as far as attacks on the king go.
    Square to = move.to();
    PieceType type = move.is_promotion() ? move.promotion() : type_of(pieces_on_[from]);
    Bitboard occupied_after = (occupied() ^ bit(from)) | bit(to);
    Bitboard diagonal = pieces(us, kBishop, kQueen) & ~bit(from), straight = pieces(us, kRook, kQueen) & ~bit(from);
    if (move.kind() == kCastling) {
        const std::uint8_t right = castling_right(us, to > from);
        occupied_after = (occupied() ^ bit(from) ^ bit(to)) | bit(castling_king_to(right));
        straight &= ~bit(to);
        to = castling_rook_to(right);
        occupied_after |= bit(to);
        type = kRook;
    } else if (move.kind() == kEnPassant) {
        occupied_after ^= bit(to + -forward(us));
    }
    // 2. The piece that arrived attacks it, or a slider that was behind something does.
    const bool is_direct = type == kPawn ? (pawn_attacks(us, to) & bit(enemy)) != 0
                                         : (piece_attacks(type, to, occupied_after) & bit(enemy)) != 0;
    return is_direct || (bishop_attacks(enemy, occupied_after) & diagonal) ||
           (rook_attacks(enemy, occupied_after) & straight);
}

void Checks::find() {
    const Color us = board_.to_move();
    const Bitboard own = board_.pieces(us), enemies = board_.pieces(~us), occupied = own | enemies;
    is_known_ = true;
    king_ = board_.king(~us);
    from_[kPawn] = pawn_attacks(~us, king_);
    from_[kKnight] = knight_attacks(king_);
    from_[kBishop] = bishop_attacks(king_, occupied);
    from_[kRook] = rook_attacks(king_, occupied);
    from_[kQueen] = from_[kBishop] | from_[kRook];
    from_[kKing] = 0;
    // Own sliders that see the king through one own piece, the first one on the way.
    shields_ = 0;
    Bitboard snipers =
        (bishop_attacks(king_, occupied & ~(from_[kBishop] & own)) & board_.pieces(us, kBishop, kQueen)) |
        (rook_attacks(king_, occupied & ~(from_[kRook] & own)) & board_.pieces(us, kRook, kQueen));
    while (snipers) shields_ |= between_to(king_, pop_first(snipers)) & own & from_[kQueen];
}

}  // namespace philidor::chess
