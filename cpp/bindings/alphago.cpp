// AlphaGo for Python: its planes, a whole batch at once, and games that its policies play side by side; all without the
// GIL.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bindings/alphago_batch.h"
#include "bindings/arrays.h"
#include "games/go/go.h"
#include "train/go_games.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace philidor::bindings {

namespace {

using games::Go;

using States = nb::typed<nb::sequence, Go>;

AlphaGoBatch encode_alphago(const States& states, const Go& example, int planes) {
    std::vector<const Go*> games;
    for (const nb::handle state : states) games.push_back(&nb::cast<const Go&>(state));
    return encode_positions(games, example, planes, [](const Go& game) -> const Go& { return game; });
}

using train::GoGames;
using Numbers = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::span<const std::int64_t> span_of(const Numbers& numbers) { return {numbers.data(), numbers.size()}; }

Array3<std::uint64_t> encode_games(const GoGames& games, const Numbers& numbers) {
    const std::size_t rows = numbers.size(), words = std::size_t(games.words()),
                      each = std::size_t(games.board_words());
    std::vector<std::uint64_t> packed(rows * words);
    {
        nb::gil_scoped_release release;
        games.encode(span_of(numbers), packed.data());
    }
    return to_numpy<Array3<std::uint64_t>>(std::move(packed), {rows, words / each, each});
}

template <typename T, typename Read>
Array1<T> of_all(const GoGames& games, Read read) {
    std::vector<T> found;
    for (std::size_t i = 0; i < games.size(); ++i) found.push_back(read(games.game(std::int64_t(i))));
    return to_numpy<Array1<T>>(std::move(found), {games.size()});
}

void bind_games(nb::module_& module) {
    nb::class_<GoGames>(module, "GoGames", "Games of Go that are played side by side, known by their numbers.")
        .def(nb::init<const Go&, int, int, int>(), "root"_a, "count"_a, "planes"_a, "threads"_a)
        .def(
            "ongoing",
            [](const GoGames& games) {
                std::vector<std::int64_t> found = games.ongoing();
                const std::size_t count = found.size();
                return to_numpy<Array1<std::int64_t>>(std::move(found), {count});
            },
            "The games that are not over, in order.")
        .def(
            "to_move",
            [](const GoGames& games) {
                return of_all<std::int8_t>(games, [](const Go& game) { return std::int8_t(game.to_move()); });
            },
            "By game: the player to move.")
        .def(
            "scores",
            [](const GoGames& games) { return of_all<double>(games, [](const Go& game) { return game.score(); }); },
            "By game: Black's points less White's and komi, as the board stands.")
        .def(
            "state",
            [](const GoGames& games, std::int64_t number) {
                if (number < 0 || number >= std::int64_t(games.size())) throw std::invalid_argument("no such game");
                return games.game(number);
            },
            "number"_a, "A copy of one game.")
        .def("encode", &encode_games, "numbers"_a, "The planes of these games, which must not be over.")
        .def(
            "play",
            [](GoGames& games, const Numbers& numbers, const Numbers& moves) {
                games.play(span_of(numbers), span_of(moves));
            },
            "numbers"_a, "moves"_a, nb::call_guard<nb::gil_scoped_release>(),
            "Plays a move in each of these games: a square, or the number of squares for a pass.");
}

}  // namespace

void bind_alphago(nb::module_& module) {
    bind_games(module);
    module.def("encode_alphago", &encode_alphago, "states"_a, "example"_a, "planes"_a,
               "(planes, scalars, legal offsets, legal indices) of states on a board of the example's size.");
}

}  // namespace philidor::bindings
