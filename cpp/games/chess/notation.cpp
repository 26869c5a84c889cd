#include "games/chess/notation.h"

#include "games/chess/movegen.h"

namespace philidor::chess {

namespace {

constexpr std::string_view kPieceNames = " PNBRQK";
constexpr std::string_view kPromotionNames = "  nbrq";

PieceType piece_named(char c) {
    switch (c) {
        case 'P': return kPawn;
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

// The legal move between two squares, whatever its kind; kNoMove if there is none. A castling king may go to its own
// rook or, unless that is a king's step, to the square where castling takes it.
Move move_between(const Board& board, Square from, Square to, PieceType promotion) {
    const Color us = board.to_move();
    const PieceType type = type_of(board.piece_on(from));
    Move move(from, to, kind_of(board, type, to, promotion));
    if (type == kKing && promotion == kNoPieceType) {
        const std::uint8_t right = castling_right(us, to > from);
        if (board.piece_on(to) == make_piece(us, kRook))
            move = Move(from, to, kCastling);
        else if (!(king_attacks(from) & bit(to)) && (board.castling() & right) && to == board.castling_king_to(right))
            move = Move(from, board.castling_rook(right), kCastling);
    }
    return board.is_legal(move) ? move : kNoMove;
}

// What a SAN text says, before asking the board.
struct SanText {
    PieceType type = kNoPieceType;  // kNoPieceType if no letter names it
    PieceType promotion = kNoPieceType;
    int from_file = -1, from_rank = -1;  // -1 if not given
    Square to = kNoSquare;
    bool is_valid = false;

    Bitboard origins() const {
        return (from_file < 0 ? ~Bitboard{0} : file_mask(from_file)) &
               (from_rank < 0 ? ~Bitboard{0} : rank_mask(from_rank));
    }
};

// Cuts "+", "#", "!", "?" and "e.p." off the end, in any order.
std::string_view without_suffix(std::string_view text) {
    for (;;) {
        if (!text.empty() && std::string_view("+#!? ").find(text.back()) != std::string_view::npos)
            text.remove_suffix(1);
        else if (text.size() > 4 && text.substr(text.size() - 4) == "e.p.")
            text.remove_suffix(4);
        else
            return text;
    }
}

// Cuts "=Q", "Q", "/Q" or "(Q)" off the end, in capitals or not, and returns the piece.
PieceType take_promotion(std::string_view& text) {
    const bool is_bracketed = text.size() > 3 && text.back() == ')' && text[text.size() - 3] == '(';
    const std::size_t place = text.size() - (is_bracketed ? 2 : 1);
    const std::size_t type = kPromotionNames.find(text[place] < 'a' ? char(text[place] - 'A' + 'a') : text[place]);
    if (type == std::string_view::npos || type < kKnight) return kNoPieceType;
    text.remove_suffix(text.size() - place + is_bracketed);
    if (!is_bracketed && !text.empty() && (text.back() == '=' || text.back() == '/')) text.remove_suffix(1);
    return PieceType(type);
}

SanText read_san(std::string_view text) {
    SanText san;
    if ((san.type = piece_named(text.front())) != kNoPieceType) text.remove_prefix(1);
    // From the back: promotion, target square, then whatever narrows the origin.
    if (san.type <= kPawn && !text.empty()) san.promotion = take_promotion(text);
    const std::size_t size = text.size();
    if (size < 2 || !is_file(text[size - 2]) || !is_rank(text[size - 1])) return san;
    san.to = make_square(text[size - 2] - 'a', text[size - 1] - '1');
    text.remove_suffix(2);
    if (!text.empty() && (text.back() == 'x' || text.back() == '-' || text.back() == ':')) text.remove_suffix(1);
    if (!text.empty() && is_file(text.front())) {
        san.from_file = text.front() - 'a';
        text.remove_prefix(1);
    }
    if (!text.empty() && is_rank(text.front())) {
        san.from_rank = text.front() - '1';
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
    // A move from a hash table may be of no kind at all.
    if (move.is_promotion() && move.promotion() <= kQueen) text += kPromotionNames[move.promotion()];
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
    return move_between(board, from, to, promotion);
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
    // "g1f3" and "g1-f3": both squares say everything.
    if (san.type == kNoPieceType && san.from_file >= 0 && san.from_rank >= 0) {
        const Move move = move_between(board, make_square(san.from_file, san.from_rank), san.to, san.promotion);
        return {move, move ? SanError::kNone : SanError::kIllegal};
    }
    const PieceType type = san.type == kNoPieceType ? kPawn : san.type;
    const MoveKind kind = kind_of(board, type, san.to, san.promotion);
    Bitboard origins = legal_origins(board, type, san.to, kind) & san.origins();
    // "d5" never means a capture: a pawn that changes files must name its own.
    if (type == kPawn && san.from_file < 0) origins &= file_mask(file_of(san.to));
    if (!origins) return {kNoMove, SanError::kIllegal};
    if (has_several(origins)) return {kNoMove, SanError::kAmbiguous};
    return {Move(first_square(origins), san.to, kind)};
}

}  // namespace philidor::chess
