#include "arena/duel.h"

#include <cstdlib>

#include "games/chess/outcome.h"

namespace philidor::arena {

using namespace philidor::chess;

namespace {

// Follows the scores of one game, as `Adjudicator` does.
class Adjudicator {
  public:
    explicit Adjudicator(const DuelRules& rules) : rules_(rules) {}

    // Takes White's view of the last score and the position after the move; says whether the game is called.
    bool judge(int white_score, const Board& board, DuelGame& game) {
        if (rules_.resign_score)
            for (int side = 0; side < 2; ++side) {
                const bool is_winning = (side == 0 ? white_score : -white_score) >= *rules_.resign_score;
                winning_plies_[side] = is_winning ? winning_plies_[side] + 1 : 0;
                if (winning_plies_[side] >= 2 * rules_.resign_moves)
                    return end(game, side, "adjudication: won by score");
            }
        if (rules_.draw_score) {
            drawish_plies_ = std::abs(white_score) <= *rules_.draw_score ? drawish_plies_ + 1 : 0;
            if (drawish_plies_ >= 2 * rules_.draw_moves && board.move_number() > rules_.draw_after)
                return end(game, -1, "adjudication: drawn by score");
        }
        return rules_.max_moves && board.move_number() > *rules_.max_moves &&
               end(game, -1, "adjudication: too many moves");
    }

  private:
    static bool end(DuelGame& game, int winner, const char* reason) {
        game.winner = winner;
        game.reason = reason;
        return true;
    }

    const DuelRules& rules_;
    int drawish_plies_ = 0;
    int winning_plies_[2] = {0, 0};  // for White, for Black
};

bool is_over(const Board& board, DuelGame& game) {
    const Termination reason = termination(board);
    if (reason == Termination::kNone) return false;
    game.winner = reason == Termination::kCheckmate ? int(~board.to_move()) : -1;
    game.reason = termination_text(reason);
    return true;
}

}  // namespace

std::optional<DuelGame> Duel::play(PositionPtr position, int white, const search::Limits (&limits)[2]) {
    DuelGame game;
    Adjudicator adjudicator(rules_);
    for (search::AlphaBetaEngine* engine : engines_) engine->new_game();
    while (!is_over(position->board(), game)) {
        const Color side = position->board().to_move();
        const int mover = side == kWhite ? white : 1 - white;
        search::AlphaBetaEngine& engine = *engines_[mover];
        engine.search(position, limits[mover]);
        if (is_stopped_.load(std::memory_order_relaxed)) return std::nullopt;
        const search::Verdict found = engine.announced();
        game.moves.push_back({found.move, found.score, found.depth, engine.nodes()});
        position = Position::play(std::move(position), found.move);
        if (is_over(position->board(), game)) break;
        if (adjudicator.judge(side == kWhite ? found.score : -found.score, position->board(), game)) break;
    }
    return game;
}

void Duel::stop() {
    is_stopped_.store(true, std::memory_order_relaxed);
    for (search::AlphaBetaEngine* engine : engines_) engine->stop();
}

}  // namespace philidor::arena
