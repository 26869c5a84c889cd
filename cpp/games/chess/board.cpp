#include "games/chess/board.h"

#include <algorithm>

#include "games/chess/zobrist.h"

namespace philidor::chess {

// --- Pieces on the board -----------------------------------------------------------------------------------

void Board::put(Piece piece, Square square) {
    pieces_on_[square] = piece;
    by_type_[type_of(piece)] |= bit(square);
    by_color_[color_of(piece)] |= bit(square);
}

void Board::remove(Square square) {
    const Piece piece = pieces_on_[square];
    by_type_[type_of(piece)] ^= bit(square);
    by_color_[color_of(piece)] ^= bit(square);
    pieces_on_[square] = kNoPiece;
}

inline void Board::move_piece(Square from, Square to) {
    const Piece piece = pieces_on_[from];
    const Bitboard both = bit(from) | bit(to);
    by_type_[type_of(piece)] ^= both;
    by_color_[color_of(piece)] ^= both;
    pieces_on_[from] = kNoPiece;
    pieces_on_[to] = piece;
}

// --- Setting up --------------------------------------------------------------------------------------------

void Board::clear(State& state) {
    *this = Board();
    state = State();
    state_ = &state;
}

void Board::set_castling(std::uint8_t right, Square rook) {
    const Color color = right & (kWhiteKingside | kWhiteQueenside) ? kWhite : kBlack;
    state_->castling |= right;
    castling_rook_[std::countr_zero(right)] = rook;
    castling_mask_[king(color)] |= right;
    castling_mask_[rook] |= right;
}

void Board::finish_setup(Square en_passant_raw, int halfmove_clock) {
    State& state = *state_;
    state.halfmove_clock = halfmove_clock;
    state.en_passant_raw = en_passant_raw;
    update_check_info();
    state.en_passant = en_passant_raw != kNoSquare && has_legal_en_passant(en_passant_raw) ? en_passant_raw : kNoSquare;
    state.key = zobrist::kCastling.of[state.castling];
    for (Bitboard rest = occupied(); rest;) {
        const Square square = pop_first(rest);
        const Key key = zobrist::piece(pieces_on_[square], square);
        state.key ^= key;
        if (type_of(pieces_on_[square]) == kPawn) state.pawn_key ^= key;
    }
    if (state.en_passant != kNoSquare) state.key ^= zobrist::en_passant(state.en_passant);
    if (to_move_ == kWhite) state.key ^= zobrist::kWhiteToMove;
}

// Wherever king and rook start, they end on the g and f file, or on the c and d file.
Square Board::castling_king_to(std::uint8_t right) const {
    const bool is_kingside = right & (kWhiteKingside | kBlackKingside);
    return relative_square(right < kBlackKingside ? kWhite : kBlack, is_kingside ? kG1 : kC1);
}

Square Board::castling_rook_to(std::uint8_t right) const {
    const bool is_kingside = right & (kWhiteKingside | kBlackKingside);
    return relative_square(right < kBlackKingside ? kWhite : kBlack, is_kingside ? kF1 : kD1);
}

// --- Attacks -----------------------------------------------------------------------------------------------

Bitboard Board::attackers_to(Square square, Bitboard occupied) const {
    return (pawn_attacks(kBlack, square) & pieces(kWhite, kPawn)) |
           (pawn_attacks(kWhite, square) & pieces(kBlack, kPawn)) | (knight_attacks(square) & by_type_[kKnight]) |
           (king_attacks(square) & by_type_[kKing]) |
           (bishop_attacks(square, occupied) & (by_type_[kBishop] | by_type_[kQueen])) |
           (rook_attacks(square, occupied) & (by_type_[kRook] | by_type_[kQueen]));
}

bool Board::is_attacked(Square square, Color by, Bitboard occupied) const {
    return (pawn_attacks(~by, square) & pieces(by, kPawn)) || (knight_attacks(square) & pieces(by, kKnight)) ||
           (king_attacks(square) & pieces(by, kKing)) ||
           (bishop_attacks(square, occupied) & pieces(by, kBishop, kQueen)) ||
           (rook_attacks(square, occupied) & pieces(by, kRook, kQueen));
}

// Checkers and pins together: look from the king through its own pieces. A slider behind none of them
// gives check, behind one of them pins it.
inline void Board::update_check_info() {
    State& state = *state_;
    const Color us = to_move_, them = ~us;
    const Square square = king(us);
    state.checkers =
        (knight_attacks(square) & pieces(them, kKnight)) | (pawn_attacks(us, square) & pieces(them, kPawn));
    state.pinned = 0;
    Bitboard snipers = (rook_attacks(square, by_color_[them]) & pieces(them, kRook, kQueen)) |
                       (bishop_attacks(square, by_color_[them]) & pieces(them, kBishop, kQueen));
    while (snipers) {
        const Square sniper = pop_first(snipers);
        const Bitboard shield = between_to(square, sniper) & by_color_[us];
        if (!shield)
            state.checkers |= bit(sniper);
        else if (!has_several(shield))
            state.pinned |= shield;
    }
}

bool Board::is_legal_en_passant(Square from, Square target) const {
    const Color us = to_move_, them = ~us;
    const Square captured = target + -forward(us);
    const Bitboard after = (occupied() ^ bit(from) ^ bit(captured)) | bit(target);
    return !(attackers_to(king(us), after) & by_color_[them] & ~bit(captured));
}

// The capture takes two pawns off one rank at once, so pins do not tell; each candidate is tried.
bool Board::has_legal_en_passant(Square target) const {
    Bitboard candidates = pawn_attacks(~to_move_, target) & pieces(to_move_, kPawn);
    while (candidates)
        if (is_legal_en_passant(pop_first(candidates), target)) return true;
    return false;
}

// --- Making moves ------------------------------------------------------------------------------------------

template <Color Us>
inline Key Board::make_castling(Square king_from, Square rook_from, DirtyPieces& dirty) {
    constexpr Piece kOwnKing = make_piece(Us, kKing), kOwnRook = make_piece(Us, kRook);
    const std::uint8_t right = castling_right(Us, rook_from > king_from);
    const Square king_to = castling_king_to(right), rook_to = castling_rook_to(right);
    // The squares may overlap in Chess960: both off, then both on.
    remove(king_from), remove(rook_from);
    put(kOwnKing, king_to), put(kOwnRook, rook_to);
    dirty.add(kOwnKing, king_from, king_to);
    dirty.add(kOwnRook, rook_from, rook_to);
    return zobrist::piece(kOwnKing, king_from) ^ zobrist::piece(kOwnKing, king_to) ^
           zobrist::piece(kOwnRook, rook_from) ^ zobrist::piece(kOwnRook, rook_to);
}

template <Color Us>
inline DirtyPieces Board::make_for(Move move, State& next) {
    constexpr Color kThem = ~Us;
    const State& old = *state_;
    const Square from = move.from(), to = move.to();
    const Piece piece = pieces_on_[from];
    const MoveKind kind = move.kind();
    DirtyPieces dirty;

    // 1. What carries over.
    Key key = old.key ^ zobrist::kWhiteToMove;
    if (old.en_passant != kNoSquare) key ^= zobrist::en_passant(old.en_passant);
    next.pawn_key = old.pawn_key;
    next.previous = state_;
    next.halfmove_clock = old.halfmove_clock + 1;
    next.plies_from_null = old.plies_from_null + 1;
    next.castling = old.castling;
    next.en_passant = next.en_passant_raw = kNoSquare;
    next.captured = kNoPiece;

    // 2. Castling moves two pieces.
    if (kind == kCastling) {
        key ^= make_castling<Us>(from, to, dirty);
    } else {
        // 3. The captured piece leaves first.
        const Square capture_square = kind == kEnPassant ? to + -forward(Us) : to;
        const Piece captured = pieces_on_[capture_square];
        if (captured != kNoPiece) {
            remove(capture_square);
            next.captured = captured;
            next.halfmove_clock = 0;
            key ^= zobrist::piece(captured, capture_square);
            if (type_of(captured) == kPawn) next.pawn_key ^= zobrist::piece(captured, capture_square);
        }
        // 4. The piece moves; a pawn may become another.
        move_piece(from, to);
        key ^= zobrist::piece(piece, from) ^ zobrist::piece(piece, to);
        if (type_of(piece) == kPawn) {
            next.halfmove_clock = 0;
            next.pawn_key ^= zobrist::piece(piece, from) ^ zobrist::piece(piece, to);
            if (kind >= kPromoteKnight) {
                const Piece promoted = make_piece(Us, move.promotion());
                remove(to), put(promoted, to);
                key ^= zobrist::piece(piece, to) ^ zobrist::piece(promoted, to);
                next.pawn_key ^= zobrist::piece(piece, to);
                dirty.add(piece, from, kNoSquare);
                dirty.add(promoted, kNoSquare, to);
            } else {
                dirty.add(piece, from, to);
                if ((from ^ to) == 16) next.en_passant_raw = from + forward(Us);
            }
        } else {
            dirty.add(piece, from, to);
        }
        if (captured != kNoPiece) dirty.add(captured, capture_square, kNoSquare);
    }

    // 5. Rights die when their king or rook moves or is taken.
    const std::uint8_t lost = next.castling & (castling_mask_[from] | castling_mask_[to]);
    if (lost) {
        next.castling ^= lost;
        key ^= zobrist::kCastling.of[lost];
    }

    // 6. The other side to move.
    to_move_ = kThem;
    ++ply_;
    state_ = &next;
    if (next.en_passant_raw != kNoSquare && has_legal_en_passant(next.en_passant_raw)) {
        next.en_passant = next.en_passant_raw;
        key ^= zobrist::en_passant(next.en_passant);
    }
    next.key = key;
    update_check_info();
    return dirty;
}

DirtyPieces Board::make(Move move, State& next) {
    return to_move_ == kWhite ? make_for<kWhite>(move, next) : make_for<kBlack>(move, next);
}

void Board::unmake(Move move) {
    const Color us = ~to_move_;
    const Square from = move.from(), to = move.to();
    const Piece captured = state_->captured;
    to_move_ = us;
    --ply_;
    state_ = const_cast<State*>(state_->previous);
    if (move.kind() == kCastling) {
        const std::uint8_t right = castling_right(us, to > from);
        remove(castling_king_to(right)), remove(castling_rook_to(right));
        put(make_piece(us, kKing), from), put(make_piece(us, kRook), to);
        return;
    }
    if (move.is_promotion()) remove(to), put(make_piece(us, kPawn), to);
    move_piece(to, from);
    if (captured != kNoPiece) put(captured, move.kind() == kEnPassant ? to + -forward(us) : to);
}

void Board::make_null(State& next) {
    next = *state_;
    next.previous = state_;
    next.captured = kNoPiece;
    next.key ^= zobrist::kWhiteToMove;
    if (next.en_passant != kNoSquare) next.key ^= zobrist::en_passant(next.en_passant);
    next.en_passant = next.en_passant_raw = kNoSquare;
    ++next.halfmove_clock;
    next.plies_from_null = 0;
    to_move_ = ~to_move_;
    ++ply_;
    state_ = &next;
    update_check_info();
}

void Board::unmake_null() {
    to_move_ = ~to_move_;
    --ply_;
    state_ = const_cast<State*>(state_->previous);
}

// --- Draws -------------------------------------------------------------------------------------------------

int Board::count_repetitions(int limit) const {
    int found = 0;
    int reach = std::min(state_->halfmove_clock, state_->plies_from_null);
    const State* earlier = state_;
    for (; reach >= 2 && found < limit; reach -= 2) {
        if (!earlier->previous || !earlier->previous->previous) break;
        earlier = earlier->previous->previous;
        if (earlier->key == state_->key) ++found;
    }
    return found;
}

bool Board::has_insufficient_material(Color color) const {
    const Bitboard own = by_color_[color];
    if (own & (by_type_[kPawn] | by_type_[kRook] | by_type_[kQueen])) return false;
    // A knight mates only with the help of another piece than a queen.
    if (own & by_type_[kKnight])
        return popcount(own) <= 2 && !(by_color_[~color] & ~by_type_[kKing] & ~by_type_[kQueen]);
    // Bishops of one square color mate only with the help of pawns or knights.
    if (own & by_type_[kBishop]) {
        const Bitboard bishops = by_type_[kBishop];
        const bool is_one_colored = !(bishops & kLightSquares) || !(bishops & ~kLightSquares);
        return is_one_colored && !by_type_[kPawn] && !by_type_[kKnight];
    }
    return true;
}

bool Board::is_insufficient_material() const {
    return has_insufficient_material(kWhite) && has_insufficient_material(kBlack);
}

// --- Keys --------------------------------------------------------------------------------------------------

Key Board::polyglot_key() const {
    Key key = state_->key;
    const Square raw = state_->en_passant_raw;
    if (raw != kNoSquare && state_->en_passant == kNoSquare && (pawn_attacks(~to_move_, raw) & pieces(to_move_, kPawn)))
        key ^= zobrist::en_passant(raw);
    return key;
}

Key Board::probable_key_after(Move move) const {
    const Piece piece = pieces_on_[move.from()], captured = pieces_on_[move.to()];
    return state_->key ^ zobrist::kWhiteToMove ^ zobrist::piece(piece, move.from()) ^ zobrist::piece(piece, move.to()) ^
           zobrist::piece(captured, move.to());
}

bool Board::is_consistent() const {
    State fresh;
    Board twin;
    twin.clear(fresh);
    for (int i = 0; i < 64; ++i)
        if (pieces_on_[i] != kNoPiece) twin.put(pieces_on_[i], Square(i));
    twin.to_move_ = to_move_;
    for (int i = 0; i < 4; ++i)
        if (state_->castling >> i & 1) twin.set_castling(std::uint8_t(1 << i), castling_rook_[i]);
    twin.finish_setup(state_->en_passant_raw, state_->halfmove_clock);
    for (int type = kPawn; type <= kKing; ++type)
        if (twin.by_type_[type] != by_type_[type]) return false;
    return twin.by_color_[kWhite] == by_color_[kWhite] && twin.by_color_[kBlack] == by_color_[kBlack] &&
           fresh.key == state_->key && fresh.pawn_key == state_->pawn_key && fresh.checkers == state_->checkers &&
           fresh.pinned == state_->pinned && fresh.en_passant == state_->en_passant;
}

}  // namespace philidor::chess
