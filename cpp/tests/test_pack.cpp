// Packed games: the coder, the models, and that games come back as they were.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "games/chess/fen.h"
#include "records/chess_record.h"
#include "records/game_codec.h"
#include "records/packed_games.h"
#include "records/score_model.h"
#include "search/random.h"

using namespace philidor;
using namespace philidor::records;

namespace {

// Random moves from a position, with scores of every kind.
Record random_game(std::uint64_t seed, std::string start = "") {
    search::SplitMix64 random(seed);
    Record record;
    record.start = std::move(start);
    record.result = Result(random.below(4));
    record.termination = random.below(2) ? "adjudication" : "a power cut";
    record.source = random.below(3) ? "self-play" : "";
    chess::Board board;
    chess::State states[2];
    chess::parse_fen(record.start.empty() ? chess::kStartFen : std::string_view(record.start), board, states[1]);
    const int plies = random.below(120);
    int score = 0;
    for (int ply = 0; ply < plies; ++ply) {
        const int count = chess::legal_moves(board).size();
        if (count == 0) break;
        record.moves.push_back(std::uint16_t(random.below(count)));
        score = -score + random.below(61) - 30;
        const int kind = random.below(20);
        record.scores.push_back(std::int16_t(ply < 8 || kind == 0 ? int(kNoScore)
                                             : kind == 1          ? kMateScore - random.below(900)
                                             : kind == 2          ? random.below(900) - kMateScore
                                             : kind == 3          ? random.below(2 * kMaxCentipawns) - kMaxCentipawns
                                                                  : score));
        board.make(move_at(board, record.moves.back()), states[ply % 2]);
    }
    if (random.below(2)) record.final_score = std::int16_t(random.below(100));
    if (random.below(5) == 0) record.scores.clear();
    return record;
}

std::vector<Record> some_games() {
    std::vector<Record> games;
    for (std::uint64_t seed = 0; seed < 40; ++seed) games.push_back(random_game(seed));
    for (std::uint64_t seed = 40; seed < 60; ++seed)
        games.push_back(random_game(seed, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 10"));
    games.push_back(random_game(60, "7k/P7/8/8/8/8/p7/7K w - - 0 1"));
    games.push_back(random_game(61, "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1"));
    games.push_back(Record{});
    return games;
}

std::size_t plies_of(const std::vector<Record>& games) {
    std::size_t plies = 0;
    for (const Record& game : games) plies += game.moves.size();
    return plies;
}

}  // namespace

TEST_CASE("an arithmetic coder gives back its bits, at about their price") {
    search::SplitMix64 random(7);
    std::vector<bool> bits;
    for (int i = 0; i < 20000; ++i) bits.push_back(random.below(1000) < 20);
    Bytes out;
    ArithmeticCoder writer(out);
    for (const bool bit : bits) writer.code(bit, ArithmeticCoder::kOne / 50);
    writer.finish();
    CHECK(out.size() < 20000 * 0.1415 / 8 * 1.05);  // the entropy of 2 %
    ArithmeticCoder reader{std::string_view(out)};
    for (const bool bit : bits) REQUIRE(reader.code(false, ArithmeticCoder::kOne / 50) == bit);
    CHECK(reader.is_at_end());
    CHECK(!reader.is_exhausted());
}

TEST_CASE("numbers of all sizes come back") {
    const std::uint32_t numbers[] = {0, 1, 2, 3, 7, 8, 1000, 65535, 1u << 30, (1u << 31) - 2};
    Bytes out;
    ArithmeticCoder writer(out);
    BitModel model(writer);
    for (const std::uint32_t number : numbers) model.code_number(number, {1, 2}, 0);
    writer.finish();
    ArithmeticCoder reader{std::string_view(out)};
    BitModel twin(reader);
    for (const std::uint32_t number : numbers) CHECK(twin.code_number(0, {1, 2}, 0) == number);
}

TEST_CASE("games come back but for the rounding of scores") {
    std::vector<Record> games = some_games();
    const Bytes packed = pack_games(games);
    for (Record& game : games) {
        for (std::int16_t& score : game.scores) score = ScoreModel::rounded(score);
        game.final_score = ScoreModel::rounded(game.final_score);
    }
    CHECK(unpack_games(packed, games.size(), plies_of(games)) == games);
    // What is rounded already stays, byte for byte.
    CHECK(pack_games(games) == packed);
}

TEST_CASE("scores are rounded to the nearest step, away from zero; mates and missing ones stay") {
    for (const auto& [score, expected] : {std::pair{0, 0}, {1, 0}, {2, 4}, {-2, -4}, {-1, 0}, {5, 4}, {30000, 30000}})
        CHECK(ScoreModel::rounded(std::int16_t(score)) == expected);
    for (const int score : {31001, 31999, -31998, -32768}) CHECK(ScoreModel::rounded(std::int16_t(score)) == score);
}

TEST_CASE("what does not fit is refused") {
    const std::vector<Record> games = some_games();
    const Bytes packed = pack_games(games);
    const std::size_t plies = plies_of(games);
    CHECK_THROWS_AS(unpack_games(packed, games.size() + 1, plies), RecordError);
    CHECK_THROWS_AS(unpack_games(packed, games.size() - 1, plies), RecordError);
    CHECK_THROWS_AS(unpack_games(packed, games.size(), plies - 1), RecordError);
    CHECK_THROWS_AS(unpack_games(std::string_view(packed).substr(0, packed.size() / 2), games.size(), plies),
                    RecordError);
    CHECK_THROWS_AS(unpack_games(packed + "x", games.size(), plies), RecordError);
    Record wide, rated, foreign;
    foreign.moves = {200};
    CHECK_THROWS_AS(pack_games(std::vector{foreign}), RecordError);
    rated.ratings[0] = 1500;
    CHECK_THROWS_AS(pack_games(std::vector{rated}), RecordError);
    wide.scores = {1};
    CHECK_THROWS_AS(pack_games(std::vector{wide}), RecordError);
}

TEST_CASE("damaged bytes are refused or give other games, never a crash") {
    const std::vector<Record> games = some_games();
    Bytes packed = pack_games(games);
    for (std::size_t at = 0; at < packed.size(); at += 7) {
        packed[at] = char(packed[at] ^ 0x55);
        try {
            unpack_games(packed, games.size(), plies_of(games));
        } catch (const RecordError&) {
        }
        packed[at] = char(packed[at] ^ 0x55);
    }
}
