// Pools of self-play games for Python: batches of packed planes out, logits and chances in, without the GIL.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/arrays.h"
#include "bindings/position.h"
#include "encodings/chess_encoders.h"
#include "encodings/small_games.h"
#include "search/pool/pool_of.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace philidor::bindings {

namespace {

using search::PlayedPly;
using search::Pool;
using search::PoolLeaves;
using search::PoolOf;
using search::PoolRecord;
using search::PoolSettings;

using Floats = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Chances = nb::ndarray<const float, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;

// (id, planes [n, words], scalars, legal offsets, legal indices)
using Leaves =
    std::tuple<std::int64_t, Array2<std::uint64_t>, Array2<float>, Array1<std::int64_t>, Array1<std::uint16_t>>;

std::optional<Leaves> collect(Pool& pool, int limit) {
    std::optional<PoolLeaves> found;
    {
        nb::gil_scoped_release release;
        found = pool.collect(limit);
    }
    if (!found) return std::nullopt;
    const std::size_t n = found->count, words = found->planes.size() / n, scalars = found->scalars.size() / n;
    const std::size_t legal = found->legal_index.size();
    return Leaves(found->id, to_numpy<Array2<std::uint64_t>>(std::move(found->planes), {n, words}),
                  to_numpy<Array2<float>>(std::move(found->scalars), {n, scalars}),
                  to_numpy<Array1<std::int64_t>>(std::move(found->legal_offsets), {n + 1}),
                  to_numpy<Array1<std::uint16_t>>(std::move(found->legal_index), {legal}));
}

void apply(Pool& pool, std::int64_t id, const Floats& logits, const Chances& wdl,
           const std::optional<Floats>& moves_left) {
    std::span<const float> left;
    if (moves_left) left = {moves_left->data(), moves_left->size()};
    nb::gil_scoped_release release;
    pool.apply(id, {logits.data(), logits.size()}, {wdl.data(), wdl.size()}, left);
}

// (place, visits, is full, is sampled, chances or nothing)
using Wdl = std::tuple<double, double, double>;
using PlyRow = std::tuple<int, std::vector<std::pair<int, std::uint32_t>>, bool, bool, std::optional<Wdl>>;
// (number, root, plies, winner or -1, ending, random state)
using GameRow = std::tuple<std::int64_t, int, std::vector<PlyRow>, int, std::string, std::uint64_t>;

std::vector<GameRow> rows(std::vector<PoolRecord>&& records) {
    std::vector<GameRow> found;
    for (PoolRecord& record : records) {
        std::vector<PlyRow> plies;
        for (PlayedPly& ply : record.plies) {
            std::optional<Wdl> wdl;
            if (ply.is_searched) wdl = Wdl(ply.wdl[0], ply.wdl[1], ply.wdl[2]);
            plies.emplace_back(ply.place, std::move(ply.visits), ply.is_full, ply.is_sampled, wdl);
        }
        const int winner = record.result == games::Result::kFirstWins    ? 0
                           : record.result == games::Result::kSecondWins ? 1
                                                                         : -1;
        found.emplace_back(record.number, record.root, std::move(plies), winner, std::move(record.ending),
                           record.random_state);
    }
    return found;
}

// What all pools are made with, whatever the game.
struct Setup {
    PoolSettings settings;
    std::size_t start_count = 1;
    std::uint64_t seed = 1;
    int games = 1;
    int threads = 1;
};

template <games::Game G, typename E>
std::unique_ptr<Pool> make(const Setup& setup, std::vector<G> roots, E encoder) {
    if (setup.games < 1 || setup.threads < 1 || setup.start_count < 1 || setup.start_count > roots.size())
        throw std::invalid_argument("a pool has a game, a thread and a root to begin at");
    for (std::size_t i = 0; i < setup.start_count; ++i)
        if (roots[i].result() != games::Result::kOngoing) throw std::invalid_argument("a start is over");
    return std::make_unique<PoolOf<G, E>>(setup.settings, std::move(roots), setup.start_count, std::move(encoder),
                                          setup.seed, setup.games, setup.threads);
}

std::vector<chess::Line> lines(const std::vector<PyPosition>& positions) {
    std::vector<chess::Line> found;
    for (const PyPosition& position : positions) found.emplace_back(position.ptr);
    return found;
}

template <games::Game G>
void bind_board_pool(nb::module_& module) {
    module.def(
        "board_pool",
        [](const Setup& setup, std::vector<G> roots, int history) {
            if (roots.empty()) throw std::invalid_argument("a pool needs a root");
            const int words = encodings::board_words(roots[0]);
            for (const G& root : roots)
                if (encodings::board_words(root) != words) throw std::invalid_argument("boards have one size");
            return make(setup, std::move(roots), encodings::BoardEncoder(history, words));
        },
        "setup"_a, "roots"_a, "history"_a, "A pool that sees AlphaGo Zero's planes.");
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
    bind_board_pool<games::TicTacToe>(module);
    bind_board_pool<games::Connect4>(module);
    bind_board_pool<games::Hexapawn>(module);
    bind_board_pool<games::Gomoku>(module);
    module.def(
        "hexapawn_pool",
        [](const Setup& setup, std::vector<games::Hexapawn> roots) {
            if (roots.empty()) throw std::invalid_argument("a pool needs a root");
            const encodings::HexapawnEncoder encoder(roots[0].width(), roots[0].height());
            return make(setup, std::move(roots), encoder);
        },
        "setup"_a, "roots"_a, "A pool that sees the book's vector of hexapawn.");
}

void bind_settings(nb::module_& module) {
    nb::class_<PoolSettings>(module, "PoolSettings", "Knobs of self-play; philidor.search.pool explains them.")
        .def(nb::init<>())
        .def_rw("search", &PoolSettings::search)
        .def_rw("simulations", &PoolSettings::simulations)
        .def_rw("cheap_simulations", &PoolSettings::cheap_simulations)
        .def_rw("full_share", &PoolSettings::full_share)
        .def_rw("prune_targets", &PoolSettings::prune_targets)
        .def_rw("temperature", &PoolSettings::temperature)
        .def_rw("temperature_plies", &PoolSettings::temperature_plies)
        .def_rw("temperature_decay", &PoolSettings::temperature_decay)
        .def_rw("final_temperature", &PoolSettings::final_temperature)
        .def_rw("opening_plies", &PoolSettings::opening_plies)
        .def_rw("max_plies", &PoolSettings::max_plies, "0 for no such limit.")
        .def_rw("keeps_tree", &PoolSettings::keeps_tree);
    nb::class_<Setup>(module, "PoolSetup", "What a pool is made with, whatever the game.")
        .def(nb::init<>())
        .def_rw("settings", &Setup::settings)
        .def_rw("start_count", &Setup::start_count,
                "How many of the roots are for new games: the normal start and those to choose from instead.")
        .def_rw("seed", &Setup::seed)
        .def_rw("games", &Setup::games)
        .def_rw("threads", &Setup::threads);
}

}  // namespace

void bind_pool(nb::module_& module) {
    bind_settings(module);
    nb::class_<Pool>(module, "GamePool", "Games of self-play in C++; for one thread at a time.")
        .def("set_numbers", &Pool::set_numbers, "gaps"_a, "next"_a,
             "The numbers of new games: these, then from `next`.")
        .def("set_end", &Pool::set_end, "end"_a, "No new game has this number or a higher one; -1 for no end.")
        .def(
            "resume",
            [](Pool& pool, int root, std::int64_t number, const std::vector<int>& places, std::uint64_t random_state) {
                pool.resume(root, number, places, random_state);
            },
            "root"_a, "number"_a, "places"_a, "random_state"_a, "Adds a game to go on with.")
        .def("collect", &collect, "limit"_a,
             "(id, planes [n, words], scalars, legal offsets, legal indices) of up to `limit` leaves, or None.")
        .def("apply", &apply, "id"_a, "logits"_a, "wdl"_a, "moves_left"_a = nb::none(),
             "Answers for a batch; the sizes must fit.")
        .def("cancel", &Pool::cancel, "id"_a)
        .def(
            "take_finished", [](Pool& pool) { return rows(pool.take_finished()); },
            "(number, root, plies, winner or -1, ending, random state) of games that ended.")
        .def(
            "unfinished", [](const Pool& pool) { return rows(pool.unfinished()); },
            "The same of games that have not; the random state is from before the move at hand.")
        .def_prop_ro("live", &Pool::live, "Games that have begun and not ended.");
    bind_makers(module);
}

}  // namespace philidor::bindings
