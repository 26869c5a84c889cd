#include "games/chess/movegen.h"

#include <algorithm>

namespace philidor::chess {

namespace {

inline Move* write(Move* list, Square from, Bitboard targets) {
    while (targets) *list++ = Move(from, pop_first(targets));
    return list;
}

// Moves of pawns that all come from `to - Delta`.
template <int Delta>
inline Move* write_pawns(Move* list, Bitboard targets) {
    while (targets) {
        const Square to = pop_first(targets);
        *list++ = Move(to + -Delta, to);
    }
    return list;
}

template <Moves Which>
inline Move* write_promotions(Move* list, Square from, Square to) {
    if constexpr (Which != Moves::kQuiets) *list++ = Move(from, to, kPromoteQueen);
    if constexpr (Which != Moves::kCaptures) {
        *list++ = Move(from, to, kPromoteKnight);
        *list++ = Move(from, to, kPromoteBishop);
        *list++ = Move(from, to, kPromoteRook);
    }
    return list;
}

template <int Delta, Moves Which>
inline Move* write_pawn_promotions(Move* list, Bitboard targets) {
    while (targets) {
        const Square to = pop_first(targets);
        list = write_promotions<Which>(list, to + -Delta, to);
    }
    return list;
}

template <int Delta>
constexpr Bitboard shifted(Bitboard b) {
    if constexpr (Delta > 0)
        return b << Delta;
    else
        return b >> -Delta;
}

// The pawns in `pawns`, all free to move within `allowed` (which holds the check mask or a pin line).
template <Color Us, Moves Which>
inline Move* generate_pawn_set(const Board& board, Move* list, Bitboard pawns, Bitboard allowed) {
    constexpr int kUp = forward(Us);
    constexpr int kLeft = kUp - 1, kRight = kUp + 1;
    constexpr Bitboard kLastRank = Us == kWhite ? kRank8 : kRank1;
    constexpr Bitboard kThirdRank = rank_mask(Us == kWhite ? 2 : 5);
    const Bitboard empty = ~board.occupied();
    const Bitboard enemies = board.pieces(~Us) & allowed;

    const Bitboard single = shifted<kUp>(pawns) & empty;
    const Bitboard steps = single & allowed;
    const Bitboard left = shifted<kLeft>(pawns & ~kFileA) & enemies;
    const Bitboard right = shifted<kRight>(pawns & ~kFileH) & enemies;
    if constexpr (Which != Moves::kCaptures) {
        list = write_pawns<kUp>(list, steps & ~kLastRank);
        list = write_pawns<2 * kUp>(list, shifted<kUp>(single & kThirdRank) & empty & allowed);
    }
    if constexpr (Which != Moves::kQuiets) {
        list = write_pawns<kLeft>(list, left & ~kLastRank);
        list = write_pawns<kRight>(list, right & ~kLastRank);
    }
    if ((steps | left | right) & kLastRank) {
        list = write_pawn_promotions<kUp, Which>(list, steps & kLastRank);
        list = write_pawn_promotions<kLeft, Which>(list, left & kLastRank);
        list = write_pawn_promotions<kRight, Which>(list, right & kLastRank);
    }
    return list;
}

template <Color Us, Moves Which>
inline Move* generate_pawns(const Board& board, Move* list, Bitboard check_mask) {
    const Bitboard pawns = board.pieces(Us, kPawn);
    const Bitboard pinned = board.pinned();
    list = generate_pawn_set<Us, Which>(board, list, pawns & ~pinned, check_mask);
    for (Bitboard rest = pawns & pinned; rest;) {
        const Square from = pop_first(rest);
        list = generate_pawn_set<Us, Which>(board, list, bit(from), check_mask & line_through(board.king(Us), from));
    }
    if constexpr (Which != Moves::kQuiets) {
        const Square target = board.en_passant();
        if (target != kNoSquare)
            for (Bitboard rest = pawn_attacks(~Us, target) & pawns; rest;) {
                const Square from = pop_first(rest);
                if (board.is_legal_en_passant(from, target)) *list++ = Move(from, target, kEnPassant);
            }
    }
    return list;
}

template <Color Us>
inline Move* generate_pieces(const Board& board, Move* list, Bitboard targets) {
    const Bitboard pinned = board.pinned(), free = ~pinned;
    const Bitboard occupied = board.occupied();
    for (Bitboard rest = board.pieces(Us, kKnight) & free; rest;) {
        const Square from = pop_first(rest);
        list = write(list, from, knight_attacks(from) & targets);
    }
    for (Bitboard rest = board.pieces(Us, kBishop) & free; rest;) {
        const Square from = pop_first(rest);
        list = write(list, from, bishop_attacks(from, occupied) & targets);
    }
    for (Bitboard rest = board.pieces(Us, kRook) & free; rest;) {
        const Square from = pop_first(rest);
        list = write(list, from, rook_attacks(from, occupied) & targets);
    }
    for (Bitboard rest = board.pieces(Us, kQueen) & free; rest;) {
        const Square from = pop_first(rest);
        list = write(list, from, queen_attacks(from, occupied) & targets);
    }
    // A pinned slider may still travel along its pin; a pinned knight never moves.
    for (Bitboard rest = pinned & (board.pieces(Us, kBishop, kQueen) | board.pieces(Us, kRook)); rest;) {
        const Square from = pop_first(rest);
        const PieceType type = type_of(board.piece_on(from));
        list = write(list, from, piece_attacks(type, from, occupied) & targets & line_through(board.king(Us), from));
    }
    return list;
}

template <Color Us>
inline Move* generate_king(const Board& board, Move* list, Bitboard targets) {
    constexpr Color kThem = ~Us;
    const Square from = board.king(Us);
    // The king must not hide from a slider behind itself, so it is off the board while we look.
    const Bitboard without = board.occupied() ^ bit(from);
    Bitboard rest = king_attacks(from) & targets & ~king_attacks(board.king(kThem)) &
                    ~pawn_attacks_of(kThem, board.pieces(kThem, kPawn));
    const Bitboard knights = board.pieces(kThem, kKnight);
    const Bitboard diagonal = board.pieces(kThem, kBishop, kQueen), straight = board.pieces(kThem, kRook, kQueen);
    while (rest) {
        const Square to = pop_first(rest);
        if ((knight_attacks(to) & knights) || (bishop_attacks(to, without) & diagonal) ||
            (rook_attacks(to, without) & straight))
            continue;
        *list++ = Move(from, to);
    }
    return list;
}

// Chess960 rules, of which the usual ones are a case. Not in check.
template <Color Us>
inline bool may_castle(const Board& board, std::uint8_t right) {
    if (!(board.castling() & right)) return false;
    const Square king = board.king(Us), rook = board.castling_rook(right);
    const Square king_to = board.castling_king_to(right), rook_to = board.castling_rook_to(right);
    const Bitboard others = board.occupied() ^ bit(king) ^ bit(rook);
    const Bitboard king_path = between_to(king, king_to), rook_path = between_to(rook, rook_to);
    if (others & (king_path | rook_path)) return false;
    for (Bitboard rest = king_path & ~bit(king_to); rest;)
        if (board.is_attacked(pop_first(rest), ~Us, board.occupied() ^ bit(king))) return false;
    // The rook may have been the shield, so the last square is looked at with the rook in its new place.
    return !board.is_attacked(king_to, ~Us, others | bit(rook_to));
}

template <Color Us>
inline Move* generate_castling(const Board& board, Move* list) {
    if (!(board.castling() & (castling_right(Us, true) | castling_right(Us, false)))) return list;
    for (bool is_kingside : {true, false}) {
        const std::uint8_t right = castling_right(Us, is_kingside);
        if (may_castle<Us>(board, right)) *list++ = Move(board.king(Us), board.castling_rook(right), kCastling);
    }
    return list;
}

template <Color Us, Moves Which>
inline Move* generate_for(const Board& board, Move* list) {
    const Bitboard checkers = board.checkers();
    Bitboard wanted = ~board.pieces(Us);
    if constexpr (Which == Moves::kCaptures) wanted = board.pieces(~Us);
    if constexpr (Which == Moves::kQuiets) wanted = ~board.occupied();

    list = generate_king<Us>(board, list, wanted);
    if (has_several(checkers)) return list;  // double check: only the king moves
    const Bitboard check_mask = checkers ? between_to(board.king(Us), first_square(checkers)) : ~Bitboard{0};
    list = generate_pawns<Us, Which>(board, list, check_mask);
    list = generate_pieces<Us>(board, list, wanted & check_mask);
    if constexpr (Which != Moves::kCaptures)
        if (!checkers) list = generate_castling<Us>(board, list);
    return list;
}

template <bool Bulk>
std::uint64_t perft_from(Board& board, int depth) {
    Move list[kMaxMoves];
    Move* const end = generate(board, list);
    if (Bulk && depth == 1) return std::uint64_t(end - list);
    std::uint64_t nodes = 0;
    State next;
    for (Move* move = list; move != end; ++move) {
        board.make(*move, next);
        nodes += depth == 1 ? 1 : perft_from<Bulk>(board, depth - 1);
        board.unmake(*move);
    }
    return nodes;
}

// Even where every move has 200 answers, the leaves of so many plies are counted in a moment.
constexpr int kPliesBetweenPauses = 3;

template <bool Bulk>
std::uint64_t perft_with_pauses(Board& board, int depth, const std::function<void()>& pause) {
    if (depth <= kPliesBetweenPauses) {
        pause();
        return perft_from<Bulk>(board, depth);
    }
    std::uint64_t nodes = 0;
    State next;
    for (Move move : legal_moves(board)) {
        board.make(move, next);
        nodes += perft_with_pauses<Bulk>(board, depth - 1, pause);
        board.unmake(move);
    }
    return nodes;
}

}  // namespace

template <Moves Which>
Move* generate(const Board& board, Move* list) {
    return board.to_move() == kWhite ? generate_for<kWhite, Which>(board, list)
                                     : generate_for<kBlack, Which>(board, list);
}
template Move* generate<Moves::kAll>(const Board&, Move*);
template Move* generate<Moves::kCaptures>(const Board&, Move*);
template Move* generate<Moves::kQuiets>(const Board&, Move*);

bool has_legal_move(const Board& board) {
    Move list[kMaxMoves];
    return generate(board, list) != list;
}

void sort_canonical(MoveList& list) { std::sort(list.begin(), list.end()); }

int canonical_index(const MoveList& list, Move move) {
    int index = 0;
    bool is_found = false;
    for (Move other : list) {
        index += other < move;
        is_found |= other == move;
    }
    return is_found ? index : -1;
}

bool is_legal_castling(const Board& board, Move move) {
    if (board.in_check()) return false;
    Move list[2];
    Move* const end =
        board.to_move() == kWhite ? generate_castling<kWhite>(board, list) : generate_castling<kBlack>(board, list);
    return std::find(list, end, move) != end;
}

std::uint64_t perft(Board& board, int depth, bool bulk, const std::function<void()>& pause) {
    if (depth <= 0) return 1;
    return bulk ? perft_with_pauses<true>(board, depth, pause) : perft_with_pauses<false>(board, depth, pause);
}

}  // namespace philidor::chess
