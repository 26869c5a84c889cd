// Several threads, several searches, and orders that come in between: run under ThreadSanitizer too.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "players/classic.h"
#include "search/alphabeta/engine_of.h"
#include "search/alphabeta/table.h"
#include "tests/chess_walks.h"

using namespace philidor;
using namespace philidor::chess;
using namespace philidor::search;

namespace {

Limits endless() {
    Limits limits;
    limits.infinite = true;
    return limits;
}

Limits to_nodes(std::uint64_t nodes) {
    Limits limits;
    limits.nodes = nodes;
    return limits;
}

// Waits until the search has reached a depth, so that all threads are at work.
void wait_for_depth(AlphaBetaEngine& engine, int depth) {
    for (;;) {
        const std::optional<Event> event = engine.next_event(60'000);
        REQUIRE(event.has_value());
        REQUIRE_FALSE(std::holds_alternative<BestMove>(*event));
        if (const Info* info = std::get_if<Info>(&*event); info && info->depth >= depth) return;
    }
}

Move wait_for_move(AlphaBetaEngine& engine) {
    for (;;) {
        const std::optional<Event> event = engine.next_event(60'000);
        REQUIRE(event.has_value());
        if (const BestMove* best = std::get_if<BestMove>(&*event)) return best->move;
    }
}

// Judges at once, but the first time in one thread so slowly as if the machine had others to serve.
struct StalledEvaluator {
    static constexpr std::chrono::milliseconds kStall{1000};
    bool is_stalled = false;

    void reset(const Board&) {}
    void push(const Board&, const DirtyPieces&) {}
    void pop() {}
    int evaluate(const Board&) {
        if (std::exchange(is_stalled, false)) std::this_thread::sleep_for(kStall);
        return 0;
    }
};

}  // namespace

TEST_CASE("a thread that is kept waiting does not hold up the answer") {
    int prepared = 0;
    // The engine's own evaluator comes first, then the main thread's: the third one is the second thread's.
    EngineOf<StalledEvaluator> engine([&](StalledEvaluator& evaluator) { evaluator.is_stalled = ++prepared == 3; });
    engine.set_threads(2);
    const PositionPtr position = Position::from_fen(kKiwipete);
    const auto begin = std::chrono::steady_clock::now();
    engine.start(position, to_nodes(5000), 0);
    CHECK(position->board().is_legal(wait_for_move(engine)));
    CHECK(std::chrono::steady_clock::now() - begin < StalledEvaluator::kStall);
    // It ends before the next search begins, and joins in it.
    engine.start(position, to_nodes(5000), 0);
    CHECK(position->board().is_legal(wait_for_move(engine)));
    CHECK(prepared == 3);
}

TEST_CASE("threads share a table, are stopped and go on with the next position") {
    auto engine = players::make_classic_engine();
    engine->set_table_size(1);  // small, so that the threads meet in it
    for (int threads : {1, 4}) {
        engine->set_threads(threads);
        for (std::string_view fen : {kStartFen, kKiwipete, kRichFens[3]}) {
            const PositionPtr position = Position::from_fen(fen);
            engine->start(position, endless());
            wait_for_depth(*engine, 5);
            engine->stop();
            CHECK(position->board().is_legal(wait_for_move(*engine)));
            CHECK_FALSE(engine->is_searching());
            CHECK(engine->nodes() > 0);
        }
    }
}

TEST_CASE("every order may come in the middle of a search") {
    auto engine = players::make_classic_engine();
    const PositionPtr position = Position::from_fen(kKiwipete);
    Options two_lines;
    two_lines.multi_pv = 2;
    const std::function<void()> orders[] = {
        [&] { engine->new_game(); },
        [&] { engine->clear_table(); },
        [&] { engine->set_table_size(2); },
        [&] { engine->set_threads(2); },
        [&] { engine->set_options(two_lines); },
        [&] { engine->start(position, to_nodes(1)); },
    };
    engine->set_threads(3);
    for (const std::function<void()>& order : orders) {
        engine->start(position, endless());
        wait_for_depth(*engine, 4);
        order();
        // Nothing of the interrupted search is left.
        engine->start(position, to_nodes(2000));
        CHECK(position->board().is_legal(wait_for_move(*engine)));
        CHECK_FALSE(engine->next_event(0).has_value());
    }
}

TEST_CASE("while a search runs, its nodes can be read and positions evaluated") {
    auto engine = players::make_classic_engine();
    engine->set_threads(2);
    const PositionPtr position = Position::from_fen(kKiwipete);
    const int alone = engine->evaluate(position);
    engine->start(Position::start(), endless());
    std::uint64_t last = 0;
    for (int i = 0; i < 50; ++i) {
        CHECK(engine->evaluate(position) == alone);
        CHECK(engine->nodes() >= last);
        last = engine->nodes();
    }
    engine->stop();
    wait_for_move(*engine);
}

TEST_CASE("a ponder hit starts the clock of a search that runs") {
    auto engine = players::make_classic_engine();
    engine->set_threads(2);
    Limits limits;
    limits.ponder = true;
    limits.move_time = 50;
    engine->start(Position::start(), limits);
    wait_for_depth(*engine, 5);
    CHECK(engine->is_searching());
    engine->ponder_hit();
    CHECK(Position::start()->board().is_legal(wait_for_move(*engine)));
}

TEST_CASE("threads that write the same bucket read only what one of them wrote") {
    // Two keys that share a bucket, written with data that tells which key it belongs to.
    Table table;
    table.resize(1);
    const auto entry_of = [](Key key) {
        return TableEntry{
            Move(std::uint16_t(1 + key % 60000)), int(key % 1000), int(key % 777), int(key % 50), Bound::kExact, false};
    };
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            std::mt19937_64 random{std::uint64_t(t)};
            for (int i = 0; i < 20'000; ++i) {
                const Key key = 1 + random() % 16;  // all of them in the first bucket
                table.store(key, entry_of(key));
                TableEntry found;
                const Key other = 1 + random() % 16;
                if (!table.probe(other, found)) continue;
                const TableEntry expected = entry_of(other);
                wrong += found.move != expected.move || found.score != expected.score ||
                         found.evaluation != expected.evaluation || found.depth != expected.depth;
            }
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == 0);
}
