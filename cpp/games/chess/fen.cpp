#include "games/chess/fen.h"

#include <algorithm>
#include <vector>

#include "games/chess/notation.h"

namespace philidor::chess {

namespace {

constexpr std::string_view kPieceLetters = ".PNBRQK..pnbrqk";

class FenReader {
  public:
    FenReader(std::string_view fen, Board& board, State& state) : fen_(fen), board_(board) { board_.clear(state); }

    void read(Chess960 variant) {
        split();
        read_board(fields_[0]);
        read_turn(fields_[1]);
        check_pieces();
        read_castling(fields_[2], variant);
        const Square en_passant = read_en_passant(fields_[3]);
        const int halfmove = fields_.size() > 4 ? read_number(fields_[4], "halfmove clock") : 0;
        const int move = fields_.size() > 5 ? read_number(fields_[5], "move number") : 1;
        board_.set_ply(2 * (std::max(move, 1) - 1) + (board_.to_move() == kBlack));
        board_.finish_setup(en_passant, halfmove);
        check_kings();
        if (en_passant != kNoSquare) check_double_step(en_passant);
    }

  private:
    [[noreturn]] void fail(std::string_view field, const std::string& what) const {
        // A whole file given by mistake must not end up in the message.
        std::string shown(fen_.substr(0, 100));
        for (char& c : shown)
            if (static_cast<unsigned char>(c) < 32 || static_cast<unsigned char>(c) > 126) c = '?';
        if (fen_.size() > 100) shown += "...";
        throw FenError("invalid FEN '" + shown + "': " + std::string(field) + ": " + what);
    }

    static std::string quoted(std::string_view text) {
        std::string shown = "'";
        for (char c : text.substr(0, 20)) shown += c >= 32 && c < 127 ? c : '?';
        return shown + (text.size() > 20 ? "...'" : "'");
    }

    void split() {
        std::size_t start = 0;
        while (start < fen_.size()) {
            const std::size_t end = std::min(fen_.find_first_of(" \t\r\n", start), fen_.size());
            if (end > start) fields_.push_back(fen_.substr(start, end - start));
            start = end + 1;
        }
        if (fields_.size() < 4 || fields_.size() > 6)
            fail("fields", "expected 4 to 6 fields, got " + std::to_string(fields_.size()));
    }

    void read_board(std::string_view text) {
        int rank = 7, file = 0;
        for (char c : text) {
            if (c == '/') {
                if (file != 8)
                    fail("board", "rank " + std::to_string(rank + 1) + " has " + std::to_string(file) + " squares");
                if (--rank < 0) fail("board", "more than 8 ranks");
                file = 0;
            } else if (c >= '1' && c <= '8') {
                file += c - '0';
            } else {
                const std::size_t code = c == '.' ? std::string_view::npos : kPieceLetters.find(c);
                if (code == std::string_view::npos) fail("board", "unknown piece " + quoted(std::string_view(&c, 1)));
                if (file < 8) board_.put(Piece(code), make_square(file, rank));
                ++file;
            }
            if (file > 8) fail("board", "rank " + std::to_string(rank + 1) + " has more than 8 squares");
        }
        if (rank != 0) fail("board", "expected 8 ranks, got " + std::to_string(8 - rank));
        if (file != 8) fail("board", "rank 1 has " + std::to_string(file) + " squares");
    }

    void read_turn(std::string_view text) {
        if (text != "w" && text != "b") fail("side to move", "expected 'w' or 'b', got " + quoted(text));
        board_.set_to_move(text == "w" ? kWhite : kBlack);
    }

    // What no game can begin with is refused. Odd armies are not: people play with eight knights.
    void check_pieces() const {
        if (board_.pieces(kPawn) & (kRank1 | kRank8)) fail("board", "a pawn stands on the first or last rank");
        for (Color color : {kWhite, kBlack}) {
            const std::string name = color == kWhite ? "White" : "Black";
            const auto count = [&](PieceType type) { return popcount(board_.pieces(color, type)); };
            if (count(kKing) != 1) fail("board", name + " has " + std::to_string(count(kKing)) + " kings");
            if (count(kPawn) > 8) fail("board", name + " has " + std::to_string(count(kPawn)) + " pawns");
            const int pieces = popcount(board_.pieces(color));
            if (pieces > 16) fail("board", name + " has " + std::to_string(pieces) + " pieces");
        }
    }

    void read_castling(std::string_view text, Chess960 variant) {
        bool is_standard = true;
        if (text != "-")
            for (char c : text) is_standard &= read_right(c);
        if (!is_standard && variant == Chess960::kNo)
            fail("castling", quoted(text) + " needs Chess960: king or rook not on its standard square");
        board_.set_chess960(variant == Chess960::kYes || !is_standard);
    }

    // Returns whether king and rook stand where standard chess has them.
    bool read_right(char c) {
        const bool is_upper = c >= 'A' && c <= 'Z';
        const Color color = is_upper ? kWhite : kBlack;
        const char letter = is_upper ? char(c - 'A' + 'a') : c;
        const Square king = board_.king(color);
        const Bitboard back = rank_mask(color == kWhite ? 0 : 7);
        const Bitboard rooks = board_.pieces(color, kRook) & back;
        const Bitboard right_of_king = back & (~Bitboard{0} << king), left_of_king = back & ~right_of_king;
        Square rook = kNoSquare;
        if (letter == 'k' && (rooks & right_of_king))
            rook = last_square(rooks & right_of_king);
        else if (letter == 'q' && (rooks & left_of_king))
            rook = first_square(rooks & left_of_king);
        else if (letter >= 'a' && letter <= 'h' && (rooks & file_mask(letter - 'a')))
            rook = first_square(rooks & file_mask(letter - 'a'));
        else if (letter != 'k' && letter != 'q' && (letter < 'a' || letter > 'h'))
            fail("castling", "unknown letter " + quoted(std::string_view(&c, 1)));
        if (rook == kNoSquare || !(back & bit(king)))
            fail("castling", quoted(std::string_view(&c, 1)) + ": no king and rook on the back rank to castle");
        const std::uint8_t right = castling_right(color, rook > king);
        if (board_.castling() & right) fail("castling", quoted(std::string_view(&c, 1)) + " is given twice");
        board_.set_castling(right, rook);
        return file_of(king) == 4 && file_of(rook) == (rook > king ? 7 : 0);
    }

    Square read_en_passant(std::string_view text) const {
        if (text == "-") return kNoSquare;
        if (text.size() != 2 || text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8')
            fail("en passant", "expected a square or '-', got " + quoted(text));
        const Color us = board_.to_move();
        const Square square = make_square(text[0] - 'a', text[1] - '1');
        if (relative_rank(us, square) != 5) fail("en passant", quoted(text) + " is on the wrong rank");
        const Square pawn = square + -forward(us), origin = square + forward(us);
        if (board_.piece_on(pawn) != make_piece(~us, kPawn) || board_.piece_on(square) != kNoPiece ||
            board_.piece_on(origin) != kNoPiece)
            fail("en passant", quoted(text) + ": no pawn has just made a double step there");
        return square;
    }

    int read_number(std::string_view text, std::string_view field) const {
        int value = 0;
        const bool is_number = !text.empty() && text.size() <= 5 &&
                               std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
        if (!is_number) fail(field, "expected a number from 0 to 99999, got " + quoted(text));
        for (char c : text) value = 10 * value + (c - '0');
        return value;
    }

    void check_kings() const {
        const Color us = board_.to_move();
        if (board_.is_attacked(board_.king(~us), us, board_.occupied()))
            fail("board", std::string("the side not to move (") + (us == kWhite ? "Black" : "White") + ") is in check");
        if (popcount(board_.checkers()) > 2) fail("board", "more than two pieces give check");
    }

    // After a double step at most one piece gives check: the pawn, or a slider that it no longer hides.
    void check_double_step(Square target) const {
        const Color us = board_.to_move();
        const Bitboard pawn = bit(target + -forward(us)), origin = bit(target + forward(us));
        const Bitboard others = board_.checkers() & ~pawn;
        if (!others) return;
        const Bitboard before = (board_.occupied() ^ pawn) | origin;
        const Bitboard attackers = board_.attackers_to(board_.king(us), before) & board_.pieces(~us) & ~pawn;
        if (has_several(board_.checkers()) || attackers)
            fail("en passant", quoted(square_name(target)) + ": the king was in check before the pawn's double step");
    }

    std::string_view fen_;
    Board& board_;
    std::vector<std::string_view> fields_;
};

// X-FEN writes K or Q when the castling rook is the outermost on its side, and the rook's file otherwise.
char right_letter(const Board& board, std::uint8_t right, FenCastling style) {
    const Color color = right < kBlackKingside ? kWhite : kBlack;
    const bool is_kingside = right & (kWhiteKingside | kBlackKingside);
    const Square rook = board.castling_rook(right);
    const Bitboard rooks = board.pieces(color, kRook) & rank_mask(color == kWhite ? 0 : 7);
    const Square outermost = is_kingside ? last_square(rooks) : first_square(rooks);
    char letter = is_kingside ? 'k' : 'q';
    if (style == FenCastling::kShredder || rook != outermost) letter = char('a' + file_of(rook));
    return color == kWhite ? char(letter - 'a' + 'A') : letter;
}

}  // namespace

void parse_fen(std::string_view fen, Board& board, State& state, Chess960 variant) {
    FenReader(fen, board, state).read(variant);
}

std::string to_fen(const Board& board, FenCastling castling, FenEnPassant en_passant) {
    std::string fen;
    for (int rank = 7; rank >= 0; --rank) {
        int empty = 0;
        for (int file = 0; file < 8; ++file) {
            const Piece piece = board.piece_on(make_square(file, rank));
            if (piece == kNoPiece) {
                ++empty;
                continue;
            }
            if (empty) fen += char('0' + empty);
            empty = 0;
            fen += kPieceLetters[piece];
        }
        if (empty) fen += char('0' + empty);
        if (rank) fen += '/';
    }
    fen += board.to_move() == kWhite ? " w " : " b ";
    for (std::uint8_t right : {kWhiteKingside, kWhiteQueenside, kBlackKingside, kBlackQueenside})
        if (board.castling() & right) fen += right_letter(board, right, castling);
    if (!board.castling()) fen += '-';
    const Square square = en_passant == FenEnPassant::kRaw ? board.en_passant_raw() : board.en_passant();
    fen += ' ' + (square == kNoSquare ? std::string("-") : square_name(square));
    return fen + ' ' + std::to_string(board.halfmove_clock()) + ' ' + std::to_string(board.move_number());
}

}  // namespace philidor::chess
