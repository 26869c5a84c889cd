#include "records/record.h"

namespace philidor::records {

void Record::clear() {
    start.clear();
    moves.clear();
    result = Result::kUnknown;
    termination.clear();
    ratings[0] = ratings[1] = 0;
    source.clear();
    tags.clear();
    final_score = kNoScore;
    scores.clear();
    wdl.clear();
    flags.clear();
    visits.clear();
    clocks_ms.clear();
}

std::uint64_t content_hash(const Record& record, std::uint64_t seed) {
    std::uint64_t hash = 0xCBF29CE484222325ULL ^ seed;
    const auto add = [&hash](unsigned byte) { hash = (hash ^ byte) * 0x100000001B3ULL; };
    for (const char c : record.start) add(static_cast<unsigned char>(c));
    add(0);
    for (const std::uint16_t move : record.moves) {
        add(move & 0xFF);
        add(move >> 8);
    }
    add(unsigned(record.result));
    // FNV's high bits are weak; splitting reads them.
    hash = (hash ^ (hash >> 30)) * 0xBF58476D1CE4E5B9ULL;
    hash = (hash ^ (hash >> 27)) * 0x94D049BB133111EBULL;
    return hash ^ (hash >> 31);
}

}  // namespace philidor::records
