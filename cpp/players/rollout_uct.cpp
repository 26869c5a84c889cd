#include "players/rollout_uct.h"

#include "games/chess/rollout.h"
#include "search/rollout_uct.h"

namespace philidor::players {

using search::RolloutUct;
using search::UctSettings;
using search::UctTree;

std::unique_ptr<UctTree> rollout_uct(const games::TicTacToe& root, const UctSettings& settings) {
    return std::make_unique<RolloutUct<games::TicTacToe>>(root, settings);
}

std::unique_ptr<UctTree> rollout_uct(const games::Connect4& root, const UctSettings& settings) {
    return std::make_unique<RolloutUct<games::Connect4>>(root, settings);
}

std::unique_ptr<UctTree> rollout_uct(const games::Hexapawn& root, const UctSettings& settings) {
    return std::make_unique<RolloutUct<games::Hexapawn>>(root, settings);
}

std::unique_ptr<UctTree> rollout_uct(const games::Gomoku& root, const UctSettings& settings) {
    return std::make_unique<RolloutUct<games::Gomoku>>(root, settings);
}

std::unique_ptr<UctTree> rollout_uct(const chess::Position& root, const UctSettings& settings) {
    return std::make_unique<RolloutUct<chess::Rollout>>(chess::Rollout(root), settings);
}

}  // namespace philidor::players
