// The handcrafted evaluation treats both sides alike, and its shortcuts change nothing.
#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "evaluators/handcrafted/evaluation.h"
#include "games/chess/position.h"
#include "tests/chess_walks.h"

using namespace philidor;
using namespace philidor::chess;
namespace hce = philidor::evaluators::handcrafted;

namespace {

// The same position with colors changed: ranks upside down, letters in the other case.
std::string flipped(const Board& board) {
    std::istringstream fields(to_fen(board, FenCastling::kShredder));
    std::string squares, turn, castling, en_passant, rest, ranks[8];
    fields >> squares >> turn >> castling >> en_passant;
    std::getline(fields, rest);
    const auto swap_case = [](std::string text) {
        for (char& c : text) c = char(std::isupper(c) ? std::tolower(c) : std::toupper(c));
        return text;
    };
    std::istringstream rows(squares);
    for (int i = 7; i >= 0; --i) std::getline(rows, ranks[i], '/');
    std::string board_text;
    for (int i = 0; i < 8; ++i) board_text += (i ? "/" : "") + swap_case(ranks[i]);
    if (en_passant != "-") en_passant[1] = en_passant[1] == '3' ? '6' : '3';
    return board_text + (turn == "w" ? " b " : " w ") + (castling == "-" ? "-" : swap_case(castling)) + " " +
           en_passant + rest;
}

}  // namespace

TEST_CASE("an evaluation does not depend on which color is called White") {
    evaluators::HandcraftedEvaluator evaluator;
    for_each_random_position(3, 120, [&](const Board& board) {
        if (board.in_check()) return;
        const std::string fen = to_fen(board);
        CAPTURE(fen);
        State state;
        Board twin;
        parse_fen(flipped(board), twin, state, board.is_chess960() ? Chess960::kYes : Chess960::kAuto);
        CHECK(evaluator.evaluate(board) == evaluator.evaluate(twin));
    });
}

TEST_CASE("counted terms, summed terms and the pawn table agree") {
    evaluators::HandcraftedEvaluator evaluator;
    for_each_random_position(2, 120, [&](const Board& board) {
        if (board.in_check()) return;
        const int white = hce::taper(board, hce::count_terms(board).total());
        CHECK(evaluator.evaluate(board) == (board.to_move() == kWhite ? white : -white));
    });
}

TEST_CASE("material that cannot win is worth nothing") {
    evaluators::HandcraftedEvaluator evaluator;
    for (const char* fen :
         {"4k3/8/8/8/8/8/8/2N1K1N1 w - - 0 1", "4k3/8/8/8/8/8/8/4KB2 w - - 0 1", "7k/8/8/7P/8/8/2B5/4K3 w - - 0 1"}) {
        CAPTURE(fen);
        CHECK(evaluator.evaluate(Position::from_fen(fen)->board()) == 0);
    }
    CHECK(evaluator.evaluate(Position::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")->board()) > 400);
    CHECK(evaluator.evaluate(Position::from_fen("7k/8/8/7P/8/8/3B4/4K3 w - - 0 1")->board()) > 100);
}
