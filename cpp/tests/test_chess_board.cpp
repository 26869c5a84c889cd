// Making and unmaking moves: everything comes back, and everything kept incrementally stays right.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>

#include "games/chess/checks.h"
#include "games/chess/outcome.h"
#include "games/chess/position.h"
#include "tests/chess_walks.h"

using namespace philidor::chess;

namespace {

// All that can be asked of a board, to be compared before and after.
struct Snapshot {
    std::string fen;
    std::array<Piece, 64> pieces;
    std::array<Bitboard, 9> sets;
    const State* state;
    Key key, pawn_key, polyglot_key;
    Bitboard checkers, pinned;
    int ply;

    explicit Snapshot(const Board& board)
        : fen(to_fen(board, FenCastling::kShredder, FenEnPassant::kRaw)),
          state(&board.state()),
          key(board.key()),
          pawn_key(board.pawn_key()),
          polyglot_key(board.polyglot_key()),
          checkers(board.checkers()),
          pinned(board.pinned()),
          ply(board.ply()) {
        for (int i = 0; i < 64; ++i) pieces[std::size_t(i)] = board.piece_on(Square(i));
        for (int type = kPawn; type <= kKing; ++type) sets[std::size_t(type)] = board.pieces(PieceType(type));
        sets[0] = board.occupied(), sets[7] = board.pieces(kWhite), sets[8] = board.pieces(kBlack);
    }
    bool operator==(const Snapshot&) const = default;
};

// Applies the changes to the pieces as an evaluator would: all leave, then all arrive.
void apply(const DirtyPieces& dirty, std::array<Piece, 64>& pieces) {
    for (int i = 0; i < dirty.count; ++i)
        if (const auto& change = dirty.changes[i]; change.from != kNoSquare) {
            CHECK(pieces[change.from] == change.piece);
            pieces[change.from] = kNoPiece;
        }
    for (int i = 0; i < dirty.count; ++i)
        if (const auto& change = dirty.changes[i]; change.to != kNoSquare) {
            CHECK(pieces[change.to] == kNoPiece);
            pieces[change.to] = change.piece;
        }
}

}  // namespace

TEST_CASE("unmaking a move restores everything, and its dirty pieces are the difference") {
    for_each_random_position(3, 60, [](Board& board) {
        const Snapshot before(board);
        CAPTURE(before.fen);
        Checks checks(board);
        for (Move move : legal_moves(board)) {
            CAPTURE(move.raw());
            State next;
            const bool gives_check = board.gives_check(move);
            CHECK(checks.given_by(move) == gives_check);
            const Key probable_key = board.probable_key_after(move);
            const DirtyPieces dirty = board.make(move, next);
            REQUIRE(board.is_consistent());
            CHECK(board.in_check() == gives_check);
            if (move.kind() == kNormal && next.castling == next.previous->castling && next.en_passant == kNoSquare &&
                next.previous->en_passant == kNoSquare)
                CHECK(board.key() == probable_key);
            CHECK(dirty.count >= 1);
            CHECK(dirty.count <= 3);
            std::array<Piece, 64> pieces = before.pieces;
            apply(dirty, pieces);
            const Snapshot after(board);
            CHECK(pieces == after.pieces);
            board.unmake(move);
            REQUIRE(Snapshot(board) == before);
        }
    });
}

TEST_CASE("a null move changes the side to move and nothing on the board") {
    for_each_random_position(2, 40, [](Board& board) {
        if (board.in_check()) return;
        const Snapshot before(board);
        State next;
        board.make_null(next);
        REQUIRE(board.is_consistent());
        const Snapshot after(board);
        CHECK(after.pieces == before.pieces);
        CHECK(after.key != before.key);
        CHECK(board.en_passant_raw() == kNoSquare);
        CHECK(board.count_repetitions(9) == 0);
        for (Move move : legal_moves(board)) {
            State second;
            board.make(move, second);
            REQUIRE(board.is_consistent());
            board.unmake(move);
        }
        board.unmake_null();
        REQUIRE(Snapshot(board) == before);
    });
}

TEST_CASE("whole games are unmade back to their start") {
    for (std::string_view fen : kRichFens) {
        std::mt19937 random(7);
        State states[301];
        Move played[300];
        Board board;
        parse_fen(fen, board, states[0]);
        const Snapshot start(board);
        int plies = 0;
        for (; plies < 300; ++plies) {
            const MoveList moves = legal_moves(board);
            const bool passes = random() % 8 == 0 && !board.in_check();
            if (moves.empty()) break;
            played[plies] = passes ? kNoMove : moves[int(random() % unsigned(moves.size()))];
            passes ? board.make_null(states[plies + 1]) : void(board.make(played[plies], states[plies + 1]));
            REQUIRE(board.is_consistent());
        }
        while (plies-- > 0) played[plies] ? board.unmake(played[plies]) : board.unmake_null();
        REQUIRE(Snapshot(board) == start);
    }
}

TEST_CASE("a board that was changed behind its back is not consistent") {
    State state;
    Board board;
    parse_fen(kStartFen, board, state);
    REQUIRE(board.is_consistent());
    state.key ^= 1;
    CHECK_FALSE(board.is_consistent());
    state.key ^= 1;
    state.pinned = bit(kE1);
    CHECK_FALSE(board.is_consistent());
}

TEST_CASE("repetitions reach back to the last pawn move, capture or null move") {
    PositionPtr position = Position::start();
    const Square knights[4][2] = {
        {kG1, Square(21)}, {Square(62), Square(45)}, {Square(21), kG1}, {Square(45), Square(62)}};
    for (int round = 0; round < 3; ++round) {
        CHECK(position->board().count_repetitions(9) == round);
        CHECK(position->board().count_repetitions(1) == std::min(round, 1));
        CHECK((termination(position->board()) == Termination::kThreefoldRepetition) == (round == 2));
        for (const auto& [from, to] : knights) position = Position::play(position, Move(from, to));
    }
    position = Position::play(position, Move(Square(12), Square(28)));
    CHECK(position->board().count_repetitions(9) == 0);
}

TEST_CASE("a position's board can be taken for search and leaves the position alone") {
    const PositionPtr position = Position::from_fen(kKiwipete);
    const Snapshot before(position->board());
    State state;
    Board board = position->copy_board(state);
    CHECK(perft(board, 2) == 2039);
    CHECK(Snapshot(position->board()) == before);
}

TEST_CASE("a chain of a hundred thousand positions is freed without recursion") {
    PositionPtr position = Position::start();
    const Move moves[4] = {Move(kG1, Square(21)), Move(Square(62), Square(45)), Move(Square(21), kG1),
                           Move(Square(45), Square(62))};
    for (int i = 0; i < 100'000; ++i) position = Position::play(std::move(position), moves[i % 4]);
    CHECK(position->board().ply() == 100'000);
    position.reset();
}

TEST_CASE("mate and stalemate come before the draws that must be claimed") {
    const auto ends = [](std::string_view fen) { return termination(Position::from_fen(fen)->board()); };
    CHECK(ends("1Q5k/8/6K1/8/8/8/8/8 b - - 100 80") == Termination::kCheckmate);
    CHECK(ends("7k/5Q2/6K1/8/8/8/8/8 b - - 100 80") == Termination::kStalemate);
    CHECK(ends("7k/8/6K1/8/8/8/8/1Q6 b - - 100 80") == Termination::kFiftyMoves);
    CHECK(ends("7k/8/6K1/8/8/8/8/1Q6 b - - 99 80") == Termination::kNone);
    CHECK(ends("7k/8/6K1/8/8/8/8/1B6 b - - 100 80") == Termination::kInsufficientMaterial);
}
