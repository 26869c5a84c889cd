// SGF for Python: games of Go in bulk.
#include "records/sgf.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unordered_map.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bindings/batch.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace philidor::bindings {

using namespace philidor::records;

namespace {

Batch take_all(SgfReader& reader) {
    Batch batch;
    Record record;
    while (reader.next(record)) batch.games.push_back(record);
    return batch;
}

std::unordered_map<std::string, std::uint64_t> skipped(const SgfReader& reader) {
    std::unordered_map<std::string, std::uint64_t> counts;
    for (std::size_t i = 1; i < reader.counts().skipped.size(); ++i)
        if (const std::uint64_t count = reader.counts().skipped[i])
            counts[std::string(sgf_problem_name(SgfProblem(i)))] = count;
    return counts;
}

}  // namespace

void bind_sgf(nb::module_& module) {
    nb::class_<SgfReader>(module, "SgfReader", "Text in pieces of any size in, checked games of Go out.")
        .def(
            "__init__",
            [](SgfReader* self, int width, int height, std::vector<std::string> tags) {
                new (self) SgfReader({width, height, std::move(tags)});
            },
            "width"_a = 0, "height"_a = 0, "tags"_a = std::vector<std::string>{})
        .def(
            "feed",
            [](SgfReader& reader, const Buffer& text) {
                const std::string_view bytes = view(text);
                nb::gil_scoped_release unlocked;
                reader.feed(bytes);
                return take_all(reader);
            },
            "text"_a, nb::sig("def feed(self, text: object) -> RecordBatch"))
        .def(
            "finish",
            [](SgfReader& reader) {
                reader.finish();
                return take_all(reader);
            },
            nb::call_guard<nb::gil_scoped_release>())
        .def_prop_ro("width", &SgfReader::width)
        .def_prop_ro("height", &SgfReader::height)
        .def_prop_ro("games", [](const SgfReader& reader) { return reader.counts().games; })
        .def_prop_ro("plies", [](const SgfReader& reader) { return reader.counts().plies; })
        .def_prop_ro("skipped", &skipped)
        .def_prop_ro("first_problem", [](const SgfReader& reader) { return reader.counts().first_problem; });
    module.def(
        "batch_to_sgf",
        [](const Batch& batch, int width, int height, const std::string& ko_rule, bool suicide, int max_plies) {
            const games::go::Rules rules{0, games::go::ko_rule_named(ko_rule), suicide, max_plies};
            std::string text;
            for (const Record& record : batch.games) text += to_sgf(record, width, height, rules);
            return nb::bytes(text.data(), text.size());
        },
        "batch"_a, "width"_a, "height"_a, "ko_rule"_a, "suicide"_a, "max_plies"_a,
        "Games of Go as lines of SGF in UTF-8.");
    module.def(
        "go_record_moves",
        [](const Record& record, int width, int height, const std::string& ko_rule, bool suicide, int max_plies) {
            return go_moves(record, width, height, {0, games::go::ko_rule_named(ko_rule), suicide, max_plies});
        },
        "record"_a, "width"_a, "height"_a, "ko_rule"_a, "suicide"_a, "max_plies"_a,
        "The squares of a record's moves; the pass is the number after the last.");
}

}  // namespace philidor::bindings
