// Any bytes as a `.rec` file: nothing may crash, what can be decoded must survive being written again, and training
// sees every position that the loader's index counts.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "records/block.h"
#include "records/chess_record.h"
#include "train/game_batches.h"

using namespace philidor::records;

namespace {

// A mutated file almost never has the right checksums, so the game decoder is also fed directly.
void check_game(std::string_view bytes, const Format& format, std::span<const std::string_view> strings) {
    Record record, copy;
    if (!decode_game(bytes, format, strings, record)) return;
    replay(record, [](const philidor::chess::Board&, philidor::chess::Move) {});
    BlockBuilder builder(format);
    builder.add(record);
    const Bytes block = builder.finish();
    BlockView view;
    if (!read_block(block, 0, view) || !view.is_intact || view.games.size() != 1) std::abort();
    if (!decode_game(view.games[0], format, view.strings, copy) || !(copy == record)) std::abort();
}

void check_loader(std::string_view file) {
    using namespace philidor;
    train::IndexOptions options;
    options.part = train::Part::kAll;
    using Walk = train::ChessWalk<encodings::AlphaZeroEncoder>;
    const auto index = std::make_shared<train::GameIndex>(
        options, std::make_unique<train::GameReplayerOf<Walk>>(Walk(encodings::AlphaZeroEncoder())));
    try {
        index->add(file, "chess", 1);
    } catch (const RecordError&) {
        return;
    }
    if (index->positions() == 0) return;
    train::StreamOptions stream;
    stream.batch = 16;
    stream.shuffle = 64;
    stream.epochs = 1;
    stream.rates = stream.weights = {{1, 1}};
    train::GameBatchMaker maker(index, stream, {}, 1);
    const std::atomic<bool> stop{false};
    std::uint64_t rows = 0;
    while (!maker.is_over())
        for (const auto& batch : maker.next_chunk(stop)) rows += batch->rows;
    if (const auto rest = maker.take_rest()) rows += rest->rows;
    if (rows != index->positions()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view file(reinterpret_cast<const char*>(data), size);
    const HeaderResult header = decode_header(file);
    const Format format = header.error.empty() ? header.format : Format{};
    scan(
        file, header.size,
        [&](const BlockView& block) {
            for (const std::string_view game : block.games) check_game(game, format, block.strings);
            return true;
        },
        [](std::size_t, std::size_t) {});
    const std::string_view strings[] = {"", "a text", "Date 2004\n"};
    Format wide;
    wide.move_width = 2;
    wide.starts = {"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"};
    check_game(file, Format{}, strings);
    check_game(file, wide, strings);
    check_loader(file);
    return 0;
}
