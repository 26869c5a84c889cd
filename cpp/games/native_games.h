// The one list of the games that the compiled core plays besides chess. Bindings, playouts, pools and loaders all go
// through it: a new game is its header and its name here.
#pragma once

#include "games/connect4.h"
#include "games/game.h"
#include "games/go/go.h"
#include "games/gomoku.h"
#include "games/hexapawn.h"
#include "games/tictactoe.h"

namespace philidor::games {

template <NativeGame... G>
struct GameList {};

using NativeGames = GameList<TicTacToe, Connect4, Hexapawn, Gomoku, Go>;

// Calls `visit.operator()<G>()` for each game.
template <typename Visit, typename... G>
void for_each_game(GameList<G...>, Visit&& visit) {
    (visit.template operator()<G>(), ...);
}
template <typename Visit>
void for_each_native_game(Visit&& visit) {
    for_each_game(NativeGames{}, visit);
}

}  // namespace philidor::games
