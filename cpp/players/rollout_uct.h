// Rollout UCT for each native game: where the search meets the games, and the only place that compiles them together.
#pragma once

#include <memory>

#include "games/chess/position.h"
#include "games/connect4.h"
#include "games/gomoku.h"
#include "games/hexapawn.h"
#include "games/tictactoe.h"
#include "search/uct_tree.h"

namespace philidor::players {

// All throw std::invalid_argument if the game is over.
std::unique_ptr<search::UctTree> rollout_uct(const games::TicTacToe& root, const search::UctSettings& settings);
std::unique_ptr<search::UctTree> rollout_uct(const games::Connect4& root, const search::UctSettings& settings);
std::unique_ptr<search::UctTree> rollout_uct(const games::Hexapawn& root, const search::UctSettings& settings);
std::unique_ptr<search::UctTree> rollout_uct(const games::Gomoku& root, const search::UctSettings& settings);
// Keeps nothing of the position.
std::unique_ptr<search::UctTree> rollout_uct(const chess::Position& root, const search::UctSettings& settings);

}  // namespace philidor::players
