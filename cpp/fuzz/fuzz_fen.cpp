// Any bytes as FEN: an error that names its field, or a position that is written and read back, and can be played.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "games/chess/fen.h"
#include "games/chess/movegen.h"

using namespace philidor::chess;

namespace {

constexpr std::string_view kFields[] = {"fields",     "board",          "side to move", "castling",
                                        "en passant", "halfmove clock", "move number"};

void check_error(std::string_view message) {
    const auto is_named = [&](std::string_view field) {
        return message.find("': " + std::string(field) + ": ") != std::string_view::npos;
    };
    if (std::none_of(std::begin(kFields), std::end(kFields), is_named) || message.size() > 300) std::abort();
    if (!std::all_of(message.begin(), message.end(), [](char c) { return c >= 32 && c < 127; })) std::abort();
}

void check_round_trip(const Board& board) {
    const Chess960 variant = board.is_chess960() ? Chess960::kYes : Chess960::kNo;
    for (FenCastling castling : {FenCastling::kXFen, FenCastling::kShredder})
        for (FenEnPassant en_passant : {FenEnPassant::kLegal, FenEnPassant::kRaw}) {
            const std::string fen = to_fen(board, castling, en_passant);
            State state;
            Board again;
            parse_fen(fen, again, state, variant);
            if (to_fen(again, castling, en_passant) != fen || again.key() != board.key()) std::abort();
        }
}

void check_moves(Board& board) {
    const MoveList moves = legal_moves(board);
    if (moves.size() > 218) std::abort();
    for (Move move : moves) {
        if (!board.is_legal(move)) std::abort();
        const bool gives_check = board.gives_check(move);
        State next;
        board.make(move, next);
        if (board.in_check() != gives_check || !board.is_consistent()) std::abort();
        board.unmake(move);
    }
}

// Nothing else is legal: every piece to every square, as every kind of move.
void check_no_other_move(const Board& board) {
    int legal = 0;
    for (Bitboard own = board.pieces(board.to_move()); own;) {
        const Square from = pop_first(own);
        for (int to = 0; to < 64; ++to)
            for (int kind = kNormal; kind <= kPromoteQueen; ++kind)
                legal += board.is_legal(Move(from, Square(to), MoveKind(kind)));
    }
    if (legal != legal_moves(board).size()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    State state;
    Board board;
    try {
        parse_fen(std::string_view(reinterpret_cast<const char*>(data), size), board, state);
    } catch (const FenError& error) {
        check_error(error.what());
        return 0;
    }
    if (!board.is_consistent()) std::abort();
    check_round_trip(board);
    check_moves(board);
    check_no_other_move(board);
    return 0;
}
