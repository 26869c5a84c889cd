// One table of results of Syzygy's (.rtbw), for syzygy.h: how its positions are counted, and how it is compressed.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/mapped_file.h"
#include "games/chess/board.h"

namespace philidor::chess {

// A digit for each kind of man, White's first.
std::uint64_t material_of(const Board& board);

// One file: the results of all positions with its men, compressed by pairs that occur often (a grammar) and Huffman's
// code. Names of the format's parts follow its author's.
class SyzygyTable {
  public:
    static constexpr int kMostMen = 7, kFiles = 4;

    // The name is KQvKR and the like; throws std::invalid_argument for any other.
    SyzygyTable(std::string path, std::string_view name);

    std::uint64_t key() const { return key_; }
    std::uint64_t turned_key() const { return turned_key_; }
    int men() const { return men_; }

    // -2 to 2; none if the file is damaged.
    std::optional<int> look_up(const Board& board);

  private:
    // How the positions of one side to move, and of one file of the leading pawn, are counted and compressed.
    struct Part {
        std::uint8_t pieces[kMostMen] = {};
        int lengths[kMostMen + 1] = {};            // of the groups of equal men
        std::uint64_t factors[kMostMen + 1] = {};  // of the groups; the last is the number of positions
        int groups = 0;
        int single = -1;  // the one result, where there is only one
        std::uint64_t block_size = 0, span = 0, sparse_size = 0, blocks = 0, lengths_size = 0;
        int shortest = 0;  // code, in bits
        std::vector<std::uint64_t> bases;
        std::size_t lowest = 0, tree = 0, sparse = 0, block_lengths = 0, data = 0;  // places in the file
        std::vector<std::uint8_t> symbol_lengths;
    };

    std::uint64_t number(std::size_t at, int bytes) const;
    std::uint64_t big_endian(std::size_t at, int bytes) const;
    int left(const Part& part, int symbol) const { return int(number(part.tree + 3 * std::size_t(symbol), 2) & 0xFFF); }
    int right(const Part& part, int symbol) const {
        return int(number(part.tree + 3 * std::size_t(symbol) + 1, 2) >> 4);
    }

    void open();
    void read();
    void set_groups(Part& part, const int (&order)[2], int file) const;
    std::size_t read_sizes(Part& part, std::size_t at) const;
    void measure_symbols(Part& part, int count) const;
    int value_at(const Part& part, std::uint64_t index) const;
    std::uint64_t index_of(const Part& part, std::array<int, kMostMen>& squares, int leading) const;
    static std::uint64_t index_of_three(const std::array<int, kMostMen>& squares);

    std::string path_;
    std::uint64_t key_ = 0, turned_key_ = 0;
    int men_ = 0;
    int pawns_[2] = {0, 0};  // of the side whose pawns lead, and of the other
    bool has_unique_ = false;
    std::once_flag opened_;
    bool is_good_ = false;
    core::MappedFile file_;
    Part parts_[2][kFiles];
};

}  // namespace philidor::chess
