// The vocabulary of chess: colors, pieces, squares, bitboards and the 16-bit move.
#pragma once

#include <algorithm>
#include <bit>
#include <compare>
#include <cstdint>

namespace philidor::chess {

using Bitboard = std::uint64_t;
using Key = std::uint64_t;

enum Color : std::uint8_t { kWhite, kBlack };
constexpr Color operator~(Color color) { return Color(color ^ 1); }

// Numbered as in python-chess, so that numbers may cross the border.
enum PieceType : std::uint8_t { kNoPieceType, kPawn, kKnight, kBishop, kRook, kQueen, kKing };

// color * 8 + type.
enum Piece : std::uint8_t { kNoPiece = 0 };
constexpr Piece make_piece(Color color, PieceType type) { return Piece((color << 3) | type); }
constexpr PieceType type_of(Piece piece) { return PieceType(piece & 7); }
constexpr Color color_of(Piece piece) { return Color(piece >> 3); }

// a1 = 0, b1 = 1, ... h8 = 63.
enum Square : std::uint8_t {
    // clang-format off
    kA1, kB1, kC1, kD1, kE1, kF1, kG1, kH1,
    kA8 = 56, kB8, kC8, kD8, kE8, kF8, kG8, kH8,
    // clang-format on
    kNoSquare = 64
};
constexpr Square make_square(int file, int rank) { return Square(rank * 8 + file); }
constexpr int file_of(Square square) { return square & 7; }
constexpr int rank_of(Square square) { return square >> 3; }
// The rank as `color` sees it: 0 is its own back rank.
constexpr int relative_rank(Color color, Square square) { return rank_of(square) ^ (color * 7); }
constexpr Square relative_square(Color color, Square square) { return Square(square ^ (color * 56)); }
// A king's moves from one square to the other.
constexpr int king_distance(Square a, Square b) {
    const int files = file_of(a) - file_of(b), ranks = rank_of(a) - rank_of(b);
    return std::max(files < 0 ? -files : files, ranks < 0 ? -ranks : ranks);
}
constexpr Square operator+(Square square, int delta) { return Square(int(square) + delta); }

constexpr Bitboard bit(Square square) { return Bitboard{1} << square; }
constexpr Bitboard bit(int square) { return Bitboard{1} << square; }
constexpr int popcount(Bitboard b) { return std::popcount(b); }
constexpr Square first_square(Bitboard b) { return Square(std::countr_zero(b)); }
constexpr Square last_square(Bitboard b) { return Square(63 - std::countl_zero(b)); }
constexpr bool has_several(Bitboard b) { return (b & (b - 1)) != 0; }
inline Square pop_first(Bitboard& b) {
    const Square square = first_square(b);
    b &= b - 1;
    return square;
}

inline constexpr Bitboard kFileA = 0x0101010101010101ULL;
inline constexpr Bitboard kFileH = kFileA << 7;
inline constexpr Bitboard kRank1 = 0xFF;
inline constexpr Bitboard kRank8 = kRank1 << 56;
inline constexpr Bitboard kLightSquares = 0x55AA55AA55AA55AAULL;
constexpr Bitboard file_mask(int file) { return kFileA << file; }
constexpr Bitboard rank_mask(int rank) { return kRank1 << (8 * rank); }

// One step forward for a pawn of `color`.
constexpr int forward(Color color) { return color == kWhite ? 8 : -8; }

enum MoveKind : std::uint8_t {
    kNormal,
    kCastling,  // king takes own rook, in standard chess too
    kEnPassant,
    // Promotions in the order of the pieces; kPromoteKnight + (type - kKnight).
    kPromoteKnight,
    kPromoteBishop,
    kPromoteRook,
    kPromoteQueen
};

// from | to | kind, from in the highest bits: comparing raw values compares (from, to, promotion), which is
// the canonical order of the record format and of every tie.
class Move {
  public:
    constexpr Move() = default;
    constexpr explicit Move(std::uint16_t raw) : raw_(raw) {}
    constexpr Move(Square from, Square to, MoveKind kind = kNormal)
        : raw_(std::uint16_t((from << 10) | (to << 4) | kind)) {}

    constexpr Square from() const { return Square(raw_ >> 10); }
    constexpr Square to() const { return Square((raw_ >> 4) & 63); }
    constexpr MoveKind kind() const { return MoveKind(raw_ & 15); }
    constexpr bool is_promotion() const { return kind() >= kPromoteKnight; }
    constexpr PieceType promotion() const {
        return is_promotion() ? PieceType(kKnight + (kind() - kPromoteKnight)) : kNoPieceType;
    }
    constexpr std::uint16_t raw() const { return raw_; }
    constexpr explicit operator bool() const { return raw_ != 0; }
    friend constexpr auto operator<=>(Move, Move) = default;

  private:
    std::uint16_t raw_;  // 0 (a1a1) is no move; not set by the default constructor, as lists of moves are large
};
inline constexpr Move kNoMove{};

// No position that a game can reach has more than 218 moves. An odd army of fifteen queens has fewer than 15 * 27.
inline constexpr int kMaxMoves = 512;

class MoveList {
  public:
    const Move* begin() const { return moves_; }
    const Move* end() const { return moves_ + size_; }
    Move* begin() { return moves_; }
    Move* end() { return moves_ + size_; }
    int size() const { return size_; }
    bool empty() const { return size_ == 0; }
    Move operator[](int index) const { return moves_[index]; }
    bool contains(Move move) const {
        for (Move m : *this)
            if (m == move) return true;
        return false;
    }
    // For the generator, which writes in place.
    void set_end(Move* end) { size_ = int(end - moves_); }

  private:
    Move moves_[kMaxMoves];
    int size_ = 0;
};

// Castling rights: one bit per color and side.
enum CastlingRight : std::uint8_t {
    kWhiteKingside = 1,
    kWhiteQueenside = 2,
    kBlackKingside = 4,
    kBlackQueenside = 8,
    kNoCastling = 0,
    kAnyCastling = 15
};
constexpr std::uint8_t castling_right(Color color, bool kingside) {
    return std::uint8_t((kingside ? 1 : 2) << (2 * color));
}

}  // namespace philidor::chess
