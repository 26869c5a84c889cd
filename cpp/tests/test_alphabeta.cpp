// The native alpha-beta search against plain minimax, known mates, and its own promises.
#include <doctest/doctest.h>

#include <chrono>
#include <set>
#include <string>

#include "evaluators/book.h"
#include "games/chess/notation.h"
#include "players/classic.h"
#include "search/alphabeta/picker.h"
#include "search/alphabeta/table.h"
#include "search/alphabeta/voting.h"
#include "tests/chess_walks.h"

using namespace philidor;
using namespace philidor::chess;
using namespace philidor::search;

namespace {

struct Answer {
    Info info;  // of the first line
    BestMove best;
    std::vector<Info> last;  // by line
};

Answer think(AlphaBetaEngine& engine, PositionPtr position, const Limits& limits) {
    Answer answer;
    engine.start(std::move(position), limits);
    for (;;) {
        const std::optional<Event> event = engine.next_event(20'000);
        REQUIRE(event.has_value());
        if (const BestMove* best = std::get_if<BestMove>(&*event)) {
            answer.best = *best;
            return answer;
        }
        if (std::holds_alternative<Progress>(*event)) continue;
        const Info& info = std::get<Info>(*event);
        if (info.multi_pv == 1) answer.info = info;
        answer.last.resize(std::max(answer.last.size(), std::size_t(info.multi_pv)));
        answer.last[std::size_t(info.multi_pv - 1)] = info;
    }
}

Limits to_depth(int depth) {
    Limits limits;
    limits.depth = depth;
    return limits;
}

// Every move, no window: what alpha-beta must agree with.
int minimax(Board& board, int depth, int ply) {
    const MoveList moves = legal_moves(board);
    if (moves.empty()) return board.in_check() ? mated_in(ply) : kDraw;
    if (ply > 0 && (board.is_insufficient_material() || board.halfmove_clock() >= 100)) return kDraw;
    if (depth == 0) return evaluators::BookEvaluator().evaluate(board);
    int best = -kInfinite;
    for (Move move : moves) {
        State next;
        board.make(move, next);
        best = std::max(best, -minimax(board, depth - 1, ply + 1));
        board.unmake(move);
    }
    return best;
}

}  // namespace

TEST_CASE("with every feature off the value is minimax's") {
    auto engine = players::make_book_engine();
    Options options;
    options.features = Features::none();
    for (std::string_view fen : {kStartFen, kKiwipete, kRichFens[2], kRichFens[4], kRichFens[5], kRichFens[9]})
        for (int depth = 1; depth <= 3; ++depth) {
            CAPTURE(fen);
            CAPTURE(depth);
            State state;
            Board board;
            parse_fen(fen, board, state);
            engine->set_options(options);
            CHECK(think(*engine, Position::from_fen(fen), to_depth(depth)).info.score == minimax(board, depth, 0));
        }
}

TEST_CASE("sound features keep minimax's value") {
    auto engine = players::make_book_engine();
    for (const FeatureInfo& feature : kFeatures) {
        if (!feature.is_sound) continue;
        Options options;
        options.features = Features::none();
        options.features.*(feature.flag) = true;
        engine->set_options(options);
        for (std::string_view fen : {kKiwipete, kRichFens[4]}) {
            CAPTURE(feature.name);
            State state;
            Board board;
            parse_fen(fen, board, state);
            CHECK(think(*engine, Position::from_fen(fen), to_depth(3)).info.score == minimax(board, 3, 0));
        }
    }
}

TEST_CASE("mates are found and counted") {
    auto engine = players::make_classic_engine();
    const struct {
        const char* fen;
        int plies;
    } mates[] = {{"r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 1},
                 {"6k1/5ppp/8/8/8/8/8/K2RR3 w - - 0 1", 1},
                 {"kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 3},
                 {"6k1/2p3p1/1p1p1nN1/1B1P4/4PK2/8/2r3b1/7R w - - 0 1", 7}};
    for (const auto& mate : mates) {
        CAPTURE(mate.fen);
        engine->new_game();
        CHECK(think(*engine, Position::from_fen(mate.fen), to_depth(18)).info.score == mate_in(mate.plies));
    }
}

TEST_CASE("the hundredth half move draws, unless it mates") {
    auto engine = players::make_book_engine();
    Options options;
    options.features = Features::none();
    engine->set_options(options);
    const auto score = [&](int halfmoves, int depth) {
        const std::string fen = "7k/8/6K1/8/8/8/8/R7 b - - " + std::to_string(halfmoves) + " 90";
        return think(*engine, Position::from_fen(fen), to_depth(depth)).info.score;
    };
    CHECK(score(98, 1) < -400);
    CHECK(score(99, 1) == kDraw);
    CHECK(score(99, 3) == kDraw);
    CHECK(score(98, 3) == mated_in(2));
}

TEST_CASE("the picker hands out every legal move once") {
    auto histories = std::make_unique<Histories>();
    histories->clear();
    const Features features;
    std::mt19937 random(7);
    for_each_random_position(2, 80, [&](const Board& board) {
        const MoveList moves = legal_moves(board);
        if (moves.empty()) return;
        QuietContext context;
        context.killers[0] = Move(std::uint16_t(random()));  // moves from elsewhere, mostly not legal here
        context.killers[1] = moves[int(random() % unsigned(moves.size()))];
        context.counter = context.killers[1];
        for (auto& value : histories->quiet[board.to_move()][random() % 4])
            value = std::int16_t(random() % 2000) - 1000;
        const Threats threats = threats_to(board, board.to_move());
        context.threats = &threats;
        MovePicker picker(board, *histories, features, random() % 2 ? moves[0] : Move(std::uint16_t(random())),
                          context);
        std::multiset<Move> seen;
        while (const Move move = picker.next()) {
            seen.insert(move);
            if (picker.is_sound()) CHECK(see_at_least(board, move, 0));
        }
        CHECK(seen == std::multiset<Move>(moves.begin(), moves.end()));
    });
}

TEST_CASE("threats are the squares that the other side attacks") {
    for_each_random_position(2, 60, [&](const Board& board) {
        const Color us = board.to_move();
        const Threats threats = threats_to(board, us);
        for (int i = 0; i < 64; ++i) {
            const Bitboard attackers = board.attackers_to(Square(i), board.occupied()) & board.pieces(~us);
            const auto by = [&](PieceType type) { return (attackers & board.pieces(type)) != 0; };
            CAPTURE(i);
            CHECK(bool(threats.all >> i & 1) == (attackers != 0));
            CHECK(bool(threats.of_lesser(kBishop) >> i & 1) == by(kPawn));
            CHECK(bool(threats.of_lesser(kRook) >> i & 1) == (by(kPawn) || by(kKnight) || by(kBishop)));
            CHECK(bool(threats.of_lesser(kQueen) >> i & 1) == (by(kPawn) || by(kKnight) || by(kBishop) || by(kRook)));
        }
    });
}

TEST_CASE("safe moves lose nothing by exchange") {
    int found = 0;
    const auto check = [&](const Board& board) {
        const Threats threats = threats_to(board, board.to_move());
        for (const Move move : legal_moves(board)) {
            if (!threats.is_safe(move)) continue;
            ++found;
            CAPTURE(move.raw());
            CHECK(see(board, move) >= 0);
        }
    };
    for_each_random_position(20, 80, check);
    CHECK(found > 1000);
    check(Position::from_fen("6k1/8/8/3Pp3/8/7K/8/4r3 w - e6 0 1")->board());   // en passant, and the rook takes back
    check(Position::from_fen("3r2k1/8/8/8/8/3R4/3r4/6K1 w - - 0 1")->board());  // sliders behind the moving piece
}

TEST_CASE("threads vote, by depth and hope") {
    const Move a(kE1, kG1, kNormal), b(kE1, kC1, kNormal), c(kE1, Square(12), kNormal);
    const auto winner = [](std::vector<Opinion> opinions) { return elect(opinions); };
    CHECK(winner({{a, 10, 9}}) == 0);
    CHECK(winner({{a, 10, 9}, {b, 10, 9}}) == 0);               // the main thread wins ties
    CHECK(winner({{a, 10, 9}, {b, 10, 10}}) == 1);              // the deeper one is louder
    CHECK(winner({{a, 10, 9}, {b, 30, 9}}) == 1);               // and the more hopeful one
    CHECK(winner({{a, 20, 10}, {b, 10, 9}, {b, 12, 9}}) == 2);  // 240 against 126 + 144
    CHECK(winner({{a, 20, 10}, {b, 10, 6}, {b, 12, 6}}) == 0);
    CHECK(winner({{a, 10, 9}, {a, -5, 11}, {c, 0, 9}}) == 1);  // of the same move the deepest
    CHECK(winner({{a, 500, 20}, {a, 500, 20}, {b, mate_in(9), 8}, {c, mate_in(5), 8}}) == 3);
    CHECK(winner({{a, mate_in(5), 8}, {b, 900, 30}, {b, 900, 30}}) == 0);
    CHECK(winner({{a, mated_in(4), 12}, {b, mated_in(8), 9}}) == 1);  // later is better
}

TEST_CASE("the table gives back what was stored, and nothing else") {
    Table table;
    table.resize(1);
    const TableEntry entry{Move(kE1, kG1, kNormal), -31990, 17, 9, Bound::kLower, true};
    TableEntry found;
    CHECK_FALSE(table.probe(12345, found));
    table.store(12345, entry);
    REQUIRE(table.probe(12345, found));
    CHECK(found.move == entry.move);
    CHECK(found.score == entry.score);
    CHECK(found.evaluation == entry.evaluation);
    CHECK(found.depth == entry.depth);
    CHECK(found.bound == entry.bound);
    CHECK(found.is_pv);
    CHECK_FALSE(table.probe(12346, found));
    table.clear();
    CHECK_FALSE(table.probe(12345, found));
}

TEST_CASE("limits are kept") {
    auto engine = players::make_classic_engine();
    Limits nodes;
    nodes.nodes = 5000;
    think(*engine, Position::start(), nodes);
    CHECK(engine->nodes() == 5000);
    Limits only;
    only.depth = 6;
    only.search_moves = {Move(Square(8), Square(16))};  // a2a3
    CHECK(think(*engine, Position::start(), only).best.move == only.search_moves[0]);
    CHECK(think(*engine, Position::from_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), to_depth(5)).best.move == kNoMove);
}

TEST_CASE("several lines are distinct and in order") {
    auto engine = players::make_classic_engine();
    Options options;
    options.multi_pv = 4;
    engine->set_options(options);
    const Answer answer = think(*engine, Position::from_fen(kKiwipete), to_depth(7));
    REQUIRE(answer.last.size() == 4);
    std::set<Move> first;
    for (std::size_t i = 0; i < 4; ++i) {
        first.insert(answer.last[i].line.front());
        if (i) CHECK(answer.last[i].score <= answer.last[i - 1].score);
    }
    CHECK(first.size() == 4);
}

TEST_CASE("every line is a line of legal moves") {
    auto engine = players::make_classic_engine();
    for (std::string_view fen : kRichFens) {
        PositionPtr position = Position::from_fen(fen);
        for (Move move : think(*engine, position, to_depth(8)).info.line) {
            REQUIRE(position->board().is_legal(move));
            position = Position::play(position, move);
        }
    }
}

TEST_CASE("a search says where it is, and at the end how it ended") {
    auto engine = players::make_classic_engine();
    Options options;
    options.silence = 0;
    engine->set_options(options);
    Limits limits;
    limits.nodes = 20'000;
    engine->start(Position::start(), limits);
    std::optional<Info> last;
    std::uint64_t nodes = 0;
    int progresses = 0;
    for (;;) {
        const std::optional<Event> event = engine->next_event(20'000);
        REQUIRE(event.has_value());
        if (std::holds_alternative<BestMove>(*event)) {
            REQUIRE(last.has_value());
            CHECK(last->line.front() == std::get<BestMove>(*event).move);
            break;
        }
        last.reset();  // what stays is what came just before the move
        if (const Info* info = std::get_if<Info>(&*event)) {
            last = *info;
            nodes = info->nodes;
            continue;
        }
        const Progress& progress = std::get<Progress>(*event);
        ++progresses;
        CHECK(progress.nodes > nodes);
        CHECK(Position::start()->board().is_legal(progress.move));
        CHECK((progress.move_number >= 1 && progress.move_number <= 20));
    }
    CHECK(progresses > 20);
    CHECK(nodes == 20'000);
    CHECK(engine->nodes() == 20'000);
}

TEST_CASE("stop is answered at once, with any number of threads") {
    auto engine = players::make_classic_engine();
    for (int threads : {1, 3}) {
        engine->set_threads(threads);
        Limits limits;
        limits.infinite = true;
        engine->start(Position::start(), limits);
        for (int depth = 0; depth < 4;)
            if (const Event event = engine->next_event(5000).value(); std::holds_alternative<Info>(event))
                depth = std::get<Info>(event).depth;
        const auto before = std::chrono::steady_clock::now();
        engine->stop();
        for (;;) {
            const std::optional<Event> event = engine->next_event(5000);
            REQUIRE(event.has_value());
            if (std::holds_alternative<BestMove>(*event)) break;
        }
        const auto taken = std::chrono::steady_clock::now() - before;
        CHECK(taken < std::chrono::milliseconds(500));  // a loaded machine and sanitizers included
    }
}
