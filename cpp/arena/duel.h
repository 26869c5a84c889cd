// A game between two engines in one thread, without Python. The twin of src/philidor/arena/game.py at fixed nodes or
// depth: the same searches, moves and verdicts, and so the same games.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "games/chess/position.h"
#include "search/alphabeta/engine.h"

namespace philidor::arena {

// When a game ends beyond the rules of chess; `GameRules` of src/philidor/arena/adjudication.py explains the fields.
struct DuelRules {
    std::optional<int> draw_score, resign_score;
    int draw_moves = 8, draw_after = 34;
    int resign_moves = 3;
    std::optional<int> max_moves;
};

struct DuelMove {
    chess::Move move{};
    int score = 0;  // the mover's view
    int depth = 0;
    std::uint64_t nodes = 0;
};

struct DuelGame {
    std::vector<DuelMove> moves;
    int winner = -1;  // a color, or -1 for a draw
    std::string reason;
};

class Duel {
  public:
    // The engines must outlive the duel and are its own; they may not be the same.
    Duel(search::AlphaBetaEngine& first, search::AlphaBetaEngine& second, const DuelRules& rules)
        : engines_{&first, &second}, rules_(rules) {}

    // Plays from a position; `white` is the engine that has White, 0 or 1, and `limits` are by engine. None if it was
    // told to stop.
    std::optional<DuelGame> play(chess::PositionPtr start, int white, const search::Limits (&limits)[2]);
    // From any thread. A search that is about to begin may not hear of it: whoever wants to be sure says it again.
    void stop();

  private:
    search::AlphaBetaEngine* engines_[2];
    DuelRules rules_;
    std::atomic<bool> is_stopped_{false};
};

}  // namespace philidor::arena
