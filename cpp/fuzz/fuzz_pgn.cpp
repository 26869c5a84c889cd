// Any bytes as PGN: nothing may crash, every game must be legal, and the way the text is cut must not matter.
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "records/chess_record.h"
#include "records/pgn.h"

using namespace philidor::records;

namespace {

std::vector<Record> read_all(std::string_view text, std::size_t piece, PgnCounts& counts) {
    PgnOptions options;
    options.tags = {"*"};
    PgnReader reader(options);
    std::vector<Record> games;
    Record record;
    for (std::size_t at = 0; at < text.size(); at += piece) {
        reader.feed(text.substr(at, piece));
        while (reader.next(record)) games.push_back(record);
    }
    reader.finish();
    while (reader.next(record)) games.push_back(record);
    counts = reader.counts();
    return games;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    PgnCounts whole, pieces, again;
    const std::vector<Record> games = read_all(text, size + 1, whole);
    const std::size_t piece = size == 0 ? 1 : 1 + data[0] % 64;
    if (games != read_all(text, piece, pieces) || whole.skipped != pieces.skipped) std::abort();
    for (const Record& game : games) {
        // What we write, we read back: the same moves, result, ratings, scores and clocks.
        const std::vector<Record> copy = read_all(to_pgn(game), 1 << 20, again);
        if (copy.size() != 1 || copy[0].moves != game.moves || copy[0].start != game.start ||
            copy[0].result != game.result || copy[0].scores != game.scores || copy[0].clocks_ms != game.clocks_ms)
            std::abort();
    }
    return 0;
}
