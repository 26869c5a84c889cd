#include "train/open_batch.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>

namespace philidor::train {

using records::Record;
using records::Result;

namespace {

std::uint16_t clipped(std::uint64_t number) { return std::uint16_t(std::min<std::uint64_t>(number, 65'535)); }

void write_result(Result result, int mover, float* wdl) {
    if (result == Result::kUnknown) return;
    const int winner = result == Result::kFirstWins ? 0 : result == Result::kSecondWins ? 1 : -1;
    wdl[winner < 0 ? 1 : winner == mover ? 0 : 2] = 1;
}

bool is_known(const Record& game, std::size_t ply) { return !game.wdl.empty() && game.wdl[ply] != records::Wdl{}; }

// TD(lambda), with `trace` for lambda: (1 - trace) of what this search expected, the rest of what the next ones did,
// and in the end of the result. The sides take turns, in every game that is known here.
void write_expected(const Record& game, std::size_t ply, int mover, double trace, float* wdl) {
    if (trace == 0 && !is_known(game, ply)) return;
    double sums[3] = {}, left = 1;  // of the result, should it come to that
    for (std::size_t later = ply; later < game.moves.size() && left > 0; ++later) {
        if (!is_known(game, later)) continue;
        const double share = left * (1 - trace) / 255;
        const int win = game.wdl[later].win, loss = game.wdl[later].loss;
        const bool is_own = (later - ply) % 2 == 0;
        sums[0] += share * (is_own ? win : loss);
        sums[1] += share * (255 - win - loss);
        sums[2] += share * (is_own ? loss : win);
        left *= trace;
    }
    float result[3] = {};
    write_result(game.result, mover, result);
    for (int i = 0; i < 3; ++i) wdl[i] = float(sums[i] + left * result[i]);
}

std::int32_t clock_at(const Record& game, std::size_t ply) {
    if (game.clocks_ms.empty()) return std::int32_t(records::kNoClock);
    return std::int32_t(std::min<std::int64_t>(game.clocks_ms[ply], std::numeric_limits<std::int32_t>::max()));
}

// What the policy learns: the visits in shares, or else the move that was played. Returns whether there are visits.
bool add_targets(const Record& game, std::size_t ply, std::span<const PolicyIndex> legal, GameVisit& visit) {
    const auto add = [&visit](PolicyIndex place, double weight) {
        visit.target_index.push_back(place);
        visit.target_weight.push_back(float(weight));
    };
    double total = 0;
    if (!game.visits.empty())
        for (const records::Visit searched : game.visits[ply]) total += searched.count;
    if (total == 0) {
        add(legal[game.moves[ply]], 1);
        return false;
    }
    for (const records::Visit searched : game.visits[ply])
        if (searched.count > 0) add(legal[searched.index], searched.count / total);
    return true;
}

}  // namespace

void GameBatch::resize(std::size_t count, std::size_t words, std::size_t scalars_each) {
    rows = count;
    planes.resize(count * words);
    scalars.resize(count * scalars_each);
    for (auto* column : {&wdl, &search_wdl}) column->resize(3 * count);
    for (auto* column : {&moves_left, &weight}) column->resize(count);
    for (auto* column : {&played, &ply, &file}) column->resize(count);
    for (auto* column : {&flags, &phase, &has_history, &has_visits}) column->resize(count);
    ratings.resize(2 * count);
    score.resize(count);
    clock_ms.resize(count);
    game.resize(count);
}

OpenBatch::OpenBatch(std::size_t rows, std::size_t words, std::size_t scalars)
    : words_(words), scalars_(scalars), batch_(std::make_unique<GameBatch>()), lists_(rows) {
    batch_->resize(rows, words, scalars);
}

PlySink::Place OpenBatch::place(std::size_t row) {
    return {batch_->planes.data() + row * words_, batch_->scalars.data() + row * scalars_};
}

void OpenBatch::write(std::size_t row, const Record& game, const ChosenPly& chosen, const EncodedPly& encoded,
                      double trace, GameVisit& visit) {
    const std::size_t ply = chosen.ply;
    GameBatch& batch = *batch_;
    batch.played[row] = encoded.legal[game.moves[ply]];
    write_result(game.result, encoded.to_move, &batch.wdl[3 * row]);
    write_expected(game, ply, encoded.to_move, trace, &batch.search_wdl[3 * row]);
    batch.moves_left[row] = float(game.moves.size() - ply);
    batch.weight[row] = chosen.weight;
    batch.score[row] = game.scores.empty() ? records::kNoScore : game.scores[ply];
    batch.ratings[2 * row] = clipped(game.ratings[encoded.to_move]);
    batch.ratings[2 * row + 1] = clipped(game.ratings[encoded.to_move ^ 1]);
    batch.ply[row] = clipped(ply);
    batch.flags[row] = game.flags.empty() ? 0 : game.flags[ply];
    batch.phase[row] = std::uint8_t(std::min(encoded.phase, 255));
    batch.has_history[row] = chosen.has_history;
    batch.clock_ms[row] = clock_at(game, ply);
    batch.game[row] = std::uint32_t(visit.game);
    batch.file[row] = std::uint16_t(visit.file);
    Lists& lists = lists_[row];
    lists.visit = &visit;
    lists.legal = std::uint32_t(visit.legal.size());
    lists.legal_count = std::uint32_t(encoded.legal.size());
    visit.legal.insert(visit.legal.end(), encoded.legal.begin(), encoded.legal.end());
    lists.target = std::uint32_t(visit.target_index.size());
    batch.has_visits[row] = add_targets(game, ply, encoded.legal, visit);
    lists.target_count = std::uint32_t(visit.target_index.size()) - lists.target;
}

void check(const SymmetricForms& forms, int words) {
    const std::size_t count = forms.squares.size();
    bool is_right = forms.places.size() == count;
    for (std::size_t form = 0; is_right && form < count; ++form) {
        const std::size_t squares = forms.squares[form].size();
        is_right = squares > 0 && squares == forms.squares[0].size() && std::size_t(words) % ((squares + 63) / 64) == 0;
        is_right &= forms.places[form].size() == forms.places[0].size();
        for (const std::uint16_t square : forms.squares[form]) is_right &= square < squares;
    }
    if (!is_right) throw std::invalid_argument("forms say where each square and each place goes");
}

// Planes and places are moved after they were written: encoders know nothing of forms.
void VisitSink::finish(std::size_t number, const EncodedPly& encoded) {
    OpenBatch& open = open_[rows_[number] / batch_size_];
    const std::size_t row = rows_[number] % batch_size_, form = plies_[number].form;
    if (form == 0) return open.write(row, game_, plies_[number], encoded, trace_, visit_);
    const std::vector<std::uint16_t>&squares = forms_.squares[form], &places = forms_.places[form];
    const std::size_t board_words = (squares.size() + 63) / 64;
    std::uint64_t* planes = open.place(row).planes;
    before_.assign(planes, planes + words_);
    std::fill_n(planes, words_, 0);
    for (std::size_t word = 0; word < words_; ++word)
        for (std::uint64_t bits = before_[word]; bits != 0; bits &= bits - 1) {
            const std::size_t square = 64 * (word % board_words) + std::size_t(std::countr_zero(bits));
            const std::uint16_t to = squares[square];
            planes[word - word % board_words + to / 64] |= std::uint64_t{1} << to % 64;
        }
    legal_.clear();
    for (const PolicyIndex place : encoded.legal) legal_.push_back(places[place]);
    open.write(row, game_, plies_[number], {legal_, encoded.to_move, encoded.phase}, trace_, visit_);
}

std::unique_ptr<GameBatch> OpenBatch::close(std::size_t rows) {
    GameBatch& batch = *batch_;
    if (rows < batch.rows) batch.resize(rows, words_, scalars_);
    std::size_t legal = 0, target = 0;
    batch.legal_offsets.assign(1, 0);
    batch.target_offsets.assign(1, 0);
    for (std::size_t row = 0; row < rows; ++row) {
        batch.legal_offsets.push_back(std::int64_t(legal += lists_[row].legal_count));
        batch.target_offsets.push_back(std::int64_t(target += lists_[row].target_count));
    }
    batch.legal_index.reserve(legal);
    batch.target_index.reserve(target);
    batch.target_weight.reserve(target);
    const auto append = [](auto& to, const auto& from, std::uint32_t first, std::uint32_t count) {
        to.insert(to.end(), from.begin() + first, from.begin() + first + count);
    };
    for (std::size_t row = 0; row < rows; ++row) {
        const Lists& lists = lists_[row];
        append(batch.legal_index, lists.visit->legal, lists.legal, lists.legal_count);
        append(batch.target_index, lists.visit->target_index, lists.target, lists.target_count);
        append(batch.target_weight, lists.visit->target_weight, lists.target, lists.target_count);
    }
    kept_.clear();
    return std::move(batch_);
}

}  // namespace philidor::train
