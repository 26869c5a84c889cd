// Training data from recorded games for Python: an index of files, and streams of batches made without the GIL.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unordered_map.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "bindings/arrays.h"
#include "bindings/batch.h"
#include "bindings/held_index.h"
#include "encodings/small_games.h"
#include "train/game_stream.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace philidor::bindings {

namespace {

using train::GameBatch;
using train::GameIndex;
using train::GameReplayerOf;
using train::GameStream;
using train::IndexOptions;
using train::Part;
using train::StreamOptions;
using train::StreamPosition;

using LossCounts = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;

LossCounts add_file(HeldIndex& held, const Buffer& file, const std::string& game, int threads) {
    held.index->buffers.push_back(file);
    GameIndex::Losses losses;
    {
        nb::gil_scoped_release release;
        losses = held.index->add(view(file), game, threads);
    }
    return {losses.games, losses.damaged_blocks, losses.stray_bytes};
}

nb::dict skipped_games(const HeldIndex& held) {
    const train::SkippedGames& skipped = held.index->skipped();
    nb::dict counts;
    const auto put = [&counts](std::string_view name, std::uint64_t count) {
        if (count > 0) counts[nb::str(name.data(), name.size())] = count;
    };
    for (std::size_t reason = 1; reason < skipped.filtered.size(); ++reason)
        put(records::dropped_name(records::Dropped(reason)), skipped.filtered[reason]);
    put("other part", skipped.other_part);
    put("other source", skipped.other_source);
    put("broken", skipped.broken);
    put("no position to learn from", skipped.without_positions);
    return counts;
}

template <typename Walk>
HeldIndex make_index(const IndexOptions& options, Walk walk) {
    return HeldIndex(options, std::make_unique<GameReplayerOf<Walk>>(std::move(walk)));
}

template <games::NativeGame G, typename E, typename... Argument>
void bind_index_of(nb::module_& module, std::type_identity<std::tuple<Argument...>>) {
    module.def((std::string(E::kName) + "_game_index").c_str(),
               [](const IndexOptions& options, std::unordered_map<std::string, G> starts, Argument... arguments) {
                   const auto normal = starts.find("");
                   if (normal == starts.end()) throw std::invalid_argument("the normal start is missing");
                   const E encoder = E::of(normal->second, arguments...);
                   return make_index(options, train::SmallGameWalk<G, E>(std::move(starts), encoder));
               },
               "An index of games that are seen by this encoder; the texts of their starts, the normal one's empty.");
}

void bind_index_makers(nb::module_& module) {
    module.def(
        "alphazero_game_index",
        [](const IndexOptions& options) {
            return make_index(options, train::ChessWalk(encodings::AlphaZeroEncoder()));
        },
        "options"_a, "An index of chess games that are seen in AlphaZero's planes.");
    module.def(
        "leela_game_index",
        [](const IndexOptions& options, int input, encodings::HistoryFill fill, encodings::LeelaPolicy policy) {
            const encodings::LeelaEncoder encoder({encodings::LeelaInput(input), fill, policy});
            return make_index(options, train::ChessWalk(encoder));
        },
        "options"_a, "input_format"_a, "fill"_a, "policy"_a,
        "An index of chess games that are seen in Leela's planes.");
    encodings::for_each_encoded_game([&module]<games::NativeGame G, typename E>() {
        bind_index_of<G, E>(module, std::type_identity<typename E::Arguments>{});
    });
}

void bind_index(nb::module_& module) {
    nb::enum_<Part>(module, "GamePart", "What a game is for, by the hash of its moves.")
        .value("TRAIN", Part::kTrain)
        .value("VALIDATION", Part::kValidation)
        .value("TEST", Part::kTest)
        .value("ALL", Part::kAll);
    nb::class_<IndexOptions>(module, "GameIndexOptions", "Which games and positions; see philidor.train.game_data.")
        .def(nb::init<>())
        .def_rw("part", &IndexOptions::part)
        .def("set_filter",
             [](IndexOptions& options, const records::Filter& filter) { options.games = filter.options(); })
        .def_rw("sources", &IndexOptions::sources)
        .def_rw("rating_bands", &IndexOptions::rating_bands)
        .def(
            "set_plies",
            [](IndexOptions& options, int skip, bool needs_visits, bool needs_scores, bool skips_cheap) {
                options.plies = {skip, needs_visits, needs_scores, skips_cheap};
            },
            nb::kw_only(), "skip"_a, "needs_visits"_a, "needs_scores"_a, "skips_cheap"_a);
    nb::class_<HeldIndex>(module, "GameIndex", "The games of files that are trained on, eight bytes each.")
        .def("add", &add_file, "file"_a, "game"_a, "threads"_a = 1,
             nb::sig("def add(self, file: object, game: str, threads: int = 1) -> tuple[int, int, int]"),
             "Adds a file; returns the lost games, the damaged blocks and the stray bytes.")
        .def_prop_ro("games", [](const HeldIndex& held) { return held.index->games(); })
        .def_prop_ro("positions", [](const HeldIndex& held) { return held.index->positions(); })
        .def(
            "positions_by_band",
            [](const HeldIndex& held, std::size_t file) {
                if (file >= held.index->files()) throw nb::index_error("there is no such file");
                return held.index->positions_by_band(file);
            },
            "file"_a, "Positions of a file by the band of the mover's rating; the first has the unknown ones.")
        .def_prop_ro("skipped", &skipped_games, nb::sig("def skipped(self) -> dict[str, int]"),
                     "Games that were left out, by reason.")
        .def_prop_ro("fingerprint", [](const HeldIndex& held) { return held.index->fingerprint(); });
    module.def(
        "game_part", [](const records::Record& record) { return train::part_of(record); }, "record"_a,
        "The part that a game belongs to.");
}

template <typename A, typename T>
void put(nb::dict& columns, const char* name, std::vector<T>&& values, std::initializer_list<std::size_t> shape) {
    columns[name] = to_numpy<A>(std::move(values), shape);
}

template <typename T>
void put(nb::dict& columns, const char* name, std::vector<T>&& values) {
    const std::size_t size = values.size();
    put<Array1<T>>(columns, name, std::move(values), {size});
}

nb::dict columns_of(GameBatch&& batch) {
    const std::size_t n = batch.rows, words = batch.planes.size() / n, scalars = batch.scalars.size() / n;
    nb::dict columns;
    put<Array2<std::uint64_t>>(columns, "planes", std::move(batch.planes), {n, words});
    put<Array2<float>>(columns, "scalars", std::move(batch.scalars), {n, scalars});
    put<Array2<float>>(columns, "wdl", std::move(batch.wdl), {n, 3});
    put<Array2<float>>(columns, "search_wdl", std::move(batch.search_wdl), {n, 3});
    put<Array2<std::uint16_t>>(columns, "ratings", std::move(batch.ratings), {n, 2});
    put(columns, "legal_offsets", std::move(batch.legal_offsets));
    put(columns, "legal_index", std::move(batch.legal_index));
    put(columns, "target_offsets", std::move(batch.target_offsets));
    put(columns, "target_index", std::move(batch.target_index));
    put(columns, "target_weight", std::move(batch.target_weight));
    put(columns, "played", std::move(batch.played));
    put(columns, "moves_left", std::move(batch.moves_left));
    put(columns, "weight", std::move(batch.weight));
    put(columns, "score", std::move(batch.score));
    put(columns, "ply", std::move(batch.ply));
    put(columns, "flags", std::move(batch.flags));
    put(columns, "phase", std::move(batch.phase));
    put(columns, "has_history", std::move(batch.has_history));
    put(columns, "has_visits", std::move(batch.has_visits));
    put(columns, "clock_ms", std::move(batch.clock_ms));
    put(columns, "game", std::move(batch.game));
    put(columns, "file", std::move(batch.file));
    columns["next"] = std::tuple(batch.next.epoch, batch.next.chunk, batch.next.row);
    return columns;
}

// Python sees Ctrl-C only between two waits.
constexpr std::chrono::duration<double> kPatience{0.1};

nb::object next_batch(GameStream& stream) {
    for (;;) {
        std::unique_ptr<GameBatch> batch;
        {
            nb::gil_scoped_release release;
            batch = stream.next(kPatience);
        }
        if (batch) return columns_of(std::move(*batch));
        if (stream.is_over()) return nb::none();
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }
}

void bind_stream(nb::module_& module) {
    nb::class_<StreamOptions>(module, "GameStreamOptions", "How batches are made; see philidor.train.game_data.")
        .def(nb::init<>())
        .def_rw("batch", &StreamOptions::batch)
        .def_rw("passes", &StreamOptions::passes)
        .def_rw("shuffle", &StreamOptions::shuffle)
        .def_rw("is_shuffled", &StreamOptions::is_shuffled)
        .def_rw("drop_history", &StreamOptions::drop_history)
        .def_rw("trace", &StreamOptions::trace)
        .def_rw("seed", &StreamOptions::seed)
        .def_rw("epochs", &StreamOptions::epochs, "0 for no end.")
        .def(
            "set_forms",
            [](StreamOptions& options, std::vector<std::vector<std::uint16_t>> squares,
               std::vector<std::vector<std::uint16_t>> places) {
                options.forms = {std::move(squares), std::move(places)};
            },
            "squares"_a, "places"_a, "By symmetric form: where each square and each place of the policy goes.")
        .def_rw("rates", &StreamOptions::rates, "By file and band: how often a position is in an epoch.")
        .def_rw("weights", &StreamOptions::weights, "By file and band: its weight in the loss.");
    nb::class_<GameStream>(module, "GameStream", "Batches of positions, made ahead of the one who takes them.")
        .def(
            "__init__",
            [](GameStream* self, const HeldIndex& held, const StreamOptions& options,
               const std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>& start, int threads) {
                const auto [epoch, chunk, row] = start;
                new (self) GameStream(held.index, options, StreamPosition{epoch, chunk, row}, threads);
            },
            "index"_a, "options"_a, "start"_a = std::tuple(0, 0, 0), "threads"_a = 1)
        .def("next", &next_batch, nb::sig("def next(self) -> dict[str, typing.Any] | None"),
             "The columns of the next batch, or None after the last; `next` among them is where the stream goes on.");
}

}  // namespace

void bind_game_stream(nb::module_& module) {
    bind_index(module);
    bind_index_makers(module);
    bind_stream(module);
}

}  // namespace philidor::bindings
