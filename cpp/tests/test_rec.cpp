// The `.rec` codec: what is written comes back, and what is damaged is noticed.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "records/block.h"
#include "records/checksum.h"
#include "records/filter.h"

using namespace philidor::records;

namespace {

Record plain_game(int number) {
    Record record;
    record.moves = {std::uint16_t(number), 3, 255, 0};
    record.result = Result::kDraw;
    record.ratings[0] = 2100;
    record.ratings[1] = std::uint32_t(1500 + number);
    record.source = number % 2 ? "Open" : "League";
    return record;
}

Record full_game() {
    Record record = plain_game(7);
    record.start = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1";
    record.result = Result::kSecondWins;
    record.termination = "flag fell after a power cut";
    record.tags = "Date 2004\nWhite N.N.\n";
    record.final_score = 31995;
    record.scores = {25, -300, kNoScore, -31998};
    record.wdl = {{255, 0}, {100, 100}, {}, {0, 255}};
    record.flags = {1, 0, 2, 255};
    record.visits = {{{0, 1}, {200, 65535}}, {}, {{3, 800}}, {}};
    record.clocks_ms = {60000, 59990, kNoClock, 0};
    return record;
}

Bytes file_of(const std::vector<Record>& games, std::size_t per_block, Format format = {}) {
    BlockBuilder builder(format);
    Bytes file = encode_header(builder.format());
    for (const Record& game : games) {
        builder.add(game);
        if (builder.games() == per_block) file += builder.finish();
    }
    return file + builder.finish();
}

struct Found {
    std::vector<Record> games;
    std::size_t declared = 0, lost_bytes = 0;
    bool is_intact = true;
};

Found read_all(std::string_view file, std::size_t offset, const Format& format) {
    Found found;
    Record record;
    scan(
        file, offset,
        [&](const BlockView& block) {
            found.declared += block.declared;
            found.is_intact &= block.is_intact;
            for (const std::string_view game : block.games) {
                REQUIRE(decode_game(game, format, block.strings, record));
                found.games.push_back(record);
            }
            return true;
        },
        [&](std::size_t, std::size_t bytes) { found.lost_bytes += bytes; });
    return found;
}

}  // namespace

TEST_CASE("checksums are the well-known ones") {
    CHECK(crc32("123456789") == 0xCBF43926);
    CHECK(crc32("6789", crc32("12345")) == 0xCBF43926);
    CHECK(crc16("123456789") == 0x29B1);
}

TEST_CASE("varints keep every size and stop at the end") {
    for (const std::uint64_t value : {0ULL, 1ULL, 127ULL, 128ULL, 16383ULL, 16384ULL, 0xFFFFFFFFULL, 1ULL << 62}) {
        Bytes bytes;
        put_varint(bytes, value);
        ByteReader in(bytes);
        CHECK(in.varint() == value);
        CHECK(in.at_end());
        ByteReader cut(std::string_view(bytes).substr(0, bytes.size() - 1));
        cut.varint();
        CHECK_FALSE(cut.ok());
    }
    ByteReader endless(std::string_view("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01", 11));
    endless.varint();
    CHECK_FALSE(endless.ok());
}

TEST_CASE("every part of a game comes back") {
    Format format;
    format.starts = {"position one", full_game().start};
    for (const int width : {1, 2}) {
        format.move_width = width;
        Record wide = full_game();
        if (width == 2) wide.moves[1] = 40000;
        const std::vector<Record> games = {plain_game(1), wide, Record{}, plain_game(2)};
        const Bytes file = file_of(games, 3, format);
        const HeaderResult header = decode_header(file);
        REQUIRE(header.error.empty());
        CHECK(header.format.starts == format.starts);
        CHECK(header.format.move_width == width);
        const Found found = read_all(file, header.size, header.format);
        CHECK(found.games == games);
        CHECK(found.is_intact);
        CHECK(found.lost_bytes == 0);
    }
}

TEST_CASE("a scored move takes three bytes") {
    Record record;
    record.moves.assign(1000, 17);
    const auto size = [&] { return file_of({record}, 1).size(); };
    const std::size_t plain = size();
    record.scores.assign(1000, -123);
    CHECK(size() - plain <= 2001);
    CHECK(size() <= 3 * 1000 + 100);
}

TEST_CASE("records that do not fit are refused and leave no trace") {
    BlockBuilder builder(Format{});
    Record record = plain_game(1);
    record.moves[0] = 256;
    CHECK_THROWS_AS(builder.add(record), RecordError);
    record = plain_game(1);
    record.scores = {1};
    CHECK_THROWS_AS(builder.add(record), RecordError);
    CHECK(builder.games() == 0);
    CHECK(builder.finish().empty());
}

TEST_CASE("a file cut off anywhere keeps its first games") {
    const std::vector<Record> games = {plain_game(1), plain_game(2), full_game(), plain_game(4), plain_game(5)};
    const Bytes file = file_of(games, 2);
    const HeaderResult header = decode_header(file);
    std::size_t most = 0;
    for (std::size_t size = header.size; size <= file.size(); ++size) {
        const Found found = read_all(std::string_view(file).substr(0, size), header.size, header.format);
        REQUIRE(found.games.size() <= games.size());
        for (std::size_t i = 0; i < found.games.size(); ++i) REQUIRE(found.games[i] == games[i]);
        CHECK(found.games.size() >= most);
        most = found.games.size();
    }
    CHECK(most == games.size());
    CHECK_FALSE(decode_header(std::string_view(file).substr(0, header.size - 1)).error.empty());
}

TEST_CASE("any altered byte is noticed and costs no other block") {
    const std::vector<Record> games = {plain_game(1), plain_game(2), full_game(), plain_game(4), plain_game(5)};
    const Bytes file = file_of(games, 2);
    const HeaderResult header = decode_header(file);
    for (std::size_t at = 0; at < file.size(); ++at) {
        for (const int flip : {1, 0x80, 0xFF}) {
            Bytes altered = file;
            altered[at] = char(altered[at] ^ flip);
            if (at < header.size) {
                CHECK_FALSE(decode_header(altered).error.empty());
                continue;
            }
            const Found found = read_all(altered, header.size, header.format);
            CHECK((!found.is_intact || found.lost_bytes > 0));
            CHECK(found.games.size() >= 3);
            CHECK(found.games.size() < games.size());
            for (const Record& game : found.games) CHECK(std::find(games.begin(), games.end(), game) != games.end());
        }
    }
}

TEST_CASE("bytes that vanish or appear cost no other block") {
    const std::vector<Record> games = {plain_game(1), plain_game(2), full_game(), plain_game(4), plain_game(5)};
    const Bytes file = file_of(games, 1);
    const HeaderResult header = decode_header(file);
    for (std::size_t at = header.size; at < file.size(); ++at) {
        Bytes shorter = file, longer = file;
        shorter.erase(at, 3);
        longer.insert(at,
                      "\xA7"
                      "BLK?");
        CHECK(read_all(shorter, header.size, header.format).games.size() >= 3);
        CHECK(read_all(longer, header.size, header.format).games.size() >= 4);
    }
}

TEST_CASE("a hash set knows what it has seen") {
    HashSet set;
    std::uint64_t state = 1;
    std::vector<std::uint64_t> values = {0};
    for (int i = 0; i < 5000; ++i) values.push_back(state = state * 6364136223846793005ULL + 1442695040888963407ULL);
    for (const std::uint64_t value : values) CHECK(set.insert(value));
    for (const std::uint64_t value : values) CHECK_FALSE(set.insert(value));
    CHECK(set.size() == values.size());
}

TEST_CASE("filters drop what they should and say why") {
    FilterOptions options;
    options.min_rating = 1500;
    options.has_gap = true;
    options.max_gap = 595;
    options.min_plies = 4;
    options.results = 1 << unsigned(Result::kDraw);
    options.deduplicate = true;
    Filter filter(options);
    Record unrated = plain_game(9), won = plain_game(9), brief = plain_game(9);
    unrated.ratings[0] = 0;
    won.result = Result::kFirstWins;
    brief.moves.pop_back();
    CHECK(filter.keeps(plain_game(9)));
    CHECK_FALSE(filter.keeps(plain_game(9)));
    CHECK_FALSE(filter.keeps(plain_game(4)));
    CHECK_FALSE(filter.keeps(unrated));
    CHECK_FALSE(filter.keeps(won));
    CHECK_FALSE(filter.keeps(brief));
    for (const Dropped reason :
         {Dropped::kNot, Dropped::kDuplicate, Dropped::kGap, Dropped::kRating, Dropped::kResult, Dropped::kLength})
        CHECK(filter.counts()[std::size_t(reason)] == 1);
}

TEST_CASE("a game is found again by its block and number") {
    Format format;
    format.starts = {full_game().start};
    Record texted = plain_game(3);
    texted.start = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";  // a text of its block
    const Bytes file = file_of({plain_game(1), full_game(), texted, plain_game(2)}, 3, format);
    const Record wanted[] = {plain_game(1), full_game(), texted};
    GameView view;
    Record record;
    BlockView block;
    const std::size_t first = decode_header(file).size;
    REQUIRE(read_block(file, first, block));
    CHECK(block.numbers == std::vector<std::uint32_t>{0, 1, 2});
    for (std::uint32_t number = 0; number < 3; ++number) {
        REQUIRE(find_game(file, first, number, view));
        CHECK(view.bytes == block.games[number]);
        REQUIRE(decode_moves(view.bytes, format, view.move_width, view.strings, record));
        Record expected = wanted[number];
        expected.termination = expected.source = expected.tags = "";
        CHECK(record == expected);
        // Without its texts only a game that starts at one of them is lost.
        CHECK(decode_moves(view.bytes, format, view.move_width, "", record) == (number != 2));
    }
    CHECK_FALSE(find_game(file, first, 3, view));
    CHECK_FALSE(find_game(file, first + 1, 0, view));
    CHECK_FALSE(find_game(std::string_view(file).substr(0, first + 60), first, 2, view));
    CHECK(start_positions(file) == std::vector<std::string>{texted.start, full_game().start});
}

TEST_CASE("games of a damaged block keep their numbers") {
    Bytes file = file_of({plain_game(1), plain_game(2), plain_game(3)}, 3);
    BlockView block;
    const std::size_t first = decode_header(file).size;
    REQUIRE(read_block(file, first, block));
    file[std::size_t(block.games[1].data() - file.data())] ^= 1;
    REQUIRE(read_block(file, first, block));
    CHECK(block.numbers == std::vector<std::uint32_t>{0, 2});
}
