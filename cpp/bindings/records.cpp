// Records for Python: single games, games in bulk, PGN and filters. Files are in record_files.cpp.
#include "records/record.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unordered_map.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bindings/batch.h"
#include "records/chess_record.h"
#include "records/filter.h"
#include "records/pgn.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace philidor::bindings {

using namespace philidor::records;

namespace {

using Counts = std::unordered_map<std::string, std::uint64_t>;

const Record& item(const Batch& batch, nb::ssize_t index) {
    const auto size = nb::ssize_t(batch.games.size());
    if (index < -size || index >= size) throw nb::index_error("no such game in the batch");
    return batch.games[std::size_t(index < 0 ? index + size : index)];
}

// 1. One record. Columns are lists; what is not known is None on the Python side and a sentinel here.

template <typename T>
using Pairs = std::vector<std::pair<T, T>>;

Pairs<std::uint8_t> wdl_pairs(const Record& record) {
    Pairs<std::uint8_t> pairs;
    for (const Wdl wdl : record.wdl) pairs.emplace_back(wdl.win, wdl.loss);
    return pairs;
}

void set_wdl_pairs(Record& record, const Pairs<std::uint8_t>& pairs) {
    record.wdl.clear();
    for (const auto& [win, loss] : pairs) record.wdl.push_back({win, loss});
}

std::vector<Pairs<std::uint16_t>> visit_pairs(const Record& record) {
    std::vector<Pairs<std::uint16_t>> plies;
    for (const std::vector<Visit>& ply : record.visits) {
        plies.emplace_back();
        for (const Visit visit : ply) plies.back().emplace_back(visit.index, visit.count);
    }
    return plies;
}

void set_visit_pairs(Record& record, const std::vector<Pairs<std::uint16_t>>& plies) {
    record.visits.clear();
    for (const Pairs<std::uint16_t>& ply : plies) {
        record.visits.emplace_back();
        for (const auto& [index, count] : ply) record.visits.back().push_back({index, count});
    }
}

void bind_record(nb::module_& module) {
    nb::class_<Record>(module, "Record", "One game; see philidor.records.GameRecord, which wraps it.")
        .def(nb::init<>())
        .def_rw("start", &Record::start)
        .def_rw("moves", &Record::moves)
        .def_prop_rw(
            "result", [](const Record& record) { return int(record.result); },
            [](Record& record, int result) {
                if (result < 0 || result > 3) throw std::invalid_argument("result must be 0 to 3");
                record.result = Result(result);
            })
        .def_rw("termination", &Record::termination)
        .def_prop_rw(
            "ratings", [](const Record& record) { return std::pair(record.ratings[0], record.ratings[1]); },
            [](Record& record, std::pair<std::uint32_t, std::uint32_t> ratings) {
                record.ratings[0] = ratings.first;
                record.ratings[1] = ratings.second;
            })
        .def_rw("source", &Record::source)
        .def_rw("tags", &Record::tags)
        .def_rw("final_score", &Record::final_score)
        .def_rw("scores", &Record::scores)
        .def_prop_rw("wdl", &wdl_pairs, &set_wdl_pairs)
        .def_rw("flags", &Record::flags)
        .def_prop_rw("visits", &visit_pairs, &set_visit_pairs)
        .def_rw("clocks_ms", &Record::clocks_ms)
        .def(
            "__eq__",
            [](const Record& record, nb::handle other) {
                return nb::isinstance<Record>(other) && record == nb::cast<const Record&>(other);
            },
            nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("content_hash", &content_hash, "seed"_a = 0)
        .def("uci_moves", &uci_moves)
        .def("to_pgn", &to_pgn);
}

// 2. Many records.

// (result, termination, plies, first rating, second rating, source, has start, column bits)
using Facts = std::tuple<int, std::string, std::size_t, std::uint32_t, std::uint32_t, std::string, bool, int>;

std::vector<Facts> facts(const Batch& batch) {
    std::vector<Facts> all;
    all.reserve(batch.games.size());
    for (const Record& record : batch.games) {
        const int columns = int(!record.scores.empty()) | int(!record.wdl.empty()) << 1 |
                            int(!record.flags.empty()) << 2 | int(!record.visits.empty()) << 3 |
                            int(!record.clocks_ms.empty()) << 4;
        all.emplace_back(int(record.result), record.termination, record.moves.size(), record.ratings[0],
                         record.ratings[1], record.source, !record.start.empty(), columns);
    }
    return all;
}

Batch take(const Batch& batch, const std::vector<nb::ssize_t>& places) {
    Batch taken;
    taken.games.reserve(places.size());
    for (const nb::ssize_t place : places) taken.games.push_back(item(batch, place));
    return taken;
}

std::vector<std::string> all_tags(const Batch& batch) {
    std::vector<std::string> tags;
    for (const Record& record : batch.games) tags.push_back(record.tags);
    return tags;
}

// Part k takes the games whose hash lies below bounds[k], as a share of all hashes, and not below bounds[k - 1].
std::vector<Batch> split(const Batch& batch, const std::vector<double>& bounds, std::uint64_t seed) {
    std::vector<Batch> parts(bounds.size());
    for (const Record& record : batch.games) {
        const double place = double(content_hash(record, seed) >> 11) * 0x1p-53;
        const auto part = std::upper_bound(bounds.begin(), bounds.end(), place) - bounds.begin();
        if (part < std::ptrdiff_t(parts.size())) parts[std::size_t(part)].games.push_back(record);
    }
    return parts;
}

std::size_t replay_all(const Batch& batch) {
    return std::size_t(std::ranges::count_if(
        batch.games, [](const Record& record) { return replay(record, [](const chess::Board&, chess::Move) {}); }));
}

std::string batch_to_pgn(const Batch& batch) {
    std::string text;
    for (const Record& record : batch.games) text += to_pgn(record);
    return text;
}

std::size_t count_plies(const Batch& batch) {
    std::size_t plies = 0;
    for (const Record& record : batch.games) plies += record.moves.size();
    return plies;
}

void bind_batch(nb::module_& module) {
    nb::class_<Batch>(module, "RecordBatch", "Games in bulk.")
        .def(nb::init<>())
        .def("__len__", [](const Batch& batch) { return batch.games.size(); })
        .def("__getitem__", &item, nb::rv_policy::copy)
        .def_prop_ro("plies", &count_plies, "Moves of all games together.")
        .def("append", [](Batch& batch, const Record& record) { batch.games.push_back(record); })
        .def("extend",
             [](Batch& batch, const Batch& other) {
                 // By index: the other one may be the same.
                 for (std::size_t i = 0, end = other.games.size(); i < end; ++i)
                     batch.games.push_back(Record(other.games[i]));
             })
        .def("take", &take, "places"_a, "The games at these places, in this order.")
        .def("facts", &facts)
        .def("tags", &all_tags, "The lines of each game's tags.")
        .def("split", &split, "bounds"_a, "seed"_a, nb::call_guard<nb::gil_scoped_release>())
        .def("replay", &replay_all, nb::call_guard<nb::gil_scoped_release>(),
             "Plays every move of chess games; returns how many games are legal to the end.")
        .def("to_pgn", &batch_to_pgn, nb::call_guard<nb::gil_scoped_release>());
    module.def(
        "chess_move_indices",
        [](std::string_view start, const std::vector<std::string>& moves) { return move_indices(start, moves); },
        "start"_a, "moves"_a);
}

// 3. PGN.

Batch take_all(PgnReader& reader) {
    Batch batch;
    Record record;
    while (reader.next(record)) batch.games.push_back(record);
    return batch;
}

Counts pgn_skipped(const PgnReader& reader) {
    Counts counts;
    for (std::size_t i = 1; i < reader.counts().skipped.size(); ++i)
        if (const std::uint64_t count = reader.counts().skipped[i])
            counts[std::string(pgn_problem_name(PgnProblem(i)))] = count;
    return counts;
}

void bind_pgn(nb::module_& module) {
    nb::class_<PgnReader>(module, "PgnReader", "Text in pieces of any size in, checked games out.")
        .def(
            "__init__",
            [](PgnReader* self, bool mover_evals, bool annotations, std::vector<std::string> tags) {
                new (self) PgnReader({mover_evals ? EvalView::kMover : EvalView::kWhite, annotations, std::move(tags)});
            },
            "mover_evals"_a = false, "annotations"_a = true, "tags"_a = std::vector<std::string>{})
        .def(
            "feed",
            [](PgnReader& reader, const Buffer& text) {
                const std::string_view bytes = view(text);
                nb::gil_scoped_release unlocked;
                reader.feed(bytes);
                return take_all(reader);
            },
            "text"_a, nb::sig("def feed(self, text: object) -> RecordBatch"))
        .def(
            "finish",
            [](PgnReader& reader) {
                reader.finish();
                return take_all(reader);
            },
            nb::call_guard<nb::gil_scoped_release>())
        .def_prop_ro("games", [](const PgnReader& reader) { return reader.counts().games; })
        .def_prop_ro("plies", [](const PgnReader& reader) { return reader.counts().plies; })
        .def_prop_ro("skipped", &pgn_skipped)
        .def_prop_ro("first_problem", [](const PgnReader& reader) { return reader.counts().first_problem; });
}

// 4. Filters.

Batch apply(Filter& filter, const Batch& batch) {
    Batch kept;
    for (const Record& record : batch.games)
        if (filter.keeps(record)) kept.games.push_back(record);
    return kept;
}

Counts dropped(const Filter& filter) {
    Counts counts;
    for (std::size_t i = 1; i < filter.counts().size(); ++i)
        if (const std::uint64_t count = filter.counts()[i]) counts[std::string(dropped_name(Dropped(i)))] = count;
    return counts;
}

void make_filter(Filter* self, std::uint32_t min_rating, std::uint32_t max_rating, std::int64_t max_gap,
                 std::uint32_t min_plies, std::uint32_t max_plies, std::uint8_t results, bool deduplicate) {
    FilterOptions options;
    options.min_rating = min_rating;
    options.max_rating = max_rating;
    options.has_gap = max_gap >= 0;
    options.max_gap = std::uint32_t(std::clamp<std::int64_t>(max_gap, 0, std::numeric_limits<std::uint32_t>::max()));
    options.min_plies = min_plies;
    options.max_plies = max_plies;
    options.results = results;
    options.deduplicate = deduplicate;
    new (self) Filter(options);
}

void bind_filter(nb::module_& module) {
    nb::class_<Filter>(module, "RecordFilter", "Which games to keep; see philidor.records.RecordFilter.")
        .def("__init__", &make_filter, "min_rating"_a, "max_rating"_a, "max_gap"_a, "min_plies"_a, "max_plies"_a,
             "results"_a, "deduplicate"_a)
        .def("apply", &apply, nb::call_guard<nb::gil_scoped_release>())
        .def("remember",
             [](Filter& filter, const Batch& batch) {
                 for (const Record& record : batch.games) filter.remember(record);
             })
        .def_prop_ro("dropped", &dropped);
}

}  // namespace

void bind_records(nb::module_& module) {
    bind_record(module);
    bind_batch(module);
    bind_pgn(module);
    bind_filter(module);
    bind_record_files(module);
}

}  // namespace philidor::bindings
