// A batch of training positions from recorded games, as arrays whose rows are positions.
#pragma once

#include <cstdint>
#include <vector>

#include "train/game_replayer.h"

namespace philidor::train {

// A place in a stream: so many rows of this chunk of this epoch have been handed out.
struct StreamPosition {
    std::uint64_t epoch = 0, chunk = 0, row = 0;
    friend bool operator==(const StreamPosition&, const StreamPosition&) = default;
};

// Views are the side to move's. `GameBatch` of src/philidor/train/game_data.py explains the columns.
struct GameBatch {
    std::size_t rows = 0;
    std::vector<std::uint64_t> planes;        // [rows, words]
    std::vector<float> scalars;               // [rows, scalars]
    std::vector<std::int64_t> legal_offsets;  // [rows + 1]
    std::vector<PolicyIndex> legal_index;
    std::vector<std::int64_t> target_offsets;  // [rows + 1]
    std::vector<PolicyIndex> target_index;
    std::vector<float> target_weight;
    std::vector<PolicyIndex> played;
    std::vector<float> wdl, search_wdl;  // [rows, 3]; zeros where it is not known
    std::vector<float> moves_left, weight;
    std::vector<std::int16_t> score;
    std::vector<std::uint16_t> ratings;  // [rows, 2]: the mover's, the other's
    std::vector<std::uint16_t> ply;
    std::vector<std::uint8_t> flags, phase, has_history, has_visits;
    std::vector<std::int32_t> clock_ms;
    std::vector<std::uint32_t> game;
    std::vector<std::uint16_t> file;
    StreamPosition next;  // where the stream goes on behind this batch

    // Makes room for so many rows, or gives it up.
    void resize(std::size_t count, std::size_t words, std::size_t scalars_each);
};

}  // namespace philidor::train
