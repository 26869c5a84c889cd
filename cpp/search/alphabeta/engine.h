// A running alpha-beta engine as its users see it: start, poll events, stop. Not copyable; all methods but `stop` are
// for one controlling thread, which may be another than the one that made it.
#pragma once

#include <memory>
#include <optional>

#include "games/chess/position.h"
#include "search/alphabeta/limits.h"

namespace philidor::search {

class AlphaBetaEngine {
  public:
    virtual ~AlphaBetaEngine() = default;

    // Each of these stops a running search and forgets its events.
    virtual void new_game() = 0;
    virtual void set_table_size(std::size_t megabytes) = 0;
    virtual void clear_table() = 0;
    virtual void set_threads(int count) = 0;
    virtual void set_options(const Options& options) = 0;
    // Folders with endgame tables, or none. Throws std::runtime_error if there are no tables in them; the old ones are
    // then kept.
    virtual void set_endings(const std::vector<std::string>& folders) = 0;
    // `spent_us`: microseconds since the order came, which the clock has to count.
    virtual void start(chess::PositionPtr position, const Limits& limits, std::int64_t spent_us = 0) = 0;

    // Searches in the calling thread until a limit, or until another one calls `stop`; there are no events.
    virtual Verdict search(chess::PositionPtr position, const Limits& limits) = 0;

    // After `search`: the move and the score that `start` would have announced. Unlike a verdict's, the score may be
    // a bound, of an iteration that was cut short.
    virtual Verdict announced() const = 0;

    // The next thing the search has to say, waiting up to `timeout_ms` for it. A search's last event is its BestMove;
    // the Infos before it tell how it stood at the end.
    virtual std::optional<Event> next_event(int timeout_ms) = 0;
    virtual bool is_searching() const = 0;
    virtual void stop() = 0;
    // The opponent played the move pondered on: the clock starts now.
    virtual void ponder_hit(std::int64_t spent_us = 0) = 0;

    virtual std::uint64_t nodes() const = 0;
    // The evaluator's own verdict, in centipawns for the side to move.
    virtual int evaluate(const chess::PositionPtr& position) = 0;
};

}  // namespace philidor::search
