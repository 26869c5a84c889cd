// Rollout UCT where the search meets the games: any game by its own rules, chess by those that forget the position.
#pragma once

#include <memory>

#include "games/chess/position.h"
#include "games/game.h"
#include "search/rollout_uct.h"
#include "search/uct_tree.h"

namespace philidor::players {

// Both throw std::invalid_argument if the game is over.
template <games::Game G>
std::unique_ptr<search::UctTree> rollout_uct(const G& root, const search::UctSettings& settings) {
    return std::make_unique<search::RolloutUct<G>>(root, settings);
}
// Keeps nothing of the position.
std::unique_ptr<search::UctTree> rollout_uct(const chess::Position& root, const search::UctSettings& settings);

}  // namespace philidor::players
