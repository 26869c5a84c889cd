// What a search is asked for, and what it reports.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "games/chess/types.h"
#include "search/alphabeta/features.h"
#include "search/alphabeta/parameters.h"
#include "search/alphabeta/values.h"

namespace philidor::search {

// All times in milliseconds; what is unset does not limit.
struct Limits {
    std::optional<int> depth;
    std::optional<std::uint64_t> nodes;
    std::optional<std::uint64_t> soft_nodes;  // begin no further iteration once so many were visited
    std::optional<int> mate;                  // in moves
    std::optional<std::int64_t> move_time;
    std::optional<std::int64_t> time[2];  // by color
    std::int64_t increment[2] = {0, 0};
    std::optional<int> moves_to_go;
    bool infinite = false;  // do not answer before `stop`
    bool ponder = false;    // the clock starts with `ponderhit`
    std::vector<chess::Move> search_moves;
};

struct Options {
    int multi_pv = 1;
    std::int64_t move_overhead = 10;
    std::int64_t silence = 1000;  // milliseconds: a search says at least so often that it lives
    Features features;
    Parameters parameters;
};

enum class ScoreBound : std::uint8_t { kExact, kLower, kUpper };

struct Info {
    int depth = 0;
    int selective_depth = 0;
    int multi_pv = 1;
    int score = 0;
    ScoreBound bound = ScoreBound::kExact;
    std::uint64_t nodes = 0;
    std::int64_t time_ms = 0;
    int table_fullness = 0;
    std::uint64_t ending_hits = 0;  // answers of the endgame tables
    std::vector<chess::Move> line;
};

// What a search stands by when it has ended: the last iteration's, which was completed, or a better move that the
// iteration cut short had resolved. Never a bound.
struct Verdict {
    chess::Move move{};  // none in a position without legal moves
    int score = kNoScore;
    int depth = 0;
};

// What a long iteration says meanwhile: where it is, not what it has found.
struct Progress {
    int depth = 0;
    chess::Move move{};   // of the root, being searched
    int move_number = 0;  // from 1
    std::uint64_t nodes = 0;
    std::int64_t time_ms = 0;
    int table_fullness = 0;
    std::uint64_t ending_hits = 0;
};

struct BestMove {
    chess::Move move{};  // none in a position without legal moves
    chess::Move ponder{};
};

using Event = std::variant<Info, Progress, BestMove>;

}  // namespace philidor::search
