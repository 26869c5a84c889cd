// Go for Python: states to be searched and compared, playouts in bulk, ladders.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unordered_map.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bindings/arrays.h"
#include "bindings/batch.h"
#include "bindings/game.h"
#include "games/go/go.h"
#include "games/go/ladder.h"
#include "search/random.h"

namespace philidor::bindings {

namespace {

using games::Go;
namespace go = games::go;

std::vector<int> legal_moves(const Go& game) {
    std::vector<int> moves;
    for (int i = 0; i < count_moves(game); ++i) moves.push_back(game.nth_move(i));
    return moves;
}

std::vector<int> ownership(const Go& game) {
    std::int8_t owners[go::kMaxArea];
    game.board().score(owners);
    return {owners, owners + game.area()};
}

struct Playouts {
    std::int64_t moves = 0, score = 0, squares = 0;
    std::vector<std::int64_t> counts;  // by score, the lowest possible first
    std::vector<std::int64_t> owners;  // by square: Black's less White's
};

Playouts playouts(const Go& game, int count, std::uint64_t seed) {
    if (count < 0) throw std::invalid_argument("there are no negative numbers of playouts");
    search::SplitMix64 random(seed);
    Playouts all;
    all.counts.resize(std::size_t(2 * game.area() + 1));
    all.owners.resize(std::size_t(game.area()));
    const go::Point ko = game.ko() < 0 ? go::kNoPoint : game.board().point_of(game.ko());
    for (int i = 0; i < count; ++i) {
        go::Board board = game.board();
        std::int8_t owners[go::kMaxArea];
        const go::Playout end = go::play_out(board, game.to_move(), game.passes(), ko, 3 * game.area(), random, owners);
        all.moves += end.moves;
        all.score += end.score;
        all.squares += std::int64_t(end.score) * end.score;
        ++all.counts[std::size_t(end.score + game.area())];
        for (int square = 0; square < game.area(); ++square) all.owners[std::size_t(square)] += owners[square];
    }
    return all;
}

std::vector<int> ladders(const Go& game, bool is_capture) {
    const go::Point ko = game.ko() < 0 ? go::kNoPoint : game.board().point_of(game.ko());
    const go::Color color = go::stone_of(game.to_move());
    return is_capture ? go::ladder_captures(game.board(), color, ko) : go::ladder_escapes(game.board(), color, ko);
}

// The game of a record from its start to its end. Throws std::invalid_argument if it does not fit the rules.
Go replayed(const records::Record& record, const std::unordered_map<std::string, Go>& starts) {
    const auto start = starts.find(record.start);
    if (start == starts.end()) throw std::invalid_argument("no such start: " + record.start);
    Go game = start->second;
    for (const std::uint16_t place : record.moves) {
        if (game.result() != games::Result::kOngoing || int(place) >= game.move_count())
            throw std::invalid_argument("a game has a move that its position does not have");
        game.play(game.nth_move(place));
    }
    return game;
}

Array2<std::int8_t> final_owners(const Batch& batch, const std::unordered_map<std::string, Go>& starts) {
    const auto normal = starts.find("");
    if (normal == starts.end()) throw std::invalid_argument("the normal start is missing");
    const std::size_t area = std::size_t(normal->second.area()), count = batch.games.size();
    std::vector<std::int8_t> owners(count * area);
    {
        nb::gil_scoped_release release;
        for (std::size_t i = 0; i < count; ++i) {
            const Go end = replayed(batch.games[i], starts);
            if (std::size_t(end.area()) != area) throw std::invalid_argument("a start has another size");
            end.board().score(&owners[i * area]);
        }
    }
    return to_numpy<Array2<std::int8_t>>(std::move(owners), {count, area});
}

}  // namespace

void bind_go(nb::module_& module, nb::class_<games::Go>& c) {
    nb::class_<Playouts>(module, "GoPlayouts", "What came of many playouts.")
        .def_ro("moves", &Playouts::moves, "Moves of all, passes too.")
        .def_ro("score", &Playouts::score, "Sum of Black's points less White's.")
        .def_ro("squares", &Playouts::squares, "Sum of the scores' squares.")
        .def_ro("counts", &Playouts::counts, "Playouts by score, from -area to area.")
        .def_ro("owners", &Playouts::owners, "By square: how often it was Black's less how often White's.");
    c.def_prop_ro("score", &Go::score, "Black's points less White's and komi.")
        .def_prop_ro("ko", &Go::ko, "The square that may not be played, or -1.")
        .def_prop_ro(
            "board_key", [](const Go& game) { return game.board().key(); }, "Hash of the stones alone.")
        .def("legal_moves", &legal_moves, "Squares, then the pass.")
        .def("ownership", &ownership, "By square: 1 Black's, -1 White's, 0 nobody's.")
        .def("playouts", &playouts, "count"_a, "seed"_a, nb::call_guard<nb::gil_scoped_release>(),
             "Plays this position out many times, evenly among the moves that fill no eye of the mover's.")
        .def(
            "ladder_captures", [](const Go& game) { return ladders(game, true); },
            "Squares where the side to move catches a chain in a ladder.")
        .def(
            "ladder_escapes", [](const Go& game) { return ladders(game, false); },
            "Squares where the side to move saves a chain that is in atari.");
    module.def("go_final_owners", &final_owners, "games"_a, "starts"_a,
               "By game and square whose it is at the end: 1 Black's, -1 White's, 0 nobody's. The starts by their "
               "texts, the normal one's empty.");
    module.def("count_go_positions", &go::count_positions, "width"_a, "height"_a,
               nb::call_guard<nb::gil_scoped_release>(), "How many boards are positions: each chain has a liberty.");
}

}  // namespace philidor::bindings
