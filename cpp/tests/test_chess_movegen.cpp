// The generator, the test of a single move and the attack tables, each against something simpler.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "games/chess/attacks.h"
#include "tests/chess_walks.h"

using namespace philidor::chess;

namespace {

template <Moves Which>
std::vector<Move> generated(const Board& board) {
    Move list[kMaxMoves];
    std::vector<Move> moves(list, generate<Which>(board, list));
    std::sort(moves.begin(), moves.end());
    return moves;
}

Bitboard ray(Square from, int file_step, int rank_step, Bitboard occupied) {
    Bitboard squares = 0;
    int file = file_of(from) + file_step, rank = rank_of(from) + rank_step;
    for (; file >= 0 && file < 8 && rank >= 0 && rank < 8; file += file_step, rank += rank_step) {
        squares |= bit(make_square(file, rank));
        if (occupied & bit(make_square(file, rank))) break;
    }
    return squares;
}

Bitboard slow_rook(Square from, Bitboard occupied) {
    return ray(from, 1, 0, occupied) | ray(from, -1, 0, occupied) | ray(from, 0, 1, occupied) |
           ray(from, 0, -1, occupied);
}

Bitboard slow_bishop(Square from, Bitboard occupied) {
    return ray(from, 1, 1, occupied) | ray(from, -1, 1, occupied) | ray(from, 1, -1, occupied) |
           ray(from, -1, -1, occupied);
}

}  // namespace

TEST_CASE("any sixteen bits are legal exactly if the generator has them") {
    int positions = 0;
    for_each_random_position(1, 60, [&](Board& board) {
        if (positions++ % 2) return;
        const MoveList moves = legal_moves(board);
        std::vector<bool> is_generated(0x10000);
        for (Move move : moves) is_generated[move.raw()] = true;
        for (int raw = 0; raw < 0x10000; ++raw)
            if (board.is_legal(Move(std::uint16_t(raw))) != is_generated[std::size_t(raw)])
                FAIL(to_fen(board, FenCastling::kShredder, FenEnPassant::kRaw) << ": raw move " << raw);
    });
    CHECK(positions > 500);
}

TEST_CASE("captures and quiets together are all moves, each once") {
    for_each_random_position(3, 60, [](Board& board) {
        CAPTURE(to_fen(board));
        const std::vector<Move> all = generated<Moves::kAll>(board);
        const std::vector<Move> captures = generated<Moves::kCaptures>(board);
        const std::vector<Move> quiets = generated<Moves::kQuiets>(board);
        std::vector<Move> both(captures);
        both.insert(both.end(), quiets.begin(), quiets.end());
        std::sort(both.begin(), both.end());
        CHECK(both == all);
        CHECK(std::adjacent_find(all.begin(), all.end()) == all.end());
        for (Move move : captures) {
            const bool is_queen = move.promotion() == kQueen;
            CHECK((board.is_capture(move) || is_queen));
            CHECK((!move.is_promotion() || is_queen));
        }
        CHECK(has_legal_move(board) == !all.empty());
    });
}

TEST_CASE("the canonical order is by from, to and promotion") {
    for_each_random_position(1, 60, [](Board& board) {
        MoveList list = legal_moves(board);
        MoveList sorted = list;
        sort_canonical(sorted);
        for (int i = 1; i < sorted.size(); ++i) {
            const auto rank = [](Move m) { return (m.from() * 64 + m.to()) * 8 + m.promotion(); };
            CHECK(rank(sorted[i - 1]) < rank(sorted[i]));
        }
        for (Move move : list) CHECK(sorted[canonical_index(list, move)] == move);
        CHECK(canonical_index(list, kNoMove) == -1);
    });
}

TEST_CASE("sliders look up what walking along their rays finds") {
    std::mt19937_64 random(3);
    for (int i = 0; i < 64; ++i) {
        const Square square = Square(i);
        for (int round = 0; round < 500; ++round) {
            const Bitboard sparse = random() & random(), dense = random() | random();
            const Bitboard occupied = round == 0 ? 0 : round == 1 ? ~Bitboard{0} : round % 2 ? sparse : dense;
            REQUIRE(rook_attacks(square, occupied) == slow_rook(square, occupied));
            REQUIRE(bishop_attacks(square, occupied) == slow_bishop(square, occupied));
            REQUIRE(queen_attacks(square, occupied) == (slow_rook(square, occupied) | slow_bishop(square, occupied)));
        }
    }
}

TEST_CASE("every occupancy that matters has its own entry") {
    for (int i = 0; i < 64; ++i) {
        const Square square = Square(i);
        for (bool is_rook : {true, false}) {
            const Bitboard mask = is_rook ? attack_tables.rook[i].mask : attack_tables.bishop[i].mask;
            Bitboard occupied = 0;
            do {
                REQUIRE((is_rook ? rook_attacks(square, occupied) : bishop_attacks(square, occupied)) ==
                        (is_rook ? slow_rook(square, occupied) : slow_bishop(square, occupied)));
                occupied = (occupied - mask) & mask;
            } while (occupied);
        }
    }
}

TEST_CASE("steps, lines and the squares between") {
    CHECK(popcount(knight_attacks(kA1)) == 2);
    CHECK(popcount(king_attacks(kA1)) == 3);
    CHECK(knight_attacks(kB1) == (bit(16) | bit(18) | bit(11)));
    CHECK(pawn_attacks(kWhite, Square(8)) == bit(17));
    CHECK(pawn_attacks(kBlack, Square(55)) == bit(46));
    for (int a = 0; a < 64; ++a)
        for (int b = 0; b < 64; ++b) {
            const Square from = Square(a), to = Square(b);
            const bool is_aligned = a != b && (queen_attacks(from, 0) & bit(b));
            CHECK((line_through(from, to) != 0) == is_aligned);
            CHECK(line_through(from, to) == line_through(to, from));
            const Bitboard inner = is_aligned ? queen_attacks(from, bit(b)) & queen_attacks(to, bit(a)) &
                                                    line_through(from, to) & ~bit(a) & ~bit(b)
                                              : 0;
            CHECK(between_to(from, to) == (inner | bit(b)));
        }
}
