#include "games/chess/notation.h"

#include "games/chess/movegen.h"

namespace philidor::chess {

namespace {

constexpr std::string_view kPieceNames = " PNBRQK";
constexpr std::string_view kPromotionNames = "  nbrq";

PieceType piece_named(char c) {
    switch (c) {
        case 'N': return kKnight;
        case 'B': return kBishop;
        case 'R': return kRook;
        case 'Q': return kQueen;
        case 'K': return kKing;
        default: return kNoPieceType;
    }
}

constexpr bool is_file(char c) { return c >= 'a' && c <= 'h'; }
constexpr bool is_rank(char c) { return c >= '1' && c <= '8'; }

MoveKind promotion_kind(PieceType type) {
    return type == kNoPieceType ? kNormal : MoveKind(kPromoteKnight + (type - kKnight));
}

// The pieces of the mover that could legally reach `to`, kings, pawns' pushes and en passant included.
// `kind` tells them apart; castling is not asked for here.
Bitboard legal_origins(const Board& board, PieceType type, Square to, MoveKind kind) {
    const Color us = board.to_move();
    Bitboard origins = board.pieces(us, type);
    if (type == kPawn) {
        const Square one = to + -forward(us);
        Bitboard behind = 0;
        // `one` exists: no pawn's target is on its own first rank.
        if (relative_rank(us, to) > 0) {
            behind = bit(one);
            if (relative_rank(us, to) == 3 && board.piece_on(one) == kNoPiece) behind |= bit(one + -forward(us));
        }
        origins &= behind | pawn_attacks(~us, to);
    } else {
        origins &= piece_attacks(type, to, board.occupied());
    }
    Bitboard legal = 0;
    while (origins) {
        const Square from = pop_first(origins);
        if (board.is_legal(Move(from, to, kind))) legal |= bit(from);
    }
    return legal;
}

MoveKind kind_of(const Board& board, PieceType type, Square to, PieceType promotion) {
    if (type == kPawn && to == board.en_passant() && board.piece_on(to) == kNoPiece) return kEnPassant;
    return promotion_kind(promotion);
}

SanResult parse_castling(const Board& board, bool is_kingside) {
    const std::uint8_t right = castling_right(board.to_move(), is_kingside);
    if (!(board.castling() & right)) return {kNoMove, SanError::kIllegal};
    const Move move(board.king(board.to_move()), board.castling_rook(right), kCastling);
    return is_legal_castling(board, move) ? SanResult{move} : SanResult{kNoMove, SanError::kIllegal};
}

// What a SAN text says, before asking the board.
struct SanText {
    PieceType type = kPawn;
    PieceType promotion = kNoPieceType;
    Bitboard origins = ~Bitboard{0};
    Square to = kNoSquare;
    bool is_valid = false;
};

// Cuts "+", "#", "!", "?" and "e.p." off the end.
std::string_view without_suffix(std::string_view text) {
    const auto is_mark = [](char c) { return c == '+' || c == '#' || c == '!' || c == '?'; };
    while (!text.empty() && is_mark(text.back())) text.remove_suffix(1);
    if (text.size() > 4 && text.substr(text.size() - 4) == "e.p.") text.remove_suffix(4);
    return text;
}

SanText read_san(std::string_view text) {
    SanText san;
    if (const PieceType type = piece_named(text.front()); type != kNoPieceType) {
        san.type = type;
        text.remove_prefix(1);
    }
    // From the back: promotion, target square, then whatever narrows the origin.
    if (san.type == kPawn && !text.empty()) {
        if (text.back() == ')') text.remove_suffix(1);
        if (!text.empty() && piece_named(text.back()) != kNoPieceType && piece_named(text.back()) != kKing) {
            san.promotion = piece_named(text.back());
            text.remove_suffix(1);
            if (!text.empty() && (text.back() == '=' || text.back() == '(' || text.back() == '/'))
                text.remove_suffix(1);
        }
    }
    const std::size_t size = text.size();
    if (size < 2 || !is_file(text[size - 2]) || !is_rank(text[size - 1])) return san;
    san.to = make_square(text[size - 2] - 'a', text[size - 1] - '1');
    text.remove_suffix(2);
    if (!text.empty() && (text.back() == 'x' || text.back() == '-' || text.back() == ':')) text.remove_suffix(1);
    if (!text.empty() && is_file(text.front())) {
        san.origins &= file_mask(text.front() - 'a');
        text.remove_prefix(1);
    }
    if (!text.empty() && is_rank(text.front())) {
        san.origins &= rank_mask(text.front() - '1');
        text.remove_prefix(1);
    }
    san.is_valid = text.empty();
    return san;
}

// The origin's file, rank or both, as far as another piece of the kind could go there too.
std::string disambiguation(const Board& board, Move move) {
    const Square from = move.from();
    const PieceType type = type_of(board.piece_on(from));
    if (type == kKing) return "";
    if (type == kPawn) return board.is_capture(move) ? std::string(1, char('a' + file_of(from))) : "";
    const Bitboard others = legal_origins(board, type, move.to(), kNormal) & ~bit(from);
    if (!others) return "";
    const std::string name = square_name(from);
    if (!(others & file_mask(file_of(from)))) return name.substr(0, 1);
    if (!(others & rank_mask(rank_of(from)))) return name.substr(1);
    return name;
}

}  // namespace

std::string square_name(Square square) { return {char('a' + file_of(square)), char('1' + rank_of(square))}; }

std::string to_uci(const Board& board, Move move) {
    if (move == kNoMove) return "0000";
    Square to = move.to();
    if (move.kind() == kCastling && !board.is_chess960()) to = make_square(to > move.from() ? 6 : 2, rank_of(to));
    std::string text = square_name(move.from()) + square_name(to);
    if (move.is_promotion()) text += kPromotionNames[move.promotion()];
    return text;
}

Move parse_uci(const Board& board, std::string_view text) {
    if (text.size() < 4 || text.size() > 5 || !is_file(text[0]) || !is_rank(text[1]) || !is_file(text[2]) ||
        !is_rank(text[3]))
        return kNoMove;
    const Square from = make_square(text[0] - 'a', text[1] - '1'), to = make_square(text[2] - 'a', text[3] - '1');
    PieceType promotion = kNoPieceType;
    if (text.size() == 5) {
        const std::size_t type = kPromotionNames.find(text[4]);
        if (type == std::string_view::npos || type < kKnight) return kNoMove;
        promotion = PieceType(type);
    }
    const Color us = board.to_move();
    const PieceType type = type_of(board.piece_on(from));
    Move move(from, to, kind_of(board, type, to, promotion));
    if (type == kKing && promotion == kNoPieceType) {
        const bool takes_own_rook = board.piece_on(to) == make_piece(us, kRook);
        const bool is_two_step = !board.is_chess960() && !(king_attacks(from) & bit(to));
        if (takes_own_rook) move = Move(from, to, kCastling);
        if (is_two_step && !takes_own_rook) {
            const std::uint8_t right = castling_right(us, to > from);
            if (!(board.castling() & right) || to != board.castling_king_to(right)) return kNoMove;
            move = Move(from, board.castling_rook(right), kCastling);
        }
    }
    return board.is_legal(move) ? move : kNoMove;
}

std::string to_san(const Board& board, Move move) {
    std::string text;
    if (move.kind() == kCastling) {
        text = move.to() > move.from() ? "O-O" : "O-O-O";
    } else {
        const PieceType type = type_of(board.piece_on(move.from()));
        if (type != kPawn) text += kPieceNames[type];
        text += disambiguation(board, move);
        if (board.is_capture(move)) text += 'x';
        text += square_name(move.to());
        if (move.is_promotion()) text = text + '=' + kPieceNames[move.promotion()];
    }
    if (board.gives_check(move)) {
        Board after = board;
        State state;
        after.make(move, state);
        text += has_legal_move(after) ? '+' : '#';
    }
    return text;
}

SanResult parse_san(const Board& board, std::string_view text) {
    text = without_suffix(text);
    if (text.empty()) return {kNoMove, SanError::kSyntax};
    if (text == "O-O" || text == "0-0" || text == "o-o") return parse_castling(board, true);
    if (text == "O-O-O" || text == "0-0-0" || text == "o-o-o") return parse_castling(board, false);
    const SanText san = read_san(text);
    if (!san.is_valid) return {kNoMove, SanError::kSyntax};
    const MoveKind kind = kind_of(board, san.type, san.to, san.promotion);
    Bitboard origins = legal_origins(board, san.type, san.to, kind) & san.origins;
    // "ed5" is no way to write e4xd5, and "d5" never means a capture: a pawn that changes files must name its own.
    if (san.type == kPawn && san.origins == ~Bitboard{0}) origins &= file_mask(file_of(san.to));
    if (!origins) return {kNoMove, SanError::kIllegal};
    if (has_several(origins)) return {kNoMove, SanError::kAmbiguous};
    return {Move(first_square(origins), san.to, kind)};
}

}  // namespace philidor::chess
