// Positions of Go in AlphaGo's planes, as a batch for numpy.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/arrays.h"
#include "encodings/alphago.h"
#include "games/go/go.h"

namespace philidor::bindings {

// Planes, scalars, legal offsets, legal indices.
using AlphaGoBatch = std::tuple<Array3<std::uint64_t>, Array2<float>, Array1<std::int64_t>, Array1<std::uint16_t>>;

// Encodes `state_of(*row)` for each of the rows, without the GIL; positions that are over have no moves. Throws
// std::invalid_argument for a board of another size than the example's.
template <typename Rows, typename StateOf>
AlphaGoBatch encode_positions(const Rows& rows, const games::Go& example, int planes, StateOf state_of) {
    const encodings::AlphaGoEncoder encoder = encodings::AlphaGoEncoder::of(example, planes);
    const std::size_t words = std::size_t(encoder.words()), each = std::size_t(encoder.scalars());
    std::vector<std::uint64_t> packed(rows.size() * words);
    std::vector<float> scalars(rows.size() * each);
    std::vector<std::int64_t> offsets{0};
    std::vector<std::uint16_t> legal;
    {
        nanobind::gil_scoped_release release;
        for (std::size_t row = 0; row < rows.size(); ++row) {
            const games::Go& state = state_of(*rows[row]);
            if (state.words() != example.words()) throw std::invalid_argument("boards of one size only");
            const int moves = state.result() == games::Result::kOngoing ? state.move_count() : 0;
            legal.resize(std::size_t(offsets.back() + moves));
            encoder.encode(state, &packed[row * words], scalars.data() + row * each, legal.data() + offsets.back());
            offsets.push_back(std::int64_t(legal.size()));
        }
    }
    const std::size_t count = legal.size(), board_words = std::size_t(example.words());
    return {to_numpy<Array3<std::uint64_t>>(std::move(packed), {rows.size(), words / board_words, board_words}),
            to_numpy<Array2<float>>(std::move(scalars), {rows.size(), each}),
            to_numpy<Array1<std::int64_t>>(std::move(offsets), {rows.size() + 1}),
            to_numpy<Array1<std::uint16_t>>(std::move(legal), {count})};
}

}  // namespace philidor::bindings
