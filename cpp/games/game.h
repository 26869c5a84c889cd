// What a native search asks of a game: a small value type that names its moves by number. Searches are templates
// over this concept, so a playout compiles to straight-line code over one game's bitboards.
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

namespace philidor::games {

// Numbered so that a winner is `int(result) - 1`.
enum class Result : std::uint8_t { kOngoing, kFirstWins, kSecondWins, kDraw };

constexpr Result win_of(int player) { return player == 0 ? Result::kFirstWins : Result::kSecondWins; }
// 2 for a win, 1 for a draw, 0 for a loss: whole numbers, so that sums are exact in any order.
constexpr int half_points(Result result, int player) {
    return result == Result::kDraw ? 1 : result == win_of(player) ? 2 : 0;
}

// A move as its game writes it; only the game reads it.
using MoveCode = std::uint16_t;

// `nth_move(i)` for i = 0 .. move_count() - 1 lists the legal moves in canonical order, the order of the Python
// game's `legal_moves`. A random move is `nth_move(random index)`: games find it without listing the others
// where they can. `move_count` and `nth_move` may only be called while the game is ongoing.
template <typename G>
concept Game = std::copyable<G> && requires(G game, const G& state, MoveCode move, int index) {
    { state.to_move() } -> std::same_as<int>;  // 0 or 1
    { state.result() } -> std::same_as<Result>;
    { state.move_count() } -> std::same_as<int>;
    { state.nth_move(index) } -> std::same_as<MoveCode>;
    { game.play(move) };
};

// How a playout ended that a game made by itself (see search/rollout_uct.h).
struct PlayedOut {
    Result result;
    int moves;
};

// A move's place among all moves of its game, the Python game's `action_index`: what a policy without planes of its own
// counts by.
using ActionIndex = std::uint16_t;

// What games/native_games.h lists: a game that Python can make from the fields its states tell (`HasTwin.twin`), and
// that any encoder of stones on a board can see.
template <typename G>
concept NativeGame = Game<G> && requires(const G& state, MoveCode move, int player, std::uint64_t* words) {
    { G::kName } -> std::convertible_to<std::string_view>;        // the descriptor's `native`
    { G::kFields } -> std::convertible_to<std::string_view>;      // what the fields are, for people
    typename G::Fields;                                           // std::tuple of the constructor's arguments
    { state.ending() } -> std::convertible_to<std::string_view>;  // why the game ended, in the Python game's words
    { state.words() } -> std::same_as<int>;                       // 64-bit words of a board
    // A player's stones row by row from the bottom: square row * width + column is bit square % 64 of word square / 64.
    { state.write_board(player, words) };
    { state.action_index(move) } -> std::same_as<ActionIndex>;
};

// Whether states show boards of the past to encoders: `write_board` then takes how many turns ago, below `kHistory`.
template <typename G>
concept ShowsPast = NativeGame<G> && requires(const G& state, int player, std::uint64_t* words, int turns) {
    { G::kHistory } -> std::convertible_to<int>;
    { state.write_board(player, words, turns) };
};

// Whether the last of the moves is always a pass: the twin of Python's `MayPass`.
template <typename G>
concept MayPass = Game<G> && requires(const G& state) {
    requires G::kPassesLast;
    { state.ply() } -> std::same_as<int>;
};

// Leaf count of the move tree, as a check on the rules; a finished game has no leaves below it.
template <Game G>
std::uint64_t perft(const G& state, int depth) {
    if (depth == 0) return 1;
    if (state.result() != Result::kOngoing) return 0;
    std::uint64_t leaves = 0;
    for (int i = 0; i < state.move_count(); ++i) {
        G next = state;
        next.play(state.nth_move(i));
        leaves += perft(next, depth - 1);
    }
    return leaves;
}

}  // namespace philidor::games
