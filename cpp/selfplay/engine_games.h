// Games of an engine against itself with a score for every move (book, 4.6.3). The twin of
// src/philidor/selfplay/engine_games.py: the same openings, searches and verdicts, and so the same games.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "games/chess/position.h"
#include "records/record.h"
#include "search/alphabeta/engine.h"
#include "search/random.h"

namespace philidor::selfplay {

struct GameSettings {
    search::Limits limits;      // of each search
    int random_plies = 8;       // at the start of a game, and perhaps one more
    int book_random_plies = 2;  // after a line of the book, and up to two more
    int opening_limit = 400;    // centipawns; an opening that is worth more to one side is drawn again
    int win_cp = 2000, win_plies = 4;
    int draw_cp = 8, draw_plies = 12, draw_from = 80;
    int max_plies = 400;
    std::uint64_t seed = 1;
    std::string source;  // what the records say of where they are from
};

// A line of an opening book.
struct BookLine {
    std::string start;                 // FEN; empty for the normal start
    std::vector<std::uint16_t> moves;  // canonical indices
};

class EngineGames {
  public:
    // The engine must outlive the games, and is theirs alone.
    EngineGames(search::AlphaBetaEngine& engine, GameSettings settings, std::vector<BookLine> book)
        : engine_(engine), settings_(std::move(settings)), book_(std::move(book)) {}

    // Plays the game of this number, a function of it and the settings; none if it was told to stop. Throws
    // std::invalid_argument if a line of the book is no chess.
    std::optional<records::Record> play(std::int64_t number);
    // From any thread. A search that is about to begin may not hear of it: whoever wants to be sure says it again.
    void stop();

  private:
    chess::PositionPtr open(std::int64_t number, search::SplitMix64& random, records::Record& record) const;
    bool play_on(chess::PositionPtr position, records::Record& record);

    search::AlphaBetaEngine& engine_;
    GameSettings settings_;
    std::vector<BookLine> book_;
    std::atomic<bool> is_stopped_{false};
};

}  // namespace philidor::selfplay
