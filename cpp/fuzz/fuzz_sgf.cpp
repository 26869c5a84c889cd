// Any bytes as SGF: nothing may crash, every game must be legal, and the way the text is cut must not matter.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "records/sgf.h"

using namespace philidor::records;

namespace {

std::vector<Record> read_all(std::string_view text, std::size_t piece, SgfReader& reader) {
    std::vector<Record> games;
    Record record;
    for (std::size_t at = 0; at < text.size(); at += piece) {
        reader.feed(text.substr(at, piece));
        while (reader.next(record)) games.push_back(record);
    }
    reader.finish();
    while (reader.next(record)) games.push_back(record);
    return games;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    SgfReader whole({0, 0, {"*"}}), pieces({0, 0, {"*"}});
    const std::vector<Record> games = read_all(text, size + 1, whole);
    const std::size_t piece = size == 0 ? 1 : 1 + data[0] % 64;
    if (games != read_all(text, piece, pieces) || whole.counts().skipped != pieces.counts().skipped) std::abort();
    const int width = whole.width(), height = whole.height();
    const philidor::games::go::Rules rules{0, philidor::games::go::KoRule::kSimple, false,
                                           std::max(2 * width * height, 100) + 1};
    for (const Record& game : games) {
        // What we write, we read back: the same start, moves and result.
        SgfReader again({width, height, {"*"}});
        const std::vector<Record> copy = read_all(to_sgf(game, width, height, rules), 1 << 20, again);
        if (copy.size() != 1 || copy[0].moves != game.moves || copy[0].start != game.start ||
            copy[0].result != game.result)
            std::abort();
    }
    return 0;
}
