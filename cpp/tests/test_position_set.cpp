// Training positions: strays, positions in files, and bytes that are no positions. Run under the sanitizers, these are
// the reads that a damaged file could lead astray.
#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <random>
#include <thread>

#include "encodings/chess_encoders.h"
#include "players/classic.h"
#include "tests/chess_walks.h"
#include "train/position_judge.h"
#include "train/position_set.h"

using namespace philidor;
using namespace philidor::train;
using records::Record;

namespace {

std::vector<Record> random_games(int count) {
    std::mt19937 random(5);
    std::vector<Record> games;
    for (int game = 0; game < count; ++game) {
        Record record;
        record.start = chess::kRichFens[random() % std::size(chess::kRichFens)];
        record.result = records::Result(1 + random() % 3);
        chess::Board board;
        chess::State states[40];
        chess::parse_fen(record.start, board, states[0]);
        for (int ply = 1; ply < 40; ++ply) {
            chess::MoveList moves = chess::legal_moves(board);
            if (moves.empty()) break;
            chess::sort_canonical(moves);
            record.moves.push_back(std::uint16_t(random() % unsigned(moves.size())));
            board.make(moves[record.moves.back()], states[ply]);
        }
        games.push_back(record);
    }
    return games;
}

PositionFilter everything(int strays) {
    PositionFilter filter;
    filter.skip_plies = 0;
    filter.only_quiet = filter.needs_scores = false;
    filter.strays = strays;
    return filter;
}

}  // namespace

TEST_CASE("positions: strays are quiet, and the same on any number of threads") {
    const std::vector<Record> games = random_games(20);
    PositionSet alone(everything(0)), one(everything(3)), three(everything(3));
    alone.add(games, 1);
    one.add(games, 1);
    three.add(games, 3);
    CHECK(one.size() > alone.size());
    REQUIRE(one.size() == three.size());
    chess::State state;
    for (std::size_t i = 0; i < one.size(); ++i) {
        CHECK(one[i].occupied == three[i].occupied);
        CHECK(is_valid(one[i]));
        CHECK(unpack(one[i], state).occupied() == one[i].occupied);
    }
}

TEST_CASE("positions: borrowed ones come first, and scores go to the others") {
    PositionSet source(everything(1));
    source.add(random_games(8), 1);
    const std::vector<PackedPosition> first = source.shuffled(1), second = source.shuffled(2);
    PositionSet set(everything(0));
    set.borrow(first, 2);
    set.borrow(second, 1);
    set.borrow({}, 1);
    CHECK(set.borrowed() == 2 * source.size());
    set.add(random_games(2), 1);
    REQUIRE(set.size() > set.borrowed());
    CHECK(&set[0] == &first.front());
    CHECK(&set[first.size() - 1] == &first.back());
    CHECK(&set[first.size()] == &second.front());
    CHECK(&set[2 * first.size() - 1] == &second.back());
    const std::vector<std::int16_t> scores(set.size() - set.borrowed(), 77);
    set.set_scores(set.borrowed(), scores);
    CHECK(set[set.borrowed()].score == 77);
    CHECK(set[set.size() - 1].score == 77);

    const encodings::LeelaEncoder encoder(encodings::LeelaFormat{});
    const std::size_t count = set.size() - 3;
    std::vector<std::uint64_t> planes(count * std::size_t(encoder.words()));
    std::vector<float> scalars(count * std::size_t(encoder.scalars()));
    set.encode(encoder, 3, count, planes.data(), scalars.data(), 3);
    for (std::size_t row = 0; row < count; ++row) {
        std::uint64_t occupied = 0;
        for (int plane = 0; plane < 12; ++plane)
            occupied |= planes[row * std::size_t(encoder.words()) + std::size_t(plane)];
        const PackedPosition& position = set[row + 3];
        CHECK(occupied == (position.to_move == 0 ? position.occupied : __builtin_bswap64(position.occupied)));
    }
}

TEST_CASE("positions: bytes that are none are refused or harmless") {
    PositionSet source(everything(0));
    source.add(random_games(4), 1);
    std::vector<PackedPosition> positions = source.shuffled(1);
    evaluators::nnue::Architecture architecture;
    std::mt19937 random(9);
    auto* const bytes = reinterpret_cast<std::uint8_t*>(positions.data());
    int refused = 0;
    for (int round = 0; round < 2000; ++round) {
        const std::size_t at = random() % (positions.size() * sizeof(PackedPosition));
        const std::uint8_t before = bytes[at];
        bytes[at] = std::uint8_t(random());
        PositionSet set(everything(0));
        try {
            set.borrow({&positions[at / sizeof(PackedPosition)], 1}, 1);
            chess::State state;
            CHECK(unpack(set[0], state).occupied() == set[0].occupied);
            std::uint64_t planes[encodings::kLeelaPackedPlanes];
            float scalars[encodings::kLeelaScalars];
            set.encode(encodings::LeelaEncoder(encodings::LeelaFormat{}), 0, 1, planes, scalars, 1);
            std::int32_t own[kMaxInputs], theirs[kMaxInputs];
            std::uint8_t bucket;
            float score, result;
            const std::uint32_t index = 0;
            BatchMaker(architecture).fill(set, {&index, 1}, {own, theirs, &bucket, &score, &result}, 1);
        } catch (const std::invalid_argument&) {
            ++refused;
        }
        bytes[at] = before;
    }
    CHECK(refused > 200);
}

TEST_CASE("positions: judges in threads of their own give the scores of one, and stop when they are told to") {
    const std::vector<Record> games = random_games(20);
    const auto first = players::make_classic_engine(), second = players::make_classic_engine();
    for (const auto& engine : {first.get(), second.get()}) engine->set_table_size(1);
    search::Limits limits;
    limits.depth = 2;
    PositionSet alone(everything(1)), together(everything(1)), endless(everything(1));
    for (PositionSet* set : {&alone, &together, &endless}) set->add(games, 1);
    REQUIRE(alone.size() > 600);  // several blocks
    CHECK(PositionJudge({first.get()}, limits, 1500).judge(alone));
    CHECK(PositionJudge({second.get(), first.get()}, limits, 1500).judge(together));
    int judged = 0;
    for (std::size_t i = 0; i < alone.size(); ++i) {
        CHECK(alone[i].score == together[i].score);
        CHECK(std::abs(int(alone[i].score)) <= 1500);
        judged += alone[i].score != 0;
    }
    CHECK(judged > 300);

    limits.depth = 60;  // no end in sight
    PositionJudge judge({first.get(), second.get()}, limits, 1500);
    std::atomic<bool> is_over{false};
    std::thread impatient([&] {
        while (!is_over.load()) {
            judge.stop();
            std::this_thread::yield();
        }
    });
    CHECK_FALSE(judge.judge(endless));
    is_over.store(true);
    impatient.join();
}
