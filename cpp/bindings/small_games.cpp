// The small games for Python: not to play with (the Python games are for that), but to be searched and compared.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "games/connect4.h"
#include "games/gomoku.h"
#include "games/hexapawn.h"
#include "games/tictactoe.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace philidor::bindings {

namespace {

using games::Connect4;
using games::Gomoku;
using games::Hexapawn;
using games::Result;
using games::TicTacToe;

template <games::Game G>
int count_moves(const G& game) {
    return game.result() == Result::kOngoing ? game.move_count() : 0;
}

// The state after the move at `place` among the legal ones.
template <games::Game G>
G play(const G& game, int place) {
    if (place < 0 || place >= count_moves(game))
        throw std::invalid_argument("there are " + std::to_string(count_moves(game)) + " moves, none at place " +
                                    std::to_string(place));
    G next = game;
    next.play(game.nth_move(place));
    return next;
}

template <games::Game G>
nb::class_<G> bind_game(nb::module_& module, const char* name, const char* doc) {
    return nb::class_<G>(module, name, doc)
        .def_prop_ro("to_move", &G::to_move, "0 for the first player, 1 for the second.")
        .def_prop_ro(
            "ending",
            [](const G& game) -> std::optional<int> {
                switch (game.result()) {
                    case Result::kFirstWins: return 0;
                    case Result::kSecondWins: return 1;
                    case Result::kDraw: return -1;
                    default: return std::nullopt;
                }
            },
            "The winner, -1 after a draw, None while the game goes on.")
        .def("count_moves", &count_moves<G>, "How many legal moves there are; 0 when the game is over.")
        .def("play", &play<G>, "place"_a, "The state after the move at this place of the canonical order.")
        .def(
            "perft",
            [](const G& game, int depth) {
                if (depth < 0) throw std::invalid_argument("depth must be at least 0, got " + std::to_string(depth));
                return games::perft(game, depth);
            },
            "depth"_a, nb::call_guard<nb::gil_scoped_release>(), "Leaves of the tree of legal moves.");
}

}  // namespace

void bind_small_games(nb::module_& module) {
    bind_game<TicTacToe>(module, "TicTacToe", "Tic-tac-toe from both players' squares as bits.")
        .def(nb::init<unsigned, unsigned>(), "first"_a = 0, "second"_a = 0);
    bind_game<Connect4>(module, "Connect4",
                        "Connect four from both players' stones as bits: column * (height + 1) + row.")
        .def(nb::init<int, int, std::uint64_t, std::uint64_t>(), "width"_a, "height"_a, "first"_a = 0, "second"_a = 0);
    bind_game<Hexapawn>(module, "Hexapawn", "Hexapawn from both players' pawns as bits: row * width + column.")
        .def(nb::init<int, int, std::uint64_t, std::uint64_t, int>(), "width"_a, "height"_a, "first"_a, "second"_a,
             "to_move"_a);
    bind_game<Gomoku>(
        module, "Gomoku",
        "Gomoku from both players' stones as bits: row * width + column, in words of 64, the lowest first.")
        .def(
            "__init__",
            [](Gomoku* self, int width, int height, const std::vector<std::uint64_t>& first,
               const std::vector<std::uint64_t>& second) { new (self) Gomoku(width, height, first, second); },
            "width"_a, "height"_a, "first"_a = std::vector<std::uint64_t>(), "second"_a = std::vector<std::uint64_t>());
}

}  // namespace philidor::bindings
