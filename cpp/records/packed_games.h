// Chess games packed for a journey, in about a third of what `.rec` takes. Each move is coded among the legal ones,
// in the order of what was played before in such positions; scores in steps of four centipawns, by what they differ
// from the one before. docs/records.md has the rest.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "records/bytes.h"
#include "records/record.h"

namespace philidor::records {

// The games as bytes. Throws RecordError for a game that is not chess, or that has what a pack does not keep: ratings,
// tags, expected results, flags, visits, clocks.
Bytes pack_games(std::span<const Record> games);

// The games again; scores are as ScoreModel::rounded leaves them. Throws RecordError if the bytes are no pack of so
// many games with so many moves.
std::vector<Record> unpack_games(std::string_view bytes, std::size_t games, std::size_t plies);

}  // namespace philidor::records
