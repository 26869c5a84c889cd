// Any bytes as packed games: nothing may crash, and what can be unpacked must survive being packed again.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "records/game_codec.h"
#include "records/packed_games.h"

using namespace philidor::records;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    // The first two bytes say how many games and moves to expect: otherwise only whole files would get far.
    const std::string_view packed(reinterpret_cast<const char*>(data) + 2, size - 2);
    const std::size_t games = 1 + data[0] % 4, plies = data[1];
    std::vector<Record> found;
    try {
        found = unpack_games(packed, games, plies);
    } catch (const RecordError&) {
        return 0;
    }
    if (found.size() != games || unpack_games(pack_games(found), games, plies) != found) std::abort();
    return 0;
}
