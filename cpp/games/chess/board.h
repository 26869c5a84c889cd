// The mutable board of search: make and unmake without allocation.
#pragma once

#include "games/chess/attacks.h"
#include "games/chess/types.h"

namespace philidor::chess {

// Which pieces a move changed; at most three (capture with promotion). `from` is kNoSquare for a piece that
// appears, `to` for one that leaves. Incremental evaluators live on this.
struct DirtyPieces {
    struct Change {
        Piece piece;
        Square from;
        Square to;
    };
    int count = 0;
    Change changes[3];

    void add(Piece piece, Square from, Square to) { changes[count++] = {piece, from, to}; }
};

// What a move cannot be undone from, and what is costly to compute again. States are linked: the caller owns
// them (an array on the search stack, or a chain of positions) and must keep them alive as long as the board
// may unmake or look for repetitions.
struct State {
    Key key = 0;       // Polyglot's, with en passant hashed only where it is legal
    Key pawn_key = 0;  // the pawns' share of `key`
    Bitboard checkers = 0;
    Bitboard pinned = 0;  // own pieces of the side to move that shield its king
    const State* previous = nullptr;
    int halfmove_clock = 0;
    int plies_from_null = 0;  // how far back repetitions may be looked for
    std::uint8_t castling = 0;
    Square en_passant = kNoSquare;      // only where a legal capture exists
    Square en_passant_raw = kNoSquare;  // after every double step, as FEN writers of old and encoders want it
    Piece captured = kNoPiece;
};

class Board {
  public:
    // An empty board; set it up with fen.h's parse_fen or position.h.
    Board() = default;
    // Copies point at the copied `state`; see `rebase`.
    Board(const Board&) = default;
    Board& operator=(const Board&) = default;

    Color to_move() const { return to_move_; }
    Piece piece_on(Square square) const { return pieces_on_[square]; }
    Bitboard occupied() const { return by_color_[kWhite] | by_color_[kBlack]; }
    Bitboard pieces(Color color) const { return by_color_[color]; }
    Bitboard pieces(PieceType type) const { return by_type_[type]; }
    Bitboard pieces(Color color, PieceType type) const { return by_color_[color] & by_type_[type]; }
    Bitboard pieces(Color color, PieceType a, PieceType b) const {
        return by_color_[color] & (by_type_[a] | by_type_[b]);
    }
    Square king(Color color) const { return first_square(pieces(color, kKing)); }
    // Half moves since the start of the game: 2 * (move number - 1) + (Black to move).
    int ply() const { return ply_; }
    int move_number() const { return 1 + ply_ / 2; }

    const State& state() const { return *state_; }
    Key key() const { return state_->key; }
    Key pawn_key() const { return state_->pawn_key; }
    Bitboard checkers() const { return state_->checkers; }
    Bitboard pinned() const { return state_->pinned; }
    bool in_check() const { return state_->checkers != 0; }
    int halfmove_clock() const { return state_->halfmove_clock; }
    std::uint8_t castling() const { return state_->castling; }
    Square castling_rook(std::uint8_t right) const { return castling_rook_[std::countr_zero(right)]; }
    Square en_passant() const { return state_->en_passant; }
    Square en_passant_raw() const { return state_->en_passant_raw; }
    // Chess960: castling is written as king takes rook, and rooks may start anywhere.
    bool is_chess960() const { return is_chess960_; }
    void set_chess960(bool on) { is_chess960_ = on; }

    // Plays a legal move. `next` becomes the current state and must outlive it.
    DirtyPieces make(Move move, State& next);
    void unmake(Move move);
    // Passes the move; only when not in check.
    void make_null(State& next);
    void unmake_null();

    // Attackers of both colors.
    Bitboard attackers_to(Square square, Bitboard occupied) const;
    bool is_attacked(Square square, Color by, Bitboard occupied) const;

    // Whether the pawn on `from` may take en passant on `target` without exposing its king.
    bool is_legal_en_passant(Square from, Square target) const;

    // Whether a move, from anywhere (hash table, network, wire), is legal here.
    bool is_legal(Move move) const;
    bool is_capture(Move move) const {
        return (pieces_on_[move.to()] != kNoPiece && move.kind() != kCastling) || move.kind() == kEnPassant;
    }
    bool gives_check(Move move) const;
    // The key that a legal move leads to, for prefetching: wrong, but harmless, where castling, en passant or a
    // promotion has a part in it.
    Key probable_key_after(Move move) const;

    // How often the current position stood on the board before, up to `limit`, as far as the linked states reach.
    int count_repetitions(int limit) const;
    // Neither side can mate by any sequence of moves, judged as python-chess judges it.
    bool is_insufficient_material() const;
    bool has_insufficient_material(Color color) const;

    // Polyglot's own key: en passant is hashed whenever a pawn stands ready, legal or not.
    Key polyglot_key() const;
    // Everything computed from scratch equals everything kept incrementally (for tests).
    bool is_consistent() const;

    // Setting up. `state` must be the state the board is to use from now on.
    void clear(State& state);
    void put(Piece piece, Square square);
    void remove(Square square);
    void set_to_move(Color color) { to_move_ = color; }
    void set_ply(int ply) { ply_ = ply; }
    void set_castling(std::uint8_t right, Square rook);
    // Computes keys, checkers and the legal en passant square after all pieces are in place.
    void finish_setup(Square en_passant_raw, int halfmove_clock);
    // Points the board at an equal state at another address, after a copy.
    void rebase(State& state) { state_ = &state; }

    Square castling_king_to(std::uint8_t right) const;
    Square castling_rook_to(std::uint8_t right) const;

  private:
    template <Color Us>
    DirtyPieces make_for(Move move, State& next);
    // Returns the change of the key.
    template <Color Us>
    Key make_castling(Square king_from, Square rook_from, DirtyPieces& dirty);
    void move_piece(Square from, Square to);
    void update_check_info();
    bool has_legal_en_passant(Square target) const;

    Bitboard by_type_[8] = {};  // indexed by PieceType
    Bitboard by_color_[2] = {};
    State* state_ = nullptr;
    Piece pieces_on_[64] = {};
    std::uint8_t castling_mask_[64] = {};  // rights lost when a piece leaves or enters the square
    Square castling_rook_[4] = {kNoSquare, kNoSquare, kNoSquare, kNoSquare};  // by right's bit number
    int ply_ = 0;
    Color to_move_ = kWhite;
    bool is_chess960_ = false;
};

}  // namespace philidor::chess
