#include "games/chess/targets.h"

#include <initializer_list>

#include "games/bits.h"
#include "games/chess/movegen.h"

namespace philidor::chess {

void LegalTargets::find(const Board& board) {
    count_ = 0;
    if (board.to_move() == kWhite)
        find_for<kWhite>(board);
    else
        find_for<kBlack>(board);
}

template <Color Us>
void LegalTargets::find_for(const Board& board) {
    const Bitboard checkers = board.checkers();
    promoting_ = 0;
    movers_ = bit(board.king(Us));
    add_king<Us>(board);
    if (has_several(checkers)) return;  // double check: only the king moves
    movers_ = board.pieces(Us);
    const Bitboard check_mask = checkers ? between_to(board.king(Us), first_square(checkers)) : ~Bitboard{0};
    add_pawns<Us>(board, check_mask);
    add_pieces<Us>(board, check_mask);
}

template <Color Us>
void LegalTargets::add_king(const Board& board) {
    constexpr Color kThem = ~Us;
    const Square from = board.king(Us);
    // The king must not hide from a slider behind itself, so it is off the board while we look.
    const Bitboard without = board.occupied() ^ bit(from);
    const Bitboard knights = board.pieces(kThem, kKnight);
    const Bitboard diagonal = board.pieces(kThem, kBishop, kQueen), straight = board.pieces(kThem, kRook, kQueen);
    Bitboard targets = king_attacks(from) & ~board.pieces(Us) & ~king_attacks(board.king(kThem)) &
                       ~pawn_attacks_of(kThem, board.pieces(kThem, kPawn));
    for (Bitboard rest = targets; rest;) {
        const Square to = pop_first(rest);
        if ((knight_attacks(to) & knights) || (bishop_attacks(to, without) & diagonal) ||
            (rook_attacks(to, without) & straight))
            targets ^= bit(to);
    }
    if (!board.in_check())
        for (bool is_kingside : {true, false}) {
            const std::uint8_t right = castling_right(Us, is_kingside);
            if (!(board.castling() & right)) continue;
            const Square rook = board.castling_rook(right);
            if (is_legal_castling(board, Move(from, rook, kCastling))) targets |= bit(rook);
        }
    add(from, targets);
}

template <Color Us>
void LegalTargets::add_pawns(const Board& board, Bitboard check_mask) {
    constexpr int kUp = forward(Us);
    const Bitboard empty = ~board.occupied(), enemies = board.pieces(~Us);
    const Bitboard pawns = board.pieces(Us, kPawn);
    const Square en_passant = board.en_passant();
    for (Bitboard rest = pawns; rest;) {
        const Square from = pop_first(rest);
        Bitboard steps = bit(from + kUp) & empty;
        if (steps && relative_rank(Us, from) == 1) steps |= bit(from + 2 * kUp) & empty;
        Bitboard targets = (steps | (pawn_attacks(Us, from) & enemies)) & check_mask;
        if (board.pinned() & bit(from)) targets &= line_through(board.king(Us), from);
        if (en_passant != kNoSquare && (pawn_attacks(Us, from) & bit(en_passant)) &&
            board.is_legal_en_passant(from, en_passant))
            targets |= bit(en_passant);
        add(from, targets);
    }
    promoting_ = pawns & rank_mask(Us == kWhite ? 6 : 1);
    for (Bitboard rest = promoting_; rest;) count_ += 3 * popcount(targets_[pop_first(rest)]);
}

template <Color Us>
void LegalTargets::add_pieces(const Board& board, Bitboard check_mask) {
    const Bitboard occupied = board.occupied(), allowed = check_mask & ~board.pieces(Us), pinned = board.pinned();
    // Along its pin a slider may still travel; a pinned knight has no square on that line.
    const auto free = [&](Square from) {
        return pinned & bit(from) ? allowed & line_through(board.king(Us), from) : allowed;
    };
    for (Bitboard rest = board.pieces(Us, kKnight); rest;) {
        const Square from = pop_first(rest);
        add(from, knight_attacks(from) & free(from));
    }
    for (Bitboard rest = board.pieces(Us, kBishop); rest;) {
        const Square from = pop_first(rest);
        add(from, bishop_attacks(from, occupied) & free(from));
    }
    for (Bitboard rest = board.pieces(Us, kRook); rest;) {
        const Square from = pop_first(rest);
        add(from, rook_attacks(from, occupied) & free(from));
    }
    for (Bitboard rest = board.pieces(Us, kQueen); rest;) {
        const Square from = pop_first(rest);
        add(from, queen_attacks(from, occupied) & free(from));
    }
}

Move* LegalTargets::write(const Board& board, Move* list) const {
    for (Bitboard rest = movers_; rest;) list = write_from(board, pop_first(rest), list);
    return list;
}

Move* LegalTargets::write_from(const Board& board, Square from, Move* list) const {
    Bitboard targets = targets_[from];
    const PieceType type = type_of(board.piece_on(from));
    if (promoting_ & bit(from)) {
        while (targets) {
            const Square to = pop_first(targets);
            for (int kind = kPromoteKnight; kind <= kPromoteQueen; ++kind) *list++ = Move(from, to, MoveKind(kind));
        }
        return list;
    }
    // Only kings and pawns have moves of other kinds.
    const Bitboard castling = type == kKing ? board.pieces(board.to_move()) : 0;
    const Bitboard en_passant = type == kPawn && board.en_passant() != kNoSquare ? bit(board.en_passant()) : 0;
    while (targets) {
        const Square to = pop_first(targets);
        *list++ = Move(from, to, castling & bit(to) ? kCastling : en_passant & bit(to) ? kEnPassant : kNormal);
    }
    return list;
}

Move LegalTargets::nth(const Board& board, int index) const {
    for (Bitboard rest = movers_; rest;) {
        const Square from = pop_first(rest);
        const int moves_per_target = promoting_ & bit(from) ? 4 : 1;
        const int moves = moves_per_target * popcount(targets_[from]);
        if (index >= moves) {
            index -= moves;
            continue;
        }
        const Square to = Square(games::nth_set_bit(targets_[from], index / moves_per_target));
        if (moves_per_target == 4) return Move(from, to, MoveKind(kPromoteKnight + index % 4));
        if (board.pieces(board.to_move()) & bit(to)) return Move(from, to, kCastling);
        const bool is_en_passant = to == board.en_passant() && type_of(board.piece_on(from)) == kPawn;
        return Move(from, to, is_en_passant ? kEnPassant : kNormal);
    }
    return kNoMove;
}

}  // namespace philidor::chess
