// Training positions for Python: games in, batches of sparse inputs out.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/tuple.h>

#include <array>
#include <tuple>

#include "bindings/batch.h"
#include "encodings/chess_encoders.h"
#include "train/position_set.h"
#include "train/row_sums.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace philidor::bindings {

namespace {

using train::BatchMaker;
using train::kMaxInputs;
using train::PackedPosition;
using train::PositionFilter;
using train::PositionSet;

template <typename T, int Dimensions>
using Out = nb::ndarray<T, nb::ndim<Dimensions>, nb::c_contig, nb::device::cpu>;
using Indices = nb::ndarray<const std::uint32_t, nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Scores = nb::ndarray<const std::int16_t, nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void fill(const BatchMaker& maker, const PositionSet& set, const Indices& indices, const Out<std::int32_t, 2>& own,
          const Out<std::int32_t, 2>& theirs, const Out<std::uint8_t, 1>& bucket, const Out<float, 1>& score,
          const Out<float, 1>& result, int threads) {
    const std::size_t count = indices.shape(0);
    if (own.shape(0) < count || own.shape(1) != kMaxInputs || theirs.shape(0) < count ||
        theirs.shape(1) != kMaxInputs || bucket.shape(0) < count || score.shape(0) < count || result.shape(0) < count)
        throw std::invalid_argument("the arrays are too small for the batch");
    for (std::size_t i = 0; i < count; ++i)
        if (indices.data()[i] >= set.size()) throw std::invalid_argument("there is no such position");
    nb::gil_scoped_release release;
    maker.fill(set, {indices.data(), count}, {own.data(), theirs.data(), bucket.data(), score.data(), result.data()},
               threads);
}

template <typename Encoder>
void encode(const PositionSet& set, const Encoder& encoder, std::size_t first, const Out<std::uint64_t, 2>& planes,
            const Out<float, 2>& scalars, int threads) {
    const std::size_t count = planes.shape(0);
    if (planes.shape(1) != std::size_t(encoder.words()) || scalars.shape(0) != count ||
        scalars.shape(1) != std::size_t(encoder.scalars()))
        throw std::invalid_argument("the arrays do not fit the encoding");
    if (first + count > set.size()) throw std::invalid_argument("there is no such position");
    nb::gil_scoped_release release;
    set.encode(encoder, first, count, planes.data(), scalars.data(), threads);
}

void encode_leela(const PositionSet& set, std::size_t first, const Out<std::uint64_t, 2>& planes,
                  const Out<float, 2>& scalars, int threads, int input, encodings::HistoryFill fill,
                  encodings::LeelaPolicy policy) {
    encode(set, encodings::LeelaEncoder({encodings::LeelaInput(input), fill, policy}), first, planes, scalars, threads);
}

void encode_alphazero(const PositionSet& set, std::size_t first, const Out<std::uint64_t, 2>& planes,
                      const Out<float, 2>& scalars, int threads) {
    encode(set, encodings::AlphaZeroEncoder(), first, planes, scalars, threads);
}

// The bytes belong to Python; the set keeps them alive.
void borrow(PositionSet& set, const Buffer& bytes, std::size_t offset, std::size_t count, int threads) {
    if (offset % alignof(PackedPosition) || std::uintptr_t(bytes.data()) % alignof(PackedPosition) ||
        offset > bytes.size() || count > (bytes.size() - offset) / sizeof(PackedPosition))
        throw std::invalid_argument("there are not so many bytes");
    set.borrow({reinterpret_cast<const PackedPosition*>(bytes.data() + offset), count}, threads);
}

nb::bytes shuffled(const PositionSet& set, std::uint64_t key) {
    const std::vector<PackedPosition> found = set.shuffled(key);
    return nb::bytes(reinterpret_cast<const char*>(found.data()), found.size() * sizeof(PackedPosition));
}

void set_scores(PositionSet& set, std::size_t first, const Scores& scores) {
    if (first < set.borrowed() || first + scores.shape(0) > set.size())
        throw std::invalid_argument("there is no such position to change");
    set.set_scores(first, {scores.data(), scores.shape(0)});
}

using Floats = nb::ndarray<const float, nb::ro, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using RowNumbers = nb::ndarray<const std::int32_t, nb::ro, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// `table` is [rows, width], `values` [lists, width].
template <typename Table, typename Values>
train::RowLists row_lists(const RowNumbers& indices, const Table& table, const Values& values) {
    if (values.shape(0) != indices.shape(0) || values.shape(1) != table.shape(1))
        throw std::invalid_argument("the arrays do not fit together");
    return {indices.data(), indices.shape(0), indices.shape(1), table.shape(0), table.shape(1)};
}

void sum_rows(const Floats& table, const RowNumbers& indices, const Out<float, 2>& sums, int threads) {
    const train::RowLists lists = row_lists(indices, table, sums);
    nb::gil_scoped_release release;
    train::sum_rows(lists, table.data(), sums.data(), threads);
}

void add_to_rows(const Out<float, 2>& table, const RowNumbers& indices, const Floats& gradients, int threads) {
    const train::RowLists lists = row_lists(indices, table, gradients);
    nb::gil_scoped_release release;
    train::add_to_rows(lists, gradients.data(), table.data(), threads);
}

}  // namespace

void bind_position_set(nb::module_& module) {
    nb::class_<PositionFilter>(module, "PositionFilter", "Which positions to take; philidor.train explains it.")
        .def(nb::init<>())
        .def_rw("skip_plies", &PositionFilter::skip_plies)
        .def_rw("max_score", &PositionFilter::max_score)
        .def_rw("only_quiet", &PositionFilter::only_quiet)
        .def_rw("needs_scores", &PositionFilter::needs_scores)
        .def_rw("strays", &PositionFilter::strays)
        .def_rw("stray_plies", &PositionFilter::stray_plies)
        .def_rw("keep", &PositionFilter::keep)
        .def_rw("from_share", &PositionFilter::from_share)
        .def_rw("to_share", &PositionFilter::to_share)
        .def_rw("seed", &PositionFilter::seed);
    nb::class_<PositionSet>(module, "PositionSet", "Positions of scored games, 32 bytes each.")
        .def(nb::init<const PositionFilter&>(), "filter"_a)
        .def(
            "add", [](PositionSet& set, const Batch& batch, int threads) { return set.add(batch.games, threads); },
            "batch"_a, "threads"_a = 1, nb::call_guard<nb::gil_scoped_release>(),
            "Takes the positions of games; returns how many games could not be replayed.")
        .def("borrow", &borrow, "bytes"_a, "offset"_a, "count"_a, "threads"_a = 1, nb::keep_alive<1, 2>(),
             "Shows positions of a file that is mapped; ValueError if some are none.")
        .def("shuffled", &shuffled, "key"_a, "The bytes of all positions, in an order that is the key's.")
        .def_prop_ro("borrowed", &PositionSet::borrowed, "How many positions, the first ones, are in files.")
        .def("__len__", &PositionSet::size)
        .def(
            "__getitem__",
            [](const PositionSet& set, std::size_t index) {
                if (index >= set.size()) throw nb::index_error("there is no such position");
                const PackedPosition& position = set[index];
                return std::tuple(int(position.score), position.result / 2.0, int(position.to_move), int(position.ply));
            },
            "index"_a, "(score, result, side to move, ply), in the side to move's view.")
        .def("encode_leela", &encode_leela, "first"_a, "planes"_a, "scalars"_a, "threads"_a, "input_format"_a, "fill"_a,
             "policy"_a, "Writes positions without their history, from the first on, as Leela's networks see them.")
        .def("encode_alphazero", &encode_alphazero, "first"_a, "planes"_a, "scalars"_a, "threads"_a,
             "The same as AlphaZero's networks see them.")
        .def("set_scores", &set_scores, "first"_a, "scores"_a, "Replaces scores, from the first position on.");
    nb::class_<BatchMaker>(module, "BatchMaker", "Turns positions into the inputs of an NNUE network.")
        .def(
            "__init__",
            [](BatchMaker* self, const std::array<int, 64>& buckets, int black_mask, bool is_mirrored, bool has_kings,
               int spare, int output_buckets) {
                evaluators::nnue::Architecture architecture;
                architecture.features = {buckets, black_mask, is_mirrored, has_kings, spare};
                architecture.output_buckets = output_buckets;
                new (self) BatchMaker(architecture);
            },
            nb::kw_only(), "buckets"_a, "black_mask"_a, "is_mirrored"_a, "has_kings"_a, "spare"_a, "output_buckets"_a)
        .def_prop_ro("padding", &BatchMaker::padding, "What stands where there is no further input.")
        .def("fill", &fill, "positions"_a, "indices"_a, "own"_a, "theirs"_a, "bucket"_a, "score"_a, "result"_a,
             "threads"_a = 1, "Writes the positions at these indices into arrays.");
    module.def("sum_rows", &sum_rows, "table"_a, "indices"_a, "sums"_a, "threads"_a = 1,
               "Writes the sum of the rows that each list of indices names; the first index that is no row ends it.");
    module.def("add_to_rows", &add_to_rows, "table"_a, "indices"_a, "gradients"_a, "threads"_a = 1,
               "Adds each list's gradient to the rows that it names: what `sum_rows` leads back to.");
}

}  // namespace philidor::bindings
