// Batches from recorded games: every position once, the same on any number of threads and from any place, and nothing
// but what is left of damaged files. Run under the sanitizers, these are the loader's races and bad bytes.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "encodings/small_games.h"
#include "tests/chess_walks.h"
#include "train/game_stream.h"
#include "train/random_order.h"

using namespace philidor;
using namespace philidor::train;
using records::Record;

namespace {

records::Bytes random_games(int count, unsigned seed) {
    std::mt19937 random(seed);
    records::BlockBuilder builder{records::Format{}};
    records::Bytes file = records::encode_header(builder.format());
    for (int game = 0; game < count; ++game) {
        Record record;
        record.start = chess::kRichFens[random() % std::size(chess::kRichFens)];
        record.result = records::Result(1 + random() % 3);
        record.ratings[0] = 1000 + random() % 2000;
        chess::Board board;
        chess::State states[64];
        chess::parse_fen(record.start, board, states[0]);
        for (int ply = 1; ply < 64; ++ply) {
            chess::MoveList moves = chess::legal_moves(board);
            if (moves.empty()) break;
            chess::sort_canonical(moves);
            const int index = int(random() % unsigned(moves.size()));
            record.moves.push_back(std::uint16_t(index));
            record.visits.push_back({{std::uint16_t(index), 7}});
            board.make(moves[index], states[ply]);
        }
        builder.add(record);
        if (game % 7 == 6) file += builder.finish();
    }
    return file + builder.finish();
}

std::shared_ptr<GameIndex> index_of(std::string_view file, int threads = 1) {
    IndexOptions options;
    options.part = Part::kAll;
    options.rating_bands = {1500, 2000};
    const encodings::LeelaEncoder encoder(
        {encodings::LeelaInput::kCanonicalV2, encodings::HistoryFill::kFenOnly, encodings::LeelaPolicy::kFlat});
    auto index = std::make_shared<GameIndex>(
        options, std::make_unique<GameReplayerOf<ChessWalk<encodings::LeelaEncoder>>>(ChessWalk(encoder)));
    index->add(file, "chess", threads);
    return index;
}

StreamOptions options_for(const GameIndex& index) {
    StreamOptions options;
    options.batch = 50;
    options.passes = 3;
    options.shuffle = 170;
    options.drop_history = 0.2;
    options.epochs = 2;
    options.rates.assign(index.files(), std::vector<double>(4, 1.0));
    options.weights = options.rates;
    return options;
}

using Batches = std::vector<std::unique_ptr<GameBatch>>;

Batches take_all(const std::shared_ptr<GameIndex>& index, StreamPosition start, int threads) {
    Batches batches;
    GameStream stream(index, options_for(*index), start, threads);
    while (!stream.is_over())
        if (auto batch = stream.next(std::chrono::seconds(1))) batches.push_back(std::move(batch));
    return batches;
}

bool are_same(const Batches& first, std::size_t from, const Batches& second) {
    return first.size() - from == second.size() &&
           std::equal(first.begin() + std::ptrdiff_t(from), first.end(), second.begin(), [](auto& a, auto& b) {
               return a->planes == b->planes && a->scalars == b->scalars && a->legal_index == b->legal_index &&
                      a->target_index == b->target_index && a->game == b->game && a->ply == b->ply && a->wdl == b->wdl;
           });
}

}  // namespace

TEST_CASE("a random order has every number once") {
    for (const std::uint64_t count : {1, 2, 3, 5, 64, 65, 1000}) {
        std::set<std::uint64_t> seen;
        const RandomOrder order(count, 7), other(count, 8);
        bool is_other = false;
        for (std::uint64_t i = 0; i < count; ++i) {
            CHECK(order[i] < count);
            seen.insert(order[i]);
            is_other |= order[i] != other[i];
        }
        CHECK(seen.size() == count);
        CHECK((is_other || count < 4));
    }
}

TEST_CASE("threads change nothing, and a stream can begin anywhere") {
    const records::Bytes file = random_games(40, 1);
    const auto index = index_of(file);
    CHECK(index_of(file, 3)->fingerprint() == index->fingerprint());
    const Batches alone = take_all(index, {}, 1);
    std::uint64_t rows = 0;
    for (const auto& batch : alone) rows += batch->rows;
    CHECK(rows == 2 * index->positions());
    CHECK(are_same(alone, 0, take_all(index, {}, 4)));
    for (const std::size_t taken : {std::size_t(1), std::size_t(4), alone.size() / 2, alone.size() - 1})
        CHECK(are_same(alone, taken, take_all(index, alone[taken - 1]->next, 3)));
}

TEST_CASE("a stream may be left at any time") {
    const records::Bytes file = random_games(40, 2);
    const auto index = index_of(file);
    for (int taken = 0; taken < 4; ++taken) {
        StreamOptions options = options_for(*index);
        options.epochs = 0;
        GameStream stream(index, options, {}, 3);
        for (int i = 0; i < taken; ++i) CHECK(stream.next(std::chrono::seconds(60)) != nullptr);
    }
}

TEST_CASE("whatever is left of a damaged file can be streamed") {
    const records::Bytes whole = random_games(40, 3);
    std::mt19937 random(4);
    for (int round = 0; round < 60; ++round) {
        records::Bytes file = whole;
        for (unsigned hits = random() % 20; hits > 0; --hits)
            file[40 + random() % (file.size() - 40)] ^= char(random());
        file.resize(40 + random() % (file.size() - 40));
        const auto index = index_of(file);
        if (index->positions() == 0) continue;
        std::uint64_t rows = 0;
        for (const auto& batch : take_all(index, {}, 2)) rows += batch->rows;
        CHECK(rows == 2 * index->positions());
    }
}

TEST_CASE("a file that changes under the index is noticed") {
    records::Bytes file = random_games(8, 5);
    const auto index = index_of(file);
    std::fill(file.begin() + std::ptrdiff_t(file.size() / 2), file.end(), '\xFF');
    GameStream stream(index, options_for(*index), {}, 2);
    CHECK_THROWS_AS(
        {
            while (!stream.is_over()) stream.next(std::chrono::seconds(1));
        },
        records::RecordError);
}
