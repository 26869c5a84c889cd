// The handcrafted evaluation treats both sides alike, and its shortcuts change nothing.
#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "evaluators/handcrafted/endgames.h"
#include "evaluators/handcrafted/evaluation.h"
#include "evaluators/handcrafted/explanation.h"
#include "evaluators/handcrafted/kpk.h"
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

// The position without castling and en passant, and the same with files a to h turned into h to a.
std::pair<std::string, std::string> without_rights_and_mirrored(const Board& board) {
    const std::string fen = to_fen(board), squares = fen.substr(0, fen.find(' '));
    const std::string rest = board.to_move() == kWhite ? " w - - 0 1" : " b - - 0 1";
    std::istringstream rows(squares);
    std::string twin;
    for (std::string row; std::getline(rows, row, '/');)
        twin += (twin.empty() ? "" : "/") + std::string(row.rbegin(), row.rend());
    return {squares + rest, twin + rest};
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
        const int white = hce::verdict(board, hce::count_terms(board).parts());
        CHECK(evaluator.evaluate(board) == (board.to_move() == kWhite ? white : -white));
    });
}

TEST_CASE("an explanation adds up to the verdict") {
    for_each_random_position(1, 120, [&](const Board& board) {
        if (board.in_check()) return;
        const std::string fen = to_fen(board);
        CAPTURE(fen);
        const hce::Explanation found = hce::explain(board);
        int early = 0, late = 0;
        for (const hce::ExplainedTerm& term : found.terms) {
            early += term.white[0] - term.black[0];
            late += term.white[1] - term.black[1];
        }
        CHECK(early == found.middlegame);
        CHECK(late == found.endgame);
        const int rest = hce::kFullPhase - found.phase;
        const int blended = (early * found.phase + late * found.scale / hce::kFullScale * rest) / hce::kFullPhase;
        CHECK(found.white_score == (found.scale == 0 ? 0 : blended + found.bare_king));
    });
}

TEST_CASE("the wings of the board are told apart only by the tables of pawns and kings") {
    for_each_random_position(1, 120, [&](const Board& board) {
        const auto [fen, twin] = without_rights_and_mirrored(board);
        CAPTURE(fen);
        const hce::Explanation a = hce::explain(Position::from_fen(fen)->board());
        const hce::Explanation b = hce::explain(Position::from_fen(twin)->board());
        for (std::size_t i = 0; i < a.terms.size(); ++i) {
            const std::string_view name = a.terms[i].name;
            if (name == "PawnSquare" || name == "KingSquare" || name == "IsolatedPawn") continue;
            CAPTURE(name);
            CHECK(std::equal(a.terms[i].white, a.terms[i].white + 2, b.terms[i].white));
            CHECK(std::equal(a.terms[i].black, a.terms[i].black + 2, b.terms[i].black));
        }
    });
}

TEST_CASE("king and pawn against king is solved") {
    // Opposition, the rook's pawn, the square of the pawn, and stalemate, each with its opposite.
    const auto is_won = [](const char* fen, Color strong) {
        return hce::is_won_pawn_ending(Position::from_fen(fen)->board(), strong);
    };
    CHECK(is_won("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", kWhite));
    CHECK(is_won("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", kWhite));
    CHECK_FALSE(is_won("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1", kWhite));
    CHECK(is_won("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1", kWhite));
    CHECK_FALSE(is_won("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", kWhite));
    CHECK_FALSE(is_won("k7/8/1K6/P7/8/8/8/8 w - - 0 1", kWhite));
    CHECK(is_won("8/7k/8/8/P7/8/8/7K w - - 0 1", kWhite));
    CHECK_FALSE(is_won("8/8/8/8/P3k3/8/8/7K b - - 0 1", kWhite));
    CHECK(is_won("8/8/8/8/4p3/4k3/8/4K3 w - - 0 1", kBlack));
    CHECK_FALSE(is_won("8/8/8/7p/8/8/5k2/7K w - - 0 1", kBlack) != is_won("8/8/8/p7/8/8/2k5/K7 w - - 0 1", kBlack));
}

TEST_CASE("material that cannot win is worth nothing") {
    evaluators::HandcraftedEvaluator evaluator;
    for (const char* fen :
         {"4k3/8/8/8/8/8/8/2N1K1N1 w - - 0 1", "4k3/8/8/8/8/8/8/4KB2 w - - 0 1", "7k/8/8/7P/8/8/2B5/4K3 w - - 0 1",
          "7k/8/7P/7P/8/8/8/4K3 w - - 0 1", "8/4k3/8/4K3/4P3/8/8/8 w - - 0 1"}) {
        CAPTURE(fen);
        CHECK(evaluator.evaluate(Position::from_fen(fen)->board()) == 0);
    }
    CHECK(evaluator.evaluate(Position::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")->board()) > 400);
    CHECK(evaluator.evaluate(Position::from_fen("7k/8/8/7P/8/8/3B4/4K3 w - - 0 1")->board()) > 100);
}
