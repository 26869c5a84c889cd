// Encoders for Python: whole batches at once, without the GIL.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/arrays.h"
#include "bindings/position.h"
#include "encodings/alphazero.h"
#include "encodings/expand.h"
#include "encodings/leela.h"
#include "games/chess/movegen.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace philidor::bindings {

namespace {

using namespace philidor::encodings;

using Encoded = std::tuple<Array3<std::uint64_t>, Array2<float>, Array1<std::int64_t>, Array1<std::uint16_t>>;

// `encode(position, planes, scalars)` writes one row and returns what `index(board, move, that)` needs.
template <typename Encode, typename Index>
Encoded encode_all(const std::vector<PyPosition>& positions, int packed, int scalar, Encode encode, Index index) {
    const std::size_t count = positions.size();
    std::vector<std::uint64_t> planes(count * std::size_t(packed));
    std::vector<float> scalars(count * std::size_t(scalar));
    std::vector<std::int64_t> offsets{0};
    std::vector<std::uint16_t> indices;
    {
        nb::gil_scoped_release release;
        indices.reserve(40 * count);
        for (std::size_t row = 0; row < count; ++row) {
            const chess::Position& position = *positions[row].ptr;
            const auto turn = encode(position, &planes[row * std::size_t(packed)], &scalars[row * std::size_t(scalar)]);
            chess::MoveList moves = chess::legal_moves(position.board());
            chess::sort_canonical(moves);
            for (chess::Move move : moves) indices.push_back(index(position.board(), move, turn));
            offsets.push_back(std::int64_t(indices.size()));
        }
    }
    const std::size_t legal = indices.size();
    return {to_numpy<Array3<std::uint64_t>>(std::move(planes), {count, std::size_t(packed), 1}),
            to_numpy<Array2<float>>(std::move(scalars), {count, std::size_t(scalar)}),
            to_numpy<Array1<std::int64_t>>(std::move(offsets), {count + 1}),
            to_numpy<Array1<std::uint16_t>>(std::move(indices), {legal})};
}

LeelaInput checked_input(int input) {
    if ((input < 1 || input > 5) && input != 132 && input != 133)
        throw std::invalid_argument("Leela's input formats are 1 to 5, 132 and 133, got " + std::to_string(input));
    return LeelaInput(input);
}

Encoded encode_leela_batch(const std::vector<PyPosition>& positions, int input, HistoryFill fill, LeelaPolicy policy) {
    const LeelaFormat format{checked_input(input), fill, policy};
    return encode_all(
        positions, kLeelaPackedPlanes, kLeelaScalars,
        [&](const chess::Position& position, std::uint64_t* planes, float* scalars) {
            const PositionHistory history(position, history_needed(format, position.board()));
            return encode_leela(format, history, planes, scalars);
        },
        [&](const chess::Board& board, chess::Move move, Turn turn) { return leela_index(format, turn, board, move); });
}

Encoded encode_alphazero_batch(const std::vector<PyPosition>& positions) {
    for (const PyPosition& position : positions)
        if (position.board().is_chess960()) throw std::invalid_argument("Chess960 has no AlphaZero planes");
    return encode_all(
        positions, kAlphaZeroPackedPlanes, kAlphaZeroScalars,
        [](const chess::Position& position, std::uint64_t* planes, float* scalars) {
            encode_alphazero(PositionHistory(position), planes, scalars);
            return 0;
        },
        [](const chess::Board& board, chess::Move move, int) { return alphazero_index(board, move); });
}

using PackedInput = nb::ndarray<const std::uint64_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using ScalarInput = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

Array4<float> expand_batch(const PackedInput& planes, const ScalarInput& scalars, int height, int width) {
    const std::size_t count = planes.shape(0), packed = planes.shape(1), words = planes.shape(2);
    if (height < 1 || width < 1 || words != std::size_t((height * width + 63) / 64) || scalars.shape(0) != count)
        throw std::invalid_argument("planes [n, p, words], scalars [n, s] and the board's size must agree");
    const std::size_t all = packed + scalars.shape(1), squares = std::size_t(height) * std::size_t(width);
    std::vector<float> expanded(count * all * squares);
    {
        nb::gil_scoped_release release;
        for (std::size_t row = 0; row < count; ++row)
            expand_planes(planes.data() + row * packed * words, int(packed), scalars.data() + row * scalars.shape(1),
                          int(scalars.shape(1)), int(squares), &expanded[row * all * squares]);
    }
    return to_numpy<Array4<float>>(std::move(expanded), {count, all, std::size_t(height), std::size_t(width)});
}

}  // namespace

void bind_encodings(nb::module_& module) {
    nb::enum_<HistoryFill>(module, "HistoryFill", "What stands for the boards before the first known one.")
        .value("NO", HistoryFill::kNo)
        .value("FEN_ONLY", HistoryFill::kFenOnly)
        .value("ALWAYS", HistoryFill::kAlways);
    nb::enum_<LeelaPolicy>(module, "LeelaPolicy", "How a policy head numbers the moves.")
        .value("FLAT", LeelaPolicy::kFlat)
        .value("PLANES", LeelaPolicy::kPlanes);
    module.def("encode_leela", &encode_leela_batch, "positions"_a, "input_format"_a, "fill"_a, "policy"_a,
               "(planes, scalars, legal offsets, legal indices) in one of Leela's input formats.");
    module.def("encode_alphazero", &encode_alphazero_batch, "positions"_a,
               "(planes, scalars, legal offsets, legal indices) as AlphaZero has them.");
    module.def("expand_planes", &expand_batch, "planes"_a, "scalars"_a, "height"_a, "width"_a,
               "Bits and scalars as a float for each square.");
}

}  // namespace philidor::bindings
