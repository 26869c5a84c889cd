#include "records/game_codec.h"

#include <algorithm>

namespace philidor::records {
namespace {

// Bits of the first number of a game: which parts follow.
constexpr unsigned kHasStart = 1, kHasRatings = 2, kHasSource = 4, kHasTags = 8, kHasScores = 16, kHasWdl = 32,
                   kHasFlags = 64, kHasVisits = 128, kHasClocks = 256, kHasFinalScore = 512, kAllParts = 1023;

// Numbers 0-15 are fixed forever; new names go to the end.
constexpr std::string_view kTerminations[] = {"",
                                              "normal",
                                              "checkmate",
                                              "stalemate",
                                              "insufficient material",
                                              "fifty moves",
                                              "threefold repetition",
                                              "resignation",
                                              "agreement",
                                              "time forfeit",
                                              "adjudication",
                                              "rules infraction",
                                              "abandoned",
                                              "unterminated",
                                              "max plies",
                                              "illegal move"};
// The termination's text follows as a string reference.
constexpr unsigned kOtherTermination = 63;

unsigned termination_number(std::string_view name) {
    const auto found = std::find(std::begin(kTerminations), std::end(kTerminations), name);
    return found == std::end(kTerminations) ? kOtherTermination : unsigned(found - std::begin(kTerminations));
}

void put_index(Bytes& out, unsigned index, int width) {
    if (width == 1) {
        if (index > 0xFF) throw RecordError("move index " + std::to_string(index) + " does not fit in one byte");
        put_u8(out, index);
    } else {
        put_u16(out, index);
    }
}

unsigned read_index(ByteReader& in, int width) { return width == 1 ? in.u8() : in.u16(); }

// Most of a file is this: moves of one byte are written in one stretch.
void encode_moves(const std::vector<std::uint16_t>& moves, int width, Bytes& out) {
    if (width != 1 || std::ranges::any_of(moves, [](std::uint16_t move) { return move > 0xFF; })) {
        for (const std::uint16_t move : moves) put_index(out, move, width);
        return;
    }
    const std::size_t begin = out.size();
    out.resize(begin + moves.size());
    std::ranges::transform(moves, out.begin() + std::ptrdiff_t(begin), [](std::uint16_t move) { return char(move); });
}

void check_length(std::size_t entries, std::size_t plies, const char* name) {
    if (entries != 0 && entries != plies)
        throw RecordError(std::string("column ") + name + " has " + std::to_string(entries) + " entries for " +
                          std::to_string(plies) + " moves");
}

unsigned parts_of(const Record& record) {
    const std::size_t plies = record.moves.size();
    check_length(record.scores.size(), plies, "scores");
    check_length(record.wdl.size(), plies, "wdl");
    check_length(record.flags.size(), plies, "flags");
    check_length(record.visits.size(), plies, "visits");
    check_length(record.clocks_ms.size(), plies, "clocks");
    return (record.start.empty() ? 0 : kHasStart) | (record.ratings[0] || record.ratings[1] ? kHasRatings : 0) |
           (record.source.empty() ? 0 : kHasSource) | (record.tags.empty() ? 0 : kHasTags) |
           (record.scores.empty() ? 0 : kHasScores) | (record.wdl.empty() ? 0 : kHasWdl) |
           (record.flags.empty() ? 0 : kHasFlags) | (record.visits.empty() ? 0 : kHasVisits) |
           (record.clocks_ms.empty() ? 0 : kHasClocks) | (record.final_score == kNoScore ? 0 : kHasFinalScore);
}

// The coarsest power of ten, in milliseconds, that measures all clocks exactly: human clocks need seconds,
// engines' milliseconds.
unsigned clock_exponent(const std::vector<std::int64_t>& clocks_ms) {
    unsigned exponent = 3;
    std::int64_t unit = 1000;
    for (const std::int64_t clock : clocks_ms)
        while (clock > 0 && clock % unit != 0) {
            --exponent;
            unit /= 10;
        }
    return exponent;
}

constexpr std::int64_t kPowersOfTen[] = {1, 10, 100, 1000};

void encode_visits(const Record& record, int width, Bytes& out) {
    for (const std::vector<Visit>& ply : record.visits) {
        put_varint(out, ply.size());
        for (const Visit visit : ply) {
            put_index(out, visit.index, width);
            put_u16(out, visit.count);
        }
    }
}

void encode_clocks(const Record& record, Bytes& out) {
    const unsigned exponent = clock_exponent(record.clocks_ms);
    put_u8(out, exponent);
    // 0 is an unknown clock.
    for (const std::int64_t clock : record.clocks_ms)
        put_varint(out, clock < 0 ? 0 : std::uint64_t(clock / kPowersOfTen[exponent]) + 1);
}

void encode_columns(const Record& record, int width, Bytes& out) {
    for (const std::int16_t score : record.scores) put_u16(out, std::uint16_t(score));
    for (const Wdl wdl : record.wdl) {
        put_u8(out, wdl.win);
        put_u8(out, wdl.loss);
    }
    for (const std::uint8_t flags : record.flags) put_u8(out, flags);
    encode_visits(record, width, out);
    if (!record.clocks_ms.empty()) encode_clocks(record, out);
}

void decode_visits(ByteReader& in, std::size_t plies, int width, Record& record) {
    record.visits.resize(plies);
    for (std::vector<Visit>& ply : record.visits) {
        const std::uint64_t count = in.varint();
        if (count > in.remaining()) return in.fail();
        ply.resize(std::size_t(count));
        for (Visit& visit : ply) {
            visit.index = std::uint16_t(read_index(in, width));
            visit.count = std::uint16_t(in.u16());
        }
    }
}

void decode_clocks(ByteReader& in, std::size_t plies, Record& record) {
    const unsigned exponent = in.u8();
    if (exponent > 3) return in.fail();
    record.clocks_ms.resize(plies);
    for (std::int64_t& clock : record.clocks_ms) {
        const std::uint64_t value = in.varint();
        if (value > (std::uint64_t{1} << 40)) return in.fail();
        clock = value == 0 ? kNoClock : std::int64_t(value - 1) * kPowersOfTen[exponent];
    }
}

void decode_columns(ByteReader& in, unsigned parts, std::size_t plies, int width, Record& record) {
    // Each entry takes at least a byte: a damaged count cannot make us reserve more than the file's own size.
    if (parts & kHasScores) {
        record.scores.resize(plies);
        for (std::int16_t& score : record.scores) score = std::int16_t(in.u16());
    }
    if (parts & kHasWdl) {
        record.wdl.resize(plies);
        for (Wdl& wdl : record.wdl) {
            wdl.win = std::uint8_t(in.u8());
            wdl.loss = std::uint8_t(in.u8());
        }
    }
    if (parts & kHasFlags) {
        record.flags.resize(plies);
        for (std::uint8_t& flags : record.flags) flags = std::uint8_t(in.u8());
    }
    if (parts & kHasVisits) decode_visits(in, plies, width, record);
    if (parts & kHasClocks) decode_clocks(in, plies, record);
}

// A block's texts, split already.
struct AllTexts {
    std::span<const std::string_view> strings;

    std::string_view start(ByteReader& in, std::uint64_t number) const { return text(in, number); }
    std::string_view text(ByteReader& in, std::uint64_t number) const {
        if (number < strings.size()) return strings[std::size_t(number)];
        in.fail();
        return {};
    }
};

// Only starts are looked up; the other texts are not wanted.
struct StartsOnly {
    std::string_view table;

    std::string_view start(ByteReader& in, std::uint64_t number) const {
        ByteReader texts(table);
        for (; number > 0 && !texts.at_end(); --number) texts.string();
        const bool is_there = !texts.at_end();
        const std::string_view found = texts.string();
        if (!is_there || !texts.ok()) in.fail();
        return found;
    }
    std::string_view text(ByteReader&, std::uint64_t) const { return {}; }
};

// Odd references name a start of the file's header, even ones a text of the block.
template <typename Texts>
std::string_view start_of(ByteReader& in, const Format& format, const Texts& texts) {
    const std::uint64_t reference = in.varint();
    const std::uint64_t number = reference / 2;
    if (reference % 2 == 0) return texts.start(in, number);
    if (number < format.starts.size()) return format.starts[std::size_t(number)];
    in.fail();
    return {};
}

template <typename Texts>
bool decode(std::string_view bytes, const Format& format, int move_width, const Texts& texts, Record& record) {
    record.clear();
    ByteReader in(bytes);
    const std::uint64_t parts = in.varint();
    const unsigned outcome = in.u8();
    if (parts > kAllParts) return false;
    record.result = Result(outcome & 3);
    const unsigned termination = outcome >> 2;
    if (termination == kOtherTermination)
        record.termination = texts.text(in, in.varint());
    else if (termination < std::size(kTerminations))
        record.termination = kTerminations[termination];
    else
        return false;
    if (parts & kHasStart) record.start = start_of(in, format, texts);
    if (parts & kHasRatings)
        for (std::uint32_t& rating : record.ratings) rating = std::uint32_t(in.varint());
    if (parts & kHasSource) record.source = texts.text(in, in.varint());
    if (parts & kHasTags) record.tags = texts.text(in, in.varint());
    if (parts & kHasFinalScore) record.final_score = std::int16_t(in.u16());
    const std::uint64_t plies = in.varint();
    if (!in.ok() || plies > in.remaining()) return false;
    record.moves.resize(std::size_t(plies));
    if (move_width == 1)
        std::ranges::transform(in.bytes(plies), record.moves.begin(),
                               [](char c) { return static_cast<unsigned char>(c); });
    else
        for (std::uint16_t& move : record.moves) move = std::uint16_t(in.u16());
    decode_columns(in, unsigned(parts), std::size_t(plies), move_width, record);
    return in.ok() && in.at_end();
}

}  // namespace

std::span<const std::string_view> termination_names() { return kTerminations; }

std::uint32_t StringTable::number_of(std::string_view text) {
    if (const auto found = numbers_.find(text); found != numbers_.end()) return found->second;
    const auto number = std::uint32_t(numbers_.size());
    numbers_.emplace(text, number);
    put_string(encoded_, text);
    return number;
}

void StringTable::clear() {
    numbers_.clear();
    encoded_.clear();
}

void encode_game(const Record& record, const Format& format,
                 const std::unordered_map<std::string, std::uint32_t>& starts, StringTable& strings, Bytes& out) {
    const unsigned parts = parts_of(record);
    const unsigned termination = termination_number(record.termination);
    put_varint(out, parts);
    put_u8(out, unsigned(record.result) | termination << 2);
    if (termination == kOtherTermination) put_varint(out, strings.number_of(record.termination));
    if (parts & kHasStart) {
        const auto known = starts.find(record.start);
        put_varint(out, known != starts.end() ? 2 * known->second + 1 : 2 * strings.number_of(record.start));
    }
    if (parts & kHasRatings)
        for (const std::uint32_t rating : record.ratings) put_varint(out, rating);
    if (parts & kHasSource) put_varint(out, strings.number_of(record.source));
    if (parts & kHasTags) put_varint(out, strings.number_of(record.tags));
    if (parts & kHasFinalScore) put_u16(out, std::uint16_t(record.final_score));
    put_varint(out, record.moves.size());
    encode_moves(record.moves, format.move_width, out);
    encode_columns(record, format.move_width, out);
}

bool decode_game(std::string_view bytes, const Format& format, std::span<const std::string_view> strings,
                 Record& record) {
    return decode(bytes, format, format.move_width, AllTexts{strings}, record);
}

bool decode_moves(std::string_view bytes, const Format& format, int move_width, std::string_view strings,
                  Record& record) {
    const bool is_whole = decode(bytes, format, move_width, StartsOnly{strings}, record);
    record.termination.clear();
    return is_whole;
}

}  // namespace philidor::records
