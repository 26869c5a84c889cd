// Pools of self-play games for Python: batches of packed planes out, logits and chances in, without the GIL.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "bindings/arrays.h"
#include "bindings/batch.h"
#include "bindings/position.h"
#include "encodings/chess_encoders.h"
#include "encodings/small_games.h"
#include "selfplay/pool/pool_of.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace philidor::bindings {

namespace {

using selfplay::Pool;
using selfplay::PoolLeaves;
using selfplay::PoolOf;
using selfplay::PoolRecord;
using selfplay::PoolSettings;

using Floats = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Chances = nb::ndarray<const float, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;

// A pool and what it does not know of its games: the texts of its roots, and where they are from.
struct PyPool {
    std::unique_ptr<Pool> pool;
    std::vector<std::string> starts;  // by root; the first is the normal start and has none
    std::string source;
};

// (id, planes [n, words], scalars, legal offsets, legal indices, seats)
using Leaves = std::tuple<std::int64_t, Array2<std::uint64_t>, Array2<float>, Array1<std::int64_t>,
                          Array1<std::uint16_t>, Array1<std::uint8_t>>;

std::optional<Leaves> collect(PyPool& self, int limit) {
    std::optional<PoolLeaves> found;
    {
        nb::gil_scoped_release release;
        found = self.pool->collect(limit);
    }
    if (!found) return std::nullopt;
    const std::size_t n = found->count, words = found->planes.size() / n, scalars = found->scalars.size() / n;
    const std::size_t legal = found->legal_index.size();
    return Leaves(found->id, to_numpy<Array2<std::uint64_t>>(std::move(found->planes), {n, words}),
                  to_numpy<Array2<float>>(std::move(found->scalars), {n, scalars}),
                  to_numpy<Array1<std::int64_t>>(std::move(found->legal_offsets), {n + 1}),
                  to_numpy<Array1<std::uint16_t>>(std::move(found->legal_index), {legal}),
                  to_numpy<Array1<std::uint8_t>>(std::move(found->seats), {n}));
}

void apply(PyPool& self, std::int64_t id, const Floats& logits, const Chances& wdl,
           const std::optional<Floats>& moves_left) {
    std::span<const float> left;
    if (moves_left) left = {moves_left->data(), moves_left->size()};
    nb::gil_scoped_release release;
    self.pool->apply(id, {logits.data(), logits.size()}, {wdl.data(), wdl.size()}, left);
}

constexpr std::string_view kNumberTag = "Game ", kRandomTag = "Random ";

// The number in the line of the tags that begins with `name`; none if there is no such line.
std::optional<std::uint64_t> number_tag(std::string_view tags, std::string_view name) {
    while (!tags.empty()) {
        const std::string_view line = tags.substr(0, tags.find('\n'));
        tags.remove_prefix(std::min(tags.size(), line.size() + 1));
        if (!line.starts_with(name)) continue;
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(line.data() + name.size(), line.data() + line.size(), value);
        if (error == std::errc() && end == line.data() + line.size()) return value;
    }
    return std::nullopt;
}

Batch to_batch(const PyPool& self, std::vector<PoolRecord>&& found, bool is_finished) {
    Batch batch;
    batch.games.reserve(found.size());
    for (PoolRecord& each : found) {
        records::Record& game = batch.games.emplace_back(std::move(each.game));
        game.start = self.starts.at(std::size_t(each.root));
        game.source = self.source;
        game.tags = std::string(kNumberTag) + std::to_string(each.number) + "\n";
        if (!is_finished) game.tags += std::string(kRandomTag) + std::to_string(each.random_state) + "\n";
    }
    return batch;
}

void resume(PyPool& self, const Batch& batch) {
    for (const records::Record& game : batch.games) {
        const auto number = number_tag(game.tags, kNumberTag), state = number_tag(game.tags, kRandomTag);
        if (!number || !state) throw std::invalid_argument("an unfinished game lacks its number or its random state");
        const auto start = std::find(self.starts.begin(), self.starts.end(), game.start);
        if (start == self.starts.end()) throw std::invalid_argument("an unfinished game has a start of its own");
        try {
            self.pool->resume({std::int64_t(*number), int(start - self.starts.begin()), *state, game});
        } catch (const std::invalid_argument& error) {
            throw std::invalid_argument("game " + std::to_string(*number) + ": " + error.what());
        }
    }
}

// What all pools are made with, whatever the game.
struct Setup {
    PoolSettings settings;
    std::size_t start_count = 1;
    std::vector<std::string> starts{""};
    std::string source;
    std::uint64_t seed = 1;
    int games = 1;
    int threads = 1;
};

template <games::Game G, typename E>
PyPool make(const Setup& setup, std::vector<G> roots, E encoder) {
    if (setup.games < 1 || setup.threads < 1 || setup.start_count < 1 || setup.start_count > roots.size() ||
        setup.starts.size() != roots.size())
        throw std::invalid_argument("a pool has a game, a thread, and a text for each root to begin at");
    for (std::size_t i = 0; i < setup.start_count; ++i)
        if (roots[i].result() != games::Result::kOngoing) throw std::invalid_argument("a start is over");
    auto pool = std::make_unique<PoolOf<G, E>>(setup.settings, std::move(roots), setup.start_count, std::move(encoder),
                                               setup.seed, setup.games, setup.threads);
    return {std::move(pool), setup.starts, setup.source};
}

std::vector<chess::Line> lines(const std::vector<PyPosition>& positions) {
    std::vector<chess::Line> found;
    for (const PyPosition& position : positions) found.emplace_back(position.ptr);
    return found;
}

template <games::NativeGame G, typename E, typename... Argument>
void bind_pool_of(nb::module_& module, std::type_identity<std::tuple<Argument...>>) {
    module.def((std::string(E::kName) + "_pool").c_str(),
               [](const Setup& setup, std::vector<G> roots, Argument... arguments) {
                   if (roots.empty()) throw std::invalid_argument("a pool needs a root");
                   for (const G& root : roots)
                       if (root.words() != roots[0].words()) throw std::invalid_argument("boards have one size");
                   const E encoder = E::of(roots[0], arguments...);
                   return make(setup, std::move(roots), encoder);
               },
               "A pool of games that are seen by this encoder.");
}

void bind_makers(nb::module_& module) {
    module.def(
        "alphazero_pool",
        [](const Setup& setup, const std::vector<PyPosition>& roots) {
            return make(setup, lines(roots), encodings::AlphaZeroEncoder());
        },
        "setup"_a, "roots"_a, "A pool of chess that sees AlphaZero's planes.");
    module.def(
        "leela_pool",
        [](const Setup& setup, const std::vector<PyPosition>& roots, int input, encodings::HistoryFill fill,
           encodings::LeelaPolicy policy) {
            return make(setup, lines(roots), encodings::LeelaEncoder({encodings::LeelaInput(input), fill, policy}));
        },
        "setup"_a, "roots"_a, "input_format"_a, "fill"_a, "policy"_a, "A pool of chess that sees Leela's planes.");
    encodings::for_each_encoded_game([&module]<games::NativeGame G, typename E>() {
        bind_pool_of<G, E>(module, std::type_identity<typename E::Arguments>{});
    });
}

void bind_settings(nb::module_& module) {
    nb::class_<PoolSettings>(module, "PoolSettings", "Knobs of self-play; philidor.selfplay.pool explains them.")
        .def(nb::init<>())
        .def_rw("search", &PoolSettings::search)
        .def_rw("simulations", &PoolSettings::simulations)
        .def_rw("cheap_simulations", &PoolSettings::cheap_simulations)
        .def_rw("full_share", &PoolSettings::full_share)
        .def_rw("prune_targets", &PoolSettings::prune_targets)
        .def_rw("target_scale", &PoolSettings::target_scale)
        .def_rw("temperature", &PoolSettings::temperature)
        .def_rw("temperature_plies", &PoolSettings::temperature_plies)
        .def_rw("temperature_decay", &PoolSettings::temperature_decay)
        .def_rw("final_temperature", &PoolSettings::final_temperature)
        .def_rw("drawn_plies", &PoolSettings::drawn_plies)
        .def_rw("opening_plies", &PoolSettings::opening_plies)
        .def_rw("max_plies", &PoolSettings::max_plies, "0 for no such limit.")
        .def_rw("first_pass_ply", &PoolSettings::first_pass_ply)
        .def_rw("keeps_tree", &PoolSettings::keeps_tree)
        .def_rw("decided_value", &PoolSettings::decided_value, "1 for never.")
        .def_rw("decided_plies", &PoolSettings::decided_plies)
        .def_rw("decided_share", &PoolSettings::decided_share);
    nb::class_<Setup>(module, "PoolSetup", "What a pool is made with, whatever the game.")
        .def(nb::init<>())
        .def_rw("settings", &Setup::settings)
        .def_rw("start_count", &Setup::start_count,
                "How many of the roots are for new games: the normal start and those to choose from instead.")
        .def_rw("starts", &Setup::starts, "The text of each root; none for the normal start.")
        .def_rw("source", &Setup::source, "Where the records say that they are from.")
        .def_rw("seed", &Setup::seed)
        .def_rw("games", &Setup::games)
        .def_rw("threads", &Setup::threads);
}

}  // namespace

void bind_pool(nb::module_& module) {
    bind_settings(module);
    nb::class_<PyPool>(module, "GamePool", "Games of self-play in C++; for one thread at a time.")
        .def(
            "set_numbers",
            [](PyPool& self, std::vector<std::int64_t> gaps, std::int64_t next) {
                self.pool->set_numbers(std::move(gaps), next);
            },
            "gaps"_a, "next"_a, "The numbers of new games: these, then from `next`, unless it is -1.")
        .def(
            "add_numbers",
            [](PyPool& self, const std::vector<std::int64_t>& numbers) { self.pool->add_numbers(numbers); },
            "numbers"_a, "Adds numbers of new games.")
        .def(
            "set_end", [](PyPool& self, std::int64_t end) { self.pool->set_end(end); }, "end"_a,
            "No new game has this number or a higher one; -1 for no end.")
        .def("resume", &resume, "games"_a, "Adds games to go on with, as `unfinished` handed them out.")
        .def("collect", &collect, "limit"_a,
             "(id, planes [n, words], scalars, legal offsets, legal indices, seats) of up to `limit` leaves, or None.")
        .def("apply", &apply, "id"_a, "logits"_a, "wdl"_a, "moves_left"_a = nb::none(),
             "Answers for a batch; the sizes must fit.")
        .def(
            "cancel", [](PyPool& self, std::int64_t id) { self.pool->cancel(id); }, "id"_a)
        .def(
            "take_finished", [](PyPool& self) { return to_batch(self, self.pool->take_finished(), true); },
            "Games that ended, by number, which is among their tags.")
        .def(
            "unfinished", [](const PyPool& self) { return to_batch(self, self.pool->unfinished(), false); },
            "Games that have not; the tags have the random state from before the move at hand.")
        .def_prop_ro(
            "live", [](const PyPool& self) { return self.pool->live(); }, "Games that have begun and not ended.");
    bind_makers(module);
}

}  // namespace philidor::bindings
