// `.rec` files for Python: games to blocks of bytes and back.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/batch.h"
#include "records/block.h"
#include "records/packed_games.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace philidor::bindings {

using namespace philidor::records;

namespace {

nb::bytes to_bytes(const Bytes& bytes) { return nb::bytes(bytes.data(), bytes.size()); }

Format make_format(const std::string& game, int move_width, const std::vector<std::string>& starts) {
    Format format;
    format.game = game;
    format.move_width = move_width;
    format.starts = starts;
    return format;
}

nb::bytes add_batch(BlockBuilder& builder, const Batch& batch) {
    Bytes blocks;
    {
        nb::gil_scoped_release unlocked;
        for (const Record& record : batch.games) {
            builder.add(record);
            if (builder.is_full()) blocks += builder.finish();
        }
    }
    return to_bytes(blocks);
}

void bind_writer(nb::module_& module) {
    nb::class_<BlockBuilder>(module, "RecordBlockBuilder", "Turns games into the bytes of blocks.")
        .def(
            "__init__",
            [](BlockBuilder* self, const std::string& game, int move_width, const std::vector<std::string>& starts) {
                new (self) BlockBuilder(make_format(game, move_width, starts));
            },
            "game"_a, "move_width"_a, "starts"_a)
        .def("header", [](const BlockBuilder& builder) { return to_bytes(encode_header(builder.format())); })
        .def("add", &BlockBuilder::add)
        .def("add_batch", &add_batch)
        .def("finish", [](BlockBuilder& builder) { return to_bytes(builder.finish()); })
        .def_prop_ro("games", &BlockBuilder::games)
        .def_prop_ro("is_full", &BlockBuilder::is_full);
}

// (game, move width, starts, size, error)
using HeaderFacts = std::tuple<std::string, int, std::vector<std::string>, std::size_t, std::string>;

HeaderFacts read_header(const Buffer& file) {
    HeaderResult header = decode_header(view(file));
    return {header.format.game, header.format.move_width, header.format.starts, header.size, header.error};
}

// (offset, size, games it should have, intact games, complete, intact)
using BlockFacts = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t, bool, bool>;
using Stretch = std::pair<std::size_t, std::size_t>;

std::pair<std::vector<BlockFacts>, std::vector<Stretch>> scan_file(const Buffer& file, std::size_t offset,
                                                                   std::size_t max_blocks) {
    std::vector<BlockFacts> blocks;
    std::vector<Stretch> lost;
    const std::string_view bytes = view(file);
    nb::gil_scoped_release unlocked;
    const auto found = [&](const BlockView& block) {
        blocks.emplace_back(block.offset, block.size, block.declared, block.games.size(), block.is_complete,
                            block.is_intact);
        return blocks.size() < max_blocks;
    };
    scan(bytes, offset, found, [&lost](std::size_t at, std::size_t size) { lost.emplace_back(at, size); });
    return {std::move(blocks), std::move(lost)};
}

// The intact games of the block at `offset`; those that cannot be decoded are left out.
Batch decode_block(const Buffer& file, std::size_t offset, const std::vector<std::string>& starts) {
    Batch batch;
    Record record;
    BlockView block;
    const std::string_view bytes = view(file);
    nb::gil_scoped_release unlocked;
    if (!read_block(bytes, offset, block)) throw RecordError("no block at byte " + std::to_string(offset));
    const Format format = make_format("", block.move_width, starts);
    for (const std::string_view game : block.games)
        if (decode_game(game, format, block.strings, record)) batch.games.push_back(record);
    return batch;
}

constexpr std::size_t kAllBlocks = std::numeric_limits<std::size_t>::max();

void bind_reader(nb::module_& module) {
    // nanobind would call the buffers NumPy arrays.
    module.def("read_record_header", &read_header, "file"_a,
               nb::sig("def read_record_header(file: object) -> tuple[str, int, list[str], int, str]"));
    module.def("scan_record_blocks", &scan_file, "file"_a, "offset"_a, "max_blocks"_a = kAllBlocks,
               nb::sig("def scan_record_blocks(file: object, offset: int, max_blocks: int = ...) -> "
                       "tuple[list[tuple[int, int, int, int, bool, bool]], list[tuple[int, int]]]"));
    module.def("decode_record_block", &decode_block, "file"_a, "offset"_a, "starts"_a,
               nb::sig("def decode_record_block(file: object, offset: int, starts: Sequence[str]) -> RecordBatch"));
    module.def(
        "record_start_positions", [](const Buffer& file) { return start_positions(view(file)); }, "file"_a,
        nb::sig("def record_start_positions(file: object) -> list[str]"));
    module.def("record_termination_names", [] {
        const auto names = termination_names();
        return std::vector<std::string>(names.begin(), names.end());
    });
}

nb::bytes pack_batch(const Batch& batch) {
    Bytes bytes;
    {
        nb::gil_scoped_release unlocked;
        bytes = pack_games(batch.games);
    }
    return to_bytes(bytes);
}

Batch unpack_batch(const Buffer& bytes, std::size_t games, std::size_t plies) {
    const std::string_view packed = view(bytes);
    nb::gil_scoped_release unlocked;
    return {unpack_games(packed, games, plies)};
}

void bind_packing(nb::module_& module) {
    module.def("pack_records", &pack_batch, "batch"_a, "Chess games in about a third of what blocks take.");
    module.def("unpack_records", &unpack_batch, "packed"_a, "games"_a, "plies"_a,
               nb::sig("def unpack_records(packed: object, games: int, plies: int) -> RecordBatch"));
}

}  // namespace

void bind_record_files(nb::module_& module) {
    bind_writer(module);
    bind_reader(module);
    bind_packing(module);
}

}  // namespace philidor::bindings
