// A native game for Python, whatever the game: to be searched and compared.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <optional>
#include <stdexcept>
#include <string>

#include "games/game.h"
#include "games/go/go.h"

namespace philidor::bindings {

namespace nb = nanobind;
using namespace nb::literals;
using games::Result;

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

// What Go has besides; in go.cpp.
void bind_go(nb::module_& module, nb::class_<games::Go>& c);

}  // namespace philidor::bindings
