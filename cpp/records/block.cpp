#include "records/block.h"

#include <set>

#include "records/checksum.h"

namespace philidor::records {
namespace {

// As PNG's: a byte above 127, the name, and line ends that a text-mode copy would change.
constexpr std::string_view kFileMagic("\x89REC\r\n\x1a\n", 8);
constexpr std::size_t kFileHead = 20;  // magic, version, reserved, body size, checksum
constexpr std::string_view kBlockMagic(
    "\xA7"
    "BLK",
    4);
constexpr std::size_t kBlockHead = 36;
// No writer of ours comes near; it keeps damaged sizes from being believed.
constexpr std::uint32_t kMaxPart = 1u << 30;

bool split_strings(std::string_view bytes, std::vector<std::string_view>& strings) {
    ByteReader in(bytes);
    strings.clear();
    while (in.ok() && !in.at_end()) strings.push_back(in.string());
    return in.ok();
}

struct BlockHead {
    int move_width = 0;
    std::uint32_t count = 0, strings = 0, directory = 0, games = 0, tables_crc = 0, games_crc = 0;

    std::size_t tables() const { return std::size_t(strings) + directory; }
};

bool read_head(std::string_view file, std::size_t offset, BlockHead& head) {
    const std::string_view bytes = file.substr(std::min(offset, file.size()), kBlockHead);
    if (bytes.size() < kBlockHead || bytes.substr(0, 4) != kBlockMagic) return false;
    ByteReader in(bytes.substr(4));
    head.move_width = int(in.u32());
    head.count = in.u32();
    head.strings = in.u32();
    head.directory = in.u32();
    head.games = in.u32();
    head.tables_crc = in.u32();
    head.games_crc = in.u32();
    return in.u32() == crc32(bytes.substr(0, kBlockHead - 4)) && (head.move_width == 1 || head.move_width == 2) &&
           head.strings <= kMaxPart && head.directory <= kMaxPart && head.games <= kMaxPart;
}

// Keeps the games whose own checksum holds. `games` may be shorter than the directory says.
bool split_games(std::string_view directory, std::string_view games, const BlockHead& head, BlockView& block) {
    ByteReader in(directory);
    std::size_t begin = 0;
    block.games.clear();
    block.numbers.clear();
    for (std::uint32_t i = 0; i < head.count; ++i) {
        const std::uint64_t size = in.varint();
        const unsigned crc = in.u16();
        if (!in.ok() || size > head.games - begin) return false;
        const std::string_view game = games.substr(std::min(begin, games.size()), std::size_t(size));
        if (block.is_intact || (game.size() == size && crc16(game) == crc)) {
            block.games.push_back(game);
            block.numbers.push_back(i);
        }
        begin += std::size_t(size);
    }
    return in.at_end() && begin == head.games;
}

}  // namespace

Bytes encode_header(const Format& format) {
    Bytes body;
    put_string(body, format.game);
    put_u8(body, unsigned(format.move_width));
    put_varint(body, format.starts.size());
    for (const std::string& start : format.starts) put_string(body, start);
    Bytes head(kFileMagic);
    put_u16(head, kVersion);
    put_u16(head, 0);
    put_u32(head, std::uint32_t(body.size()));
    put_u32(head, crc32(body, crc32(head)));
    return head + body;
}

HeaderResult decode_header(std::string_view file) {
    HeaderResult result;
    if (file.size() < kFileMagic.size() || file.substr(0, kFileMagic.size()) != kFileMagic) {
        result.error = "not a .rec file: it does not start with the format's eight bytes";
        return result;
    }
    ByteReader in(file.substr(kFileMagic.size()));
    result.version = int(in.u16());
    in.u16();
    const std::uint32_t size = in.u32();
    const std::uint32_t crc = in.u32();
    const std::string_view body = in.bytes(size);
    if (!in.ok() || crc32(body, crc32(file.substr(0, 16))) != crc) {
        result.error = "the file's header is damaged";
        return result;
    }
    ByteReader fields(body);
    result.format.game = fields.string();
    result.format.move_width = int(fields.u8());
    const std::uint64_t count = fields.varint();
    for (std::uint64_t i = 0; i < count && fields.ok(); ++i) result.format.starts.emplace_back(fields.string());
    result.size = kFileHead + size;
    if (result.version != kVersion)
        result.error = "version " + std::to_string(result.version) + " of the format; this program reads version 1";
    else if (!fields.ok() || (result.format.move_width != 1 && result.format.move_width != 2))
        result.error = "the file's header makes no sense";
    return result;
}

BlockBuilder::BlockBuilder(Format format) : format_(std::move(format)) {
    if (format_.move_width != 1 && format_.move_width != 2)
        throw RecordError("a move takes 1 or 2 bytes, not " + std::to_string(format_.move_width));
    for (const std::string& start : format_.starts) starts_.emplace(start, std::uint32_t(starts_.size()));
    if (starts_.size() != format_.starts.size()) throw RecordError("a start position is given twice");
}

void BlockBuilder::add(const Record& record) {
    const std::size_t begin = games_.size();
    try {
        encode_game(record, format_, starts_, strings_, games_);
    } catch (const RecordError&) {
        games_.resize(begin);
        throw;
    }
    put_varint(directory_, games_.size() - begin);
    put_u16(directory_, crc16(std::string_view(games_).substr(begin)));
    ++count_;
}

Bytes BlockBuilder::finish() {
    if (count_ == 0) return {};
    const Bytes& strings = strings_.encoded();
    Bytes block(kBlockMagic);
    block.reserve(kBlockHead + strings.size() + directory_.size() + games_.size());
    put_u32(block, std::uint32_t(format_.move_width));
    put_u32(block, std::uint32_t(count_));
    put_u32(block, std::uint32_t(strings.size()));
    put_u32(block, std::uint32_t(directory_.size()));
    put_u32(block, std::uint32_t(games_.size()));
    put_u32(block, crc32(directory_, crc32(strings)));
    put_u32(block, crc32(games_));
    put_u32(block, crc32(block));
    block.append(strings).append(directory_).append(games_);
    strings_.clear();
    directory_.clear();
    games_.clear();
    count_ = 0;
    return block;
}

bool read_block(std::string_view file, std::size_t offset, BlockView& block) {
    BlockHead head;
    if (!read_head(file, offset, head)) return false;
    const std::string_view rest = file.substr(offset + kBlockHead);
    const std::string_view tables = rest.substr(0, head.tables());
    const std::string_view games = rest.substr(tables.size(), head.games);
    block.offset = offset;
    block.size = kBlockHead + tables.size() + games.size();
    block.is_complete = games.size() == head.games && tables.size() == head.tables();
    block.declared = head.count;
    block.move_width = head.move_width;
    block.games.clear();
    block.is_intact = block.is_complete && crc32(games) == head.games_crc;
    const bool has_tables = tables.size() == head.tables() && crc32(tables) == head.tables_crc &&
                            split_strings(tables.substr(0, head.strings), block.strings) &&
                            split_games(tables.substr(head.strings), games, head, block);
    if (!has_tables) {
        block.games.clear();
        block.numbers.clear();
        block.is_intact = false;
    }
    return true;
}

bool find_game(std::string_view file, std::size_t block_offset, std::uint32_t number, GameView& game) {
    BlockHead head;
    if (!read_head(file, block_offset, head) || number >= head.count) return false;
    const std::string_view rest = file.substr(block_offset + kBlockHead);
    if (rest.size() < head.tables()) return false;
    ByteReader directory(rest.substr(head.strings, head.directory));
    std::uint64_t begin = 0, size = 0;
    for (std::uint32_t i = 0; i <= number; ++i) {
        begin += size;
        size = directory.varint();
        directory.u16();
    }
    const std::string_view games = rest.substr(head.tables());
    if (!directory.ok() || begin > games.size() || size > games.size() - begin) return false;
    game = {rest.substr(0, head.strings), games.substr(std::size_t(begin), std::size_t(size)), head.move_width};
    return true;
}

std::size_t scan(std::string_view file, std::size_t offset, const std::function<bool(const BlockView&)>& found,
                 const std::function<void(std::size_t, std::size_t)>& lost) {
    BlockView block;
    std::size_t expected = offset;  // everything before it is accounted for
    std::size_t end = offset;
    while (offset < file.size()) {
        if (!read_block(file, offset, block)) {
            offset = file.find(kBlockMagic, offset + 1);
            continue;
        }
        if (offset > expected) lost(expected, offset - expected);
        end = offset + block.size;
        expected = std::max(expected, end);
        // In a damaged block bytes may be missing, so that the next block begins before this one should end.
        offset = block.is_intact ? end : block.offset + 4;
        if (!block.is_intact) offset = std::min(file.find(kBlockMagic, offset), end);
        if (!found(block)) return end;
    }
    if (expected < file.size()) lost(expected, file.size() - expected);
    return end;
}

std::vector<std::string> start_positions(std::string_view file) {
    const HeaderResult header = decode_header(file);
    std::set<std::string> starts;
    Record record;
    const auto found = [&](const BlockView& block) {
        Format format = header.format;
        format.move_width = block.move_width;
        for (const std::string_view game : block.games)
            if (decode_game(game, format, block.strings, record) && !record.start.empty()) starts.insert(record.start);
        return true;
    };
    scan(file, header.size, found, [](std::size_t, std::size_t) {});
    return {starts.begin(), starts.end()};
}

}  // namespace philidor::records
