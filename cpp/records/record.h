// One recorded game of any kind: moves as indices among the legal moves, and the facts around them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace philidor::records {

enum class Result : std::uint8_t { kUnknown, kFirstWins, kDraw, kSecondWins };

// Scores are the side to move's view in centipawns; mates stand above kMateRange as kMateScore - plies.
inline constexpr std::int16_t kNoScore = -32768;
inline constexpr int kMateScore = 32000;
inline constexpr int kMateRange = 31000;
inline constexpr int kMaxCentipawns = 30000;

// Win and loss of the side to move in 1/255; the rest is the draw. {255, 255} means not known.
struct Wdl {
    std::uint8_t win = 255;
    std::uint8_t loss = 255;
    friend bool operator==(Wdl, Wdl) = default;
};

// Shares of 1, rounded to the nearest step and halves to the even one, as Python's writer does.
inline Wdl wdl_of(double win, double loss) {
    const int wins = int(std::nearbyint(255 * win));
    return {std::uint8_t(wins), std::uint8_t(std::min(int(std::nearbyint(255 * loss)), 255 - wins))};
}

// Bits of `Record::flags`; src/philidor/records/record.py explains them.
inline constexpr std::uint8_t kCheapPly = 1, kBookPly = 2, kSampledPly = 4;

// How often a search visited a move, given by its index.
struct Visit {
    std::uint16_t index = 0;
    std::uint16_t count = 0;
    friend bool operator==(Visit, Visit) = default;
};

inline constexpr std::int64_t kNoClock = -1;

// Entry i of a column describes position i, the one in which move i was played. A column is either empty
// (not recorded) or as long as `moves`.
struct Record {
    std::string start;  // empty: the game's normal start
    std::vector<std::uint16_t> moves;
    Result result = Result::kUnknown;
    std::string termination;        // empty: not known
    std::uint32_t ratings[2] = {};  // 0: not known
    std::string source;
    std::string tags;                     // further facts, one "Name value" a line
    std::int16_t final_score = kNoScore;  // of the position after the last move
    std::vector<std::int16_t> scores;
    std::vector<Wdl> wdl;
    std::vector<std::uint8_t> flags;
    std::vector<std::vector<Visit>> visits;
    std::vector<std::int64_t> clocks_ms;  // the mover's clock after the move

    // Empties everything but keeps the memory for the next game.
    void clear();
    friend bool operator==(const Record&, const Record&) = default;
};

// The same for equal start, moves and result, whatever else differs; it finds duplicates and splits data sets.
// FNV-1a over the start, a zero byte, the moves as 16-bit numbers and the result, mixed by splitmix64's
// finalizer. Part of the format: a split made today must be the same tomorrow.
std::uint64_t content_hash(const Record& record, std::uint64_t seed = 0);

}  // namespace philidor::records
