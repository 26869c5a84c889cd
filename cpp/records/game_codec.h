// One game of a `.rec` block as bytes; docs/records.md describes the layout.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "records/bytes.h"
#include "records/record.h"

namespace philidor::records {

// A record that cannot be written, or a file that cannot be read.
class RecordError : public std::invalid_argument {
  public:
    using std::invalid_argument::invalid_argument;
};

// Texts that many games share, numbered in order of first use.
class StringTable {
  public:
    std::uint32_t number_of(std::string_view text);
    const Bytes& encoded() const { return encoded_; }
    void clear();

  private:
    struct Hash : std::hash<std::string_view> {
        using is_transparent = void;
    };
    std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
    Bytes encoded_;
};

// What the file's header fixes for all games.
struct Format {
    std::string game = "chess";
    int move_width = 1;               // bytes per move index: 1 or 2
    std::vector<std::string> starts;  // start positions that games name by number
};

// Appends the game to `out`. Throws RecordError if it does not fit the format: the columns' lengths differ from
// the number of moves, or an index needs more bytes than the file's move width.
void encode_game(const Record& record, const Format& format,
                 const std::unordered_map<std::string, std::uint32_t>& starts, StringTable& strings, Bytes& out);

// False if the bytes are not a whole game.
bool decode_game(std::string_view bytes, const Format& format, std::span<const std::string_view> strings,
                 Record& record);
// The same without termination, source and tags, which are left empty: for those who want moves and columns only, over
// and over. `strings` is the block's table as it stands in the file, searched only for a start
// position; the block's move width takes the place of the format's.
bool decode_moves(std::string_view bytes, const Format& format, int move_width, std::string_view strings,
                  Record& record);

// The names of the terminations that have a number of their own; the others are stored as text.
std::span<const std::string_view> termination_names();

}  // namespace philidor::records
