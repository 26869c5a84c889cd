#include "players/rollout_uct.h"

#include "games/chess/rollout.h"

namespace philidor::players {

std::unique_ptr<search::UctTree> rollout_uct(const chess::Position& root, const search::UctSettings& settings) {
    return std::make_unique<search::RolloutUct<chess::Rollout>>(chess::Rollout(root), settings);
}

}  // namespace philidor::players
