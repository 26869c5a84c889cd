// NNUE: all kernels give the same integers, and sums kept from move to move are the sums computed afresh.
#include <doctest/doctest.h>

#include "evaluators/nnue/evaluator.h"
#include "games/chess/position.h"
#include "players/nnue.h"
#include "tests/chess_walks.h"
#include "tests/nnue_networks.h"

using namespace philidor;
using namespace philidor::chess;
using namespace philidor::evaluators;

namespace {

using NetworkPtr = std::shared_ptr<const nnue::Network>;

std::int32_t fresh_raw(const NetworkPtr& network, const Board& board) {
    NnueEvaluator evaluator;
    evaluator.set_network(network);
    evaluator.reset(board);
    return evaluator.raw(board);
}

// Random moves, null moves and retreats; the network is asked only now and then, so that several plies are open.
void walk(const NetworkPtr& network, std::string_view fen, int steps, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::unique_ptr<State>> states;
    std::vector<Move> moves;  // kNoMove: a null move
    Board board;
    states.push_back(std::make_unique<State>());
    parse_fen(fen, board, *states[0]);
    NnueEvaluator evaluator, afresh;
    evaluator.set_network(network), afresh.set_network(network);
    evaluator.reset(board);
    for (int step = 0; step < steps; ++step) {
        const MoveList legal = legal_moves(board);
        const unsigned dice = random() % 16;
        if (!moves.empty() && (legal.empty() || dice < 3)) {
            for (unsigned back = 1 + random() % 4; back > 0 && !moves.empty(); --back) {
                evaluator.pop();
                moves.back() ? board.unmake(moves.back()) : board.unmake_null();
                moves.pop_back(), states.pop_back();
            }
        } else if (!legal.empty()) {
            states.push_back(std::make_unique<State>());
            const bool is_null = dice == 3 && !board.in_check();
            moves.push_back(is_null ? kNoMove : legal[int(random() % unsigned(legal.size()))]);
            DirtyPieces dirty;
            if (is_null)
                board.make_null(*states.back());
            else
                dirty = board.make(moves.back(), *states.back());
            evaluator.push(board, dirty);
        }
        if (random() % 3) continue;
        afresh.reset(board);
        REQUIRE_MESSAGE(evaluator.raw(board) == afresh.raw(board), to_fen(board, FenCastling::kShredder), " seed ",
                        seed);
    }
}

}  // namespace

TEST_CASE("all kernels that this CPU runs give the plain ones' integers") {
    for (const nnue::Architecture& architecture : nnue::test_architectures())
        for (bool is_extreme : {false, true}) {
            const nnue::MadeUp made = nnue::made_up(architecture, is_extreme);
            const NetworkPtr plain = made.network(nnue::choose_kernels("plain"));
            std::vector<NetworkPtr> others;
            for (const nnue::Kernels* kernels : nnue::runnable_kernels()) others.push_back(made.network(*kernels));
            for_each_random_position(1, 40, [&](const Board& board) {
                const std::int32_t wanted = fresh_raw(plain, board);
                for (const NetworkPtr& network : others)
                    REQUIRE_MESSAGE(fresh_raw(network, board) == wanted, network->kernels().name, " ",
                                    to_fen(board, FenCastling::kShredder));
            });
        }
}

TEST_CASE("sums kept from move to move equal those computed afresh") {
    for (const nnue::Architecture& architecture : nnue::test_architectures()) {
        const NetworkPtr network = nnue::made_up(architecture, true).network(nnue::choose_kernels(""));
        unsigned seed = 1;
        for (std::string_view fen : kRichFens) walk(network, fen, 700, seed++);
    }
}

TEST_CASE("refreshed sums are right however many pieces came or went since") {
    const NetworkPtr network = nnue::made_up(nnue::test_architectures()[0], true).network(nnue::choose_kernels(""));
    for (int more = 0; more <= 12; ++more)
        for (int fewer = 0; fewer <= 12; ++fewer) {
            NnueEvaluator evaluator;
            evaluator.set_network(network);
            State state;
            Board board;
            parse_fen(kStartFen, board, state);
            for (int i = 0; i < more; ++i) board.remove(Square(8 + i / 8 * 40 + i % 8));
            evaluator.reset(board);
            evaluator.raw(board);
            parse_fen(kStartFen, board, state);
            for (int i = 0; i < fewer; ++i) board.remove(Square(55 - i / 8 * 40 - i % 8));
            evaluator.reset(board);
            REQUIRE_MESSAGE(evaluator.raw(board) == fresh_raw(network, board), more, " more, ", fewer, " fewer");
        }
}

TEST_CASE("ten thousand moves of random games keep the sums right at every ply") {
    const NetworkPtr network = nnue::made_up(nnue::test_architectures()[0], true).network(nnue::choose_kernels(""));
    State states[2];
    Board board;
    parse_fen(kStartFen, board, states[0]);
    NnueEvaluator evaluator;
    evaluator.set_network(network);
    evaluator.reset(board);
    std::vector<std::unique_ptr<State>> chain;
    std::mt19937 random(5);
    int made = 0;
    while (made < 10000) {
        const MoveList legal = legal_moves(board);
        if (legal.empty() || popcount(board.occupied()) < 6) {
            parse_fen(kStartFen, board, states[0]);
            evaluator.reset(board);
            continue;
        }
        chain.push_back(std::make_unique<State>());
        const DirtyPieces dirty = board.make(legal[int(random() % unsigned(legal.size()))], *chain.back());
        evaluator.push(board, dirty);
        ++made;
        REQUIRE_MESSAGE(evaluator.raw(board) == fresh_raw(network, board), to_fen(board));
    }
}

TEST_CASE("a flipped view judges both colors alike") {
    const NetworkPtr network = nnue::made_up(nnue::test_architectures()[2], false).network(nnue::choose_kernels(""));
    State a, b;
    Board white, black;
    parse_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w - - 0 1", white, a);
    parse_fen("r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b - - 0 1", black, b);
    CHECK(fresh_raw(network, white) == fresh_raw(network, black));
}

TEST_CASE("centipawns round toward zero") {
    nnue::Architecture architecture = nnue::test_architectures()[0];
    CHECK(architecture.centipawns(3328) == 125);
    CHECK(architecture.centipawns(-53) == -1);
    CHECK(architecture.centipawns(-26) == 0);
    CHECK(architecture.centipawns(2147483647) == 80659692);
}

TEST_CASE("impossible shapes are refused") {
    const auto refuses = [](auto change) {
        nnue::Architecture architecture = nnue::test_architectures()[0];
        change(architecture);
        CHECK_THROWS_AS(architecture.check(), std::invalid_argument);
    };
    refuses([](auto& a) { a.width = 100; });
    refuses([](auto& a) { a.width = 8192; });
    refuses([](auto& a) { a.hidden = {0}; });
    refuses([](auto& a) { a.hidden = {8, 8, 8, 8, 8}; });
    refuses([](auto& a) { a.activation = nnue::Activation::kSquared; });
    refuses([](auto& a) { a.activation = nnue::Activation::kPairwise, a.width = 64; });
    refuses([](auto& a) { a.output_buckets = 33; });
    refuses([](auto& a) { a.features.buckets[3] = 64; });
    refuses([](auto& a) { a.features.black_mask = 7; });
    refuses([](auto& a) { a.scale_denominator = 0; });
    CHECK_THROWS_AS(nnue::choose_kernels("abacus"), std::invalid_argument);
}

TEST_CASE("the engine searches with a network, in several threads") {
    const auto engine = players::make_nnue_engine(
        nnue::made_up(nnue::test_architectures()[4], false).network(nnue::choose_kernels("")));
    engine->set_threads(2);
    search::Limits limits;
    limits.depth = 6;
    engine->start(Position::start(), limits);
    std::optional<search::Event> last;
    while (!last || !std::holds_alternative<search::BestMove>(*last))
        if (std::optional<search::Event> event = engine->next_event(1000)) last = std::move(event);
    CHECK(std::get<search::BestMove>(*last).move);
}
