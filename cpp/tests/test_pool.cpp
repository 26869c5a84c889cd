// Pools under a made-up network, on several threads: every game ends once, the same whoever plays it, and every job of
// a team is done once. ThreadSanitizer watches.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <numeric>
#include <stdexcept>

#include "encodings/chess_encoders.h"
#include "encodings/small_games.h"
#include "selfplay/pool/pool_of.h"

using namespace philidor;
using selfplay::PoolLeaves;
using selfplay::PoolOf;
using selfplay::PoolRecord;
using selfplay::PoolSettings;
using selfplay::Team;

namespace {

PoolSettings self_play() {
    PoolSettings settings;
    settings.simulations = 32;
    settings.cheap_simulations = 8;
    settings.search.noise = 0.25;
    settings.search.forced_playouts = 2;
    settings.search.memory_mb = 8;
    settings.opening_plies = 2;
    settings.max_plies = 24;
    settings.temperature_plies = 6;
    return settings;
}

// Judges each row by its bits.
void answer(selfplay::Pool& pool, const PoolLeaves& leaves) {
    const std::size_t words = leaves.planes.size() / leaves.count;
    std::vector<float> logits, wdl, moves_left;
    for (std::size_t row = 0; row < leaves.count; ++row) {
        std::uint64_t key = 0;
        for (std::size_t i = 0; i < words; ++i)
            key = (key ^ leaves.planes[row * words + i]) * search::SplitMix64::kStep;
        search::SplitMix64 random(key);
        const std::int64_t moves = leaves.legal_offsets[row + 1] - leaves.legal_offsets[row];
        REQUIRE(moves > 0);
        for (std::int64_t i = 0; i < moves; ++i) logits.push_back(float(random.below(3000)) / 1000);
        const float draw = float(random.below(1000)) / 2000, win = (1 - draw) * float(random.below(1000)) / 1000;
        wdl.insert(wdl.end(), {win, draw, 1 - draw - win});
        moves_left.push_back(float(random.below(100)));
    }
    REQUIRE(logits.size() == leaves.legal_index.size());
    pool.apply(leaves.id, logits, wdl, moves_left);
}

std::vector<PoolRecord> play(selfplay::Pool& pool, int limit) {
    std::vector<PoolRecord> games;
    for (;;) {
        const auto leaves = pool.collect(limit);
        for (PoolRecord& game : pool.take_finished()) games.push_back(std::move(game));
        if (!leaves) break;
        answer(pool, *leaves);
    }
    std::sort(games.begin(), games.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
    return games;
}

template <typename G, typename E>
std::vector<PoolRecord> play(const PoolSettings& settings, const G& start, const E& encoder, int threads, int limit) {
    PoolOf<G, E> pool(settings, {start}, 1, encoder, 9, 12, threads);
    pool.set_numbers({}, 0);
    pool.set_end(20);
    std::vector<PoolRecord> games = play(pool, limit);
    CHECK(pool.live() == 0);
    return games;
}

template <typename G, typename E>
void check_threads(const PoolSettings& settings, const G& start, const E& encoder) {
    const std::vector<PoolRecord> alone = play(settings, start, encoder, 1, 1),
                                  shared = play(settings, start, encoder, 4, 7);
    REQUIRE(alone.size() == 20);
    REQUIRE(shared.size() == 20);
    for (std::size_t i = 0; i < alone.size(); ++i) {
        const PoolRecord &a = alone[i], &b = shared[i];
        CHECK(a.number == std::int64_t(i));
        CHECK(a.number == b.number);
        CHECK(!a.game.moves.empty());
        CHECK(a.game.visits.size() == a.game.moves.size());
        CHECK(a.game == b.game);
    }
}

}  // namespace

TEST_CASE("pool: the same games on one thread and on four") {
    check_threads(self_play(), games::TicTacToe(), encodings::BoardEncoder(1));
    check_threads(self_play(), games::Connect4(7, 6), encodings::BoardEncoder(2));
    check_threads(self_play(), games::Hexapawn::start(5, 12), encodings::HexapawnEncoder(5, 12));
    PoolSettings gumbel = self_play();
    gumbel.search.noise = gumbel.search.forced_playouts = 0;
    gumbel.search.is_gumbel = true;
    gumbel.keeps_tree = false;
    gumbel.max_plies = 10;
    check_threads(gumbel, chess::Line(chess::Position::start()), encodings::AlphaZeroEncoder());
    PoolSettings ending = self_play();
    ending.max_plies = 12;
    check_threads(ending, chess::Line(chess::Position::from_fen("8/8/8/3k4/8/4r3/4P3/4K3 w - - 95 90")),
                  encodings::LeelaEncoder({encodings::LeelaInput::kCanonicalV2}));
}

TEST_CASE("pool: boards of several words and positions with more than 256 moves") {
    PoolSettings settings = self_play();
    settings.simulations = 6;
    settings.cheap_simulations = 3;
    settings.max_plies = 4;
    const games::Gomoku start(19, 19);
    check_threads(settings, start, encodings::BoardEncoder(8, start.words()));
    PoolOf<games::Gomoku, encodings::BoardEncoder> pool(settings, {start}, 1, encodings::BoardEncoder(2, start.words()),
                                                        9, 3, 2);
    const auto leaves = pool.collect(3);
    REQUIRE(leaves);
    REQUIRE(leaves->planes.size() == leaves->count * 24);
    for (std::size_t row = 0; row < leaves->count; ++row) {
        const auto first = std::size_t(leaves->legal_offsets[row]), last = std::size_t(leaves->legal_offsets[row + 1]);
        CHECK(last - first > 357);
        CHECK(leaves->legal_index[last - 1] >= 358);
        // Own stones in words 0 to 5, nothing of the past, the other's from word 12.
        const std::uint64_t* words = leaves->planes.data() + 24 * row;
        int stones = 0;
        for (int word = 0; word < 24; ++word) {
            if (word % 12 < 6)
                stones += std::popcount(words[word]);
            else
                CHECK(words[word] == 0);
        }
        CHECK(stones == 361 - int(last - first));
    }
}

TEST_CASE("pool: games left behind, numbers taken, batches given up") {
    PoolOf<games::TicTacToe, encodings::BoardEncoder> pool(self_play(), {games::TicTacToe()}, 1,
                                                           encodings::BoardEncoder(1), 9, 2, 2);
    pool.set_numbers({3, 5}, 8);
    pool.set_end(10);
    PoolRecord past;
    past.game.moves = {0, 0, 0};
    past.random_state = 77;
    for (const std::int64_t number : {4, 6, 7}) {
        past.number = number;
        pool.resume(past);
    }
    CHECK(pool.live() == 3);
    CHECK(pool.unfinished().size() == 3);
    const auto leaves = pool.collect(100);
    REQUIRE(leaves);
    CHECK(leaves->count == 3);  // no room for new games
    CHECK(!pool.collect(100));
    CHECK_THROWS_AS(pool.cancel(leaves->id + 1), std::invalid_argument);
    pool.cancel(leaves->id);
    CHECK_THROWS_AS(pool.cancel(leaves->id), std::invalid_argument);
    std::vector<std::int64_t> numbers;
    for (const PoolRecord& game : play(pool, 100)) numbers.push_back(game.number);
    CHECK(numbers == std::vector<std::int64_t>{3, 4, 5, 6, 7, 8, 9});
    past.game.moves = {0, 8};
    CHECK_THROWS_AS(pool.resume(past), std::invalid_argument);
    // Numbers that are given one by one, and none after them.
    pool.set_numbers({12, 14}, -1);
    pool.set_end(-1);
    pool.add_numbers(std::vector<std::int64_t>{11});
    numbers.clear();
    for (const PoolRecord& game : play(pool, 100)) numbers.push_back(game.number);
    CHECK(numbers == std::vector<std::int64_t>{11, 12, 14});
}

TEST_CASE("pool: a team does every job once and hands on what is thrown") {
    Team team(4);
    for (const int count : {0, 1, 3, 50, 1000}) {
        std::vector<std::atomic<int>> done(static_cast<std::size_t>(count));
        team.run(count, [&](int i) { ++done[std::size_t(i)]; });
        CHECK(std::all_of(done.begin(), done.end(), [](const auto& times) { return times == 1; }));
    }
    CHECK_THROWS_AS(team.run(100, [](int i) { i == 40 ? throw std::runtime_error("forty") : void(); }),
                    std::runtime_error);
    std::atomic<int> sum{0};
    team.run(100, [&](int i) { sum += i; });
    CHECK(sum == 4950);
}
