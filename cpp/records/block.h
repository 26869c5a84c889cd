// `.rec` v1 as a file: one header, then self-contained blocks of games. A reader needs nothing but the bytes of a
// block (and, for games that start at a numbered position, the header), so files can be appended to, cut off and
// damaged without losing more than what was hit.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "records/game_codec.h"

namespace philidor::records {

inline constexpr int kVersion = 1;
inline constexpr std::size_t kBlockTarget = 16 * 1024;  // a block is closed when its games reach this size

Bytes encode_header(const Format& format);

// What can be said of a file's beginning. `size` is where the first block may stand.
struct HeaderResult {
    Format format;
    std::size_t size = 0;
    int version = 0;
    std::string error;  // empty: intact
};
HeaderResult decode_header(std::string_view file);

// Collects games and turns them into blocks.
class BlockBuilder {
  public:
    explicit BlockBuilder(Format format);

    const Format& format() const { return format_; }
    // Throws RecordError and leaves the builder unchanged if the record does not fit.
    void add(const Record& record);
    std::size_t games() const { return count_; }
    bool is_full() const { return games_.size() >= kBlockTarget; }
    // The block of the games added so far, empty if there are none; then starts anew.
    Bytes finish();

  private:
    Format format_;
    std::unordered_map<std::string, std::uint32_t> starts_;
    StringTable strings_;
    Bytes directory_;
    Bytes games_;
    std::size_t count_ = 0;
};

// A block found in a file, as views into the file's bytes.
struct BlockView {
    std::size_t offset = 0;
    std::size_t size = 0;      // to the end of the games, as far as the file reaches
    std::size_t declared = 0;  // games the block said it has
    bool is_complete = false;  // the file does not end inside the block
    bool is_intact = false;    // every byte is as it was written
    int move_width = 1;
    std::vector<std::string_view> strings;
    std::vector<std::string_view> games;  // only the intact ones
    std::vector<std::uint32_t> numbers;   // of these games among all that the block was written with
};

// Reads the block at `offset`; false if none with an intact head stands there.
bool read_block(std::string_view file, std::size_t offset, BlockView& block);

// One game of a block that was read before, found again without looking at checksums or at the other games.
struct GameView {
    std::string_view strings;  // the block's table, as it stands in the file
    std::string_view bytes;
    int move_width = 1;
};
// False if the file no longer has this game.
bool find_game(std::string_view file, std::size_t block_offset, std::uint32_t number, GameView& game);

// Calls `found` for each block from `offset` on, and `lost(offset, bytes)` for each stretch that belongs to none.
// Stops early when `found` returns false. Returns the offset behind the last block.
std::size_t scan(std::string_view file, std::size_t offset, const std::function<bool(const BlockView&)>& found,
                 const std::function<void(std::size_t, std::size_t)>& lost);

// The texts of the positions that games of a file start at, each once; without the normal one.
std::vector<std::string> start_positions(std::string_view file);

}  // namespace philidor::records
