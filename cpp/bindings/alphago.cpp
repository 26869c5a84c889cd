// AlphaGo for Python: its planes, a whole batch at once, without the GIL.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/arrays.h"
#include "encodings/alphago.h"
#include "games/go/go.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace philidor::bindings {

namespace {

using games::Go;

using Encoded = std::tuple<Array3<std::uint64_t>, Array2<float>, Array1<std::int64_t>, Array1<std::uint16_t>>;

using States = nb::typed<nb::sequence, Go>;

Encoded encode_alphago(const States& states, const Go& example, int planes) {
    const encodings::AlphaGoEncoder encoder = encodings::AlphaGoEncoder::of(example, planes);
    std::vector<const Go*> games;
    for (const nb::handle state : states) games.push_back(&nb::cast<const Go&>(state));
    const std::size_t rows = games.size(), words = std::size_t(encoder.words()), each = std::size_t(encoder.scalars());
    std::vector<std::uint64_t> packed(rows * words);
    std::vector<float> scalars(rows * each);
    std::vector<std::int64_t> offsets{0};
    std::vector<std::uint16_t> legal;
    {
        nb::gil_scoped_release release;
        for (std::size_t row = 0; row < rows; ++row) {
            const Go& game = *games[row];
            if (game.words() != example.words()) throw std::invalid_argument("boards of one size only");
            const int moves = game.result() == games::Result::kOngoing ? game.move_count() : 0;
            legal.resize(std::size_t(offsets.back() + moves));
            encoder.encode(game, &packed[row * words], scalars.data() + row * each, legal.data() + offsets.back());
            offsets.push_back(std::int64_t(legal.size()));
        }
    }
    const std::size_t count = legal.size(), board_words = std::size_t(example.words());
    return {to_numpy<Array3<std::uint64_t>>(std::move(packed), {rows, words / board_words, board_words}),
            to_numpy<Array2<float>>(std::move(scalars), {rows, each}),
            to_numpy<Array1<std::int64_t>>(std::move(offsets), {rows + 1}),
            to_numpy<Array1<std::uint16_t>>(std::move(legal), {count})};
}

}  // namespace

void bind_alphago(nb::module_& module) {
    module.def("encode_alphago", &encode_alphago, "states"_a, "example"_a, "planes"_a,
               "(planes, scalars, legal offsets, legal indices) of states on a board of the example's size.");
}

}  // namespace philidor::bindings
