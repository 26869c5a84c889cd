// FEN, UCI and SAN: round trips along random games, and errors that name their field.
#include <doctest/doctest.h>

#include <string>

#include "games/chess/fen.h"
#include "games/chess/notation.h"
#include "games/chess/see.h"
#include "tests/chess_walks.h"

using namespace philidor::chess;

namespace {

std::string error_of(std::string_view fen, Chess960 variant = Chess960::kAuto) {
    State state;
    Board board;
    try {
        parse_fen(fen, board, state, variant);
    } catch (const FenError& error) {
        return error.what();
    }
    return "";
}

bool names(std::string_view fen, std::string_view problem) { return error_of(fen).find(problem) != std::string::npos; }

}  // namespace

TEST_CASE("a written FEN is read back to the same board") {
    for_each_random_position(2, 80, [](Board& board) {
        const Chess960 variant = board.is_chess960() ? Chess960::kYes : Chess960::kNo;
        for (FenCastling castling : {FenCastling::kXFen, FenCastling::kShredder}) {
            const std::string fen = to_fen(board, castling, FenEnPassant::kRaw);
            State state;
            Board again;
            parse_fen(fen, again, state, variant);
            CHECK(to_fen(again, castling, FenEnPassant::kRaw) == fen);
            CHECK(again.key() == board.key());
            CHECK(again.checkers() == board.checkers());
            CHECK(again.pinned() == board.pinned());
            CHECK(again.ply() == board.ply());
        }
    });
}

TEST_CASE("an error names the field and quotes the FEN") {
    CHECK(error_of("8/8 w - -") == "invalid FEN '8/8 w - -': board: expected 8 ranks, got 2");
    CHECK(names("", "fields: "));
    CHECK(names("rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "board: rank 7 has more than 8 squares"));
    CHECK(names("4k3/8/8/8/8/8/8/8 w - - 0 1", "board: White has 0 kings"));
    CHECK(names("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "board: a pawn stands"));
    CHECK(names("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "board: the side not to move (Black) is in check"));
    CHECK(names("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "side to move: "));
    CHECK(names("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "castling: "));
    CHECK(names("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "en passant: "));
    CHECK(names("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "halfmove clock: "));
    CHECK(names("4k3/8/8/8/8/8/8/4K3 w - - 0 x", "move number: "));
    CHECK(error_of("1r2k3/8/8/8/8/8/8/4K3 w q - 0 1", Chess960::kNo).find("needs Chess960") != std::string::npos);
    CHECK(error_of(std::string(5000, 'x')).size() < 250);
}

TEST_CASE("every legal move is read back from its UCI and SAN text") {
    for_each_random_position(2, 60, [](Board& board) {
        CAPTURE(to_fen(board));
        for (Move move : legal_moves(board)) {
            const std::string uci = to_uci(board, move), san = to_san(board, move);
            CAPTURE(san);
            CHECK(parse_uci(board, uci) == move);
            const SanResult result = parse_san(board, san);
            CHECK(result.error == SanError::kNone);
            CHECK(result.move == move);
        }
    });
}

TEST_CASE("SAN is refused for what is wrong with it") {
    State state;
    Board board;
    parse_fen("4k3/8/8/8/8/1N3N2/8/1N2K3 w - - 0 1", board, state);
    CHECK(parse_san(board, "").error == SanError::kSyntax);
    CHECK(parse_san(board, "N").error == SanError::kSyntax);
    CHECK(parse_san(board, "(Q)").error == SanError::kSyntax);
    CHECK(parse_san(board, "Q").error == SanError::kSyntax);
    CHECK(parse_san(board, "=").error == SanError::kSyntax);
    CHECK(parse_san(board, "Nh8").error == SanError::kIllegal);
    CHECK(parse_san(board, "O-O").error == SanError::kIllegal);
    CHECK(parse_san(board, "Nd4").error == SanError::kAmbiguous);
    CHECK(parse_san(board, "N1d2").error == SanError::kNone);
    CHECK(parse_san(board, std::string(100'000, '+')).error == SanError::kSyntax);
}

TEST_CASE("moves of no kind have a text all the same") {
    State state;
    Board board;
    parse_fen(kStartFen, board, state);
    for (int raw = 0; raw < 0x10000; ++raw) {
        const std::string text = to_uci(board, Move(std::uint16_t(raw)));
        REQUIRE(text.size() >= 4);
        REQUIRE(text.size() <= 5);
    }
}

TEST_CASE("see_at_least says whether see reaches the threshold") {
    for_each_random_position(1, 60, [](Board& board) {
        CAPTURE(to_fen(board));
        for (Move move : legal_moves(board)) {
            const int value = see(board, move);
            for (int threshold = -1100; threshold <= 2000; threshold += 50)
                if (see_at_least(board, move, threshold) != (value >= threshold))
                    FAIL(move.raw() << " at " << threshold << ": " << value);
        }
    });
}
