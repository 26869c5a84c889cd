#include "train/game_batches.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <mutex>
#include <numeric>
#include <stdexcept>

#include "train/parallel.h"
#include "train/random_order.h"

namespace philidor::train {

using records::Record;

namespace {

// What random numbers are drawn for.
enum Purpose : std::uint64_t { kVisitOrder, kRowOrder, kGame, kCopies, kHistory, kForm };

}  // namespace

struct GameBatchMaker::Worker {
    std::unique_ptr<GameReplayer> replayer;
    Record record;
    std::vector<ChosenPly> plies;
    std::vector<std::size_t> rows;  // where they go
};

GameBatchMaker::~GameBatchMaker() = default;

GameBatchMaker::GameBatchMaker(std::shared_ptr<const GameIndex> index, StreamOptions options, StreamPosition start,
                               int threads)
    : index_(std::move(index)), options_(std::move(options)), position_(start) {
    if (!options_.is_shuffled) options_.passes = 1;
    double expected = 0;  // rows in an epoch
    if (options_.rates.size() != index_->files() || options_.weights.size() != index_->files())
        throw std::invalid_argument("rates and weights are given for each file");
    for (std::size_t file = 0; file < index_->files(); ++file) {
        const std::vector<std::uint64_t>& positions = index_->positions_by_band(file);
        if (options_.rates[file].size() != positions.size() || options_.weights[file].size() != positions.size())
            throw std::invalid_argument("rates and weights are given for each band");
        expected += std::inner_product(positions.begin(), positions.end(), options_.rates[file].begin(), 0.0);
    }
    check(options_.forms, index_->make_replayer()->words());
    if (expected <= 0 || options_.batch < 1 || options_.passes < 1)
        throw std::invalid_argument("there is nothing to make batches of");
    const double per_visit = expected / double(visits_per_epoch());
    visits_per_chunk_ = std::uint64_t(std::max(1.0, double(options_.shuffle) / per_visit));
    for (int i = 0; i < std::max(threads, 1); ++i) workers_.push_back({index_->make_replayer(), {}, {}, {}});
}

// Calls work(worker, i) for i below `count`, in any order; rethrows what one of them threw.
template <typename Work>
void GameBatchMaker::share_out(std::size_t count, const std::atomic<bool>& stop, Work work) {
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::exception_ptr failure;
    in_parallel(workers_.size(), int(workers_.size()), [&](std::size_t begin, std::size_t) {
        try {
            for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < count && !stop;)
                work(workers_[begin], i);
        } catch (...) {
            std::lock_guard lock(mutex);
            failure = std::current_exception();
        }
    });
    if (failure) std::rethrow_exception(failure);
}

std::uint64_t GameBatchMaker::game_at(std::uint64_t visit) const {
    const std::uint64_t games = index_->games(), pass = visit / games;
    if (!options_.is_shuffled) return visit % games;
    const std::uint64_t key = combine(combine(combine(options_.seed, kVisitOrder), position_.epoch), pass);
    return RandomOrder(games, key)[visit % games];
}

// Reads the game and chooses the positions of this visit.
void GameBatchMaker::plan(Worker& worker, GameVisit& visit) const {
    visit.game = game_at(visit.number);
    visit.file = index_->file_of(visit.game);
    index_->read(visit.game, worker.record);
    worker.plies.clear();
    const Record& game = worker.record;
    const int first = game.start.empty() ? 0 : worker.replayer->first_mover(game.start);
    const std::uint64_t passes = std::uint64_t(options_.passes), pass = visit.number / index_->games();
    const std::uint64_t key = combine(combine(combine(options_.seed, kGame), position_.epoch), visit.game);
    // Copies of a position go to passes that are far from each other.
    const std::uint64_t apart = passes / 3 + 1;
    for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
        if (!index_->options().plies.takes(game, ply)) continue;
        const std::size_t band = std::size_t(index_->band_of(game.ratings[(std::size_t(first) + ply) % 2]));
        const double rate = options_.rates[visit.file][band], whole = std::floor(rate);
        const std::uint64_t name = combine(key, ply);
        const std::uint64_t copies = std::uint64_t(whole) + (share_of(combine(name, kCopies)) < rate - whole);
        for (std::uint64_t copy = 0; copy < copies; ++copy) {
            if ((key % passes + ply + copy * apart) % passes != pass) continue;
            const bool has_history = share_of(combine(name + copy, kHistory)) >= options_.drop_history;
            const std::uint64_t forms = options_.forms.squares.size();
            const auto form = forms == 0 ? 0 : std::uint32_t(combine(name + copy, kForm) % forms);
            worker.plies.push_back({std::uint32_t(ply), has_history, float(options_.weights[visit.file][band]), form});
        }
    }
    visit.rows = worker.plies.size();
}

std::vector<std::uint32_t> GameBatchMaker::shuffled_rows(std::size_t count) const {
    std::vector<std::uint32_t> rows(count);
    std::iota(rows.begin(), rows.end(), 0u);
    if (!options_.is_shuffled) return rows;
    const std::uint64_t key = combine(combine(combine(options_.seed, kRowOrder), position_.epoch), position_.chunk);
    for (std::size_t left = count; left > 1; --left)
        std::swap(rows[left - 1], rows[std::size_t(share_of(combine(key, left)) * double(left))]);
    return rows;
}

std::vector<std::unique_ptr<GameBatch>> GameBatchMaker::next_chunk(const std::atomic<bool>& stop) {
    const std::uint64_t first = position_.chunk * visits_per_chunk_;
    const std::uint64_t end = std::min(first + visits_per_chunk_, visits_per_epoch());
    const auto visits = std::make_shared<std::vector<GameVisit>>(std::size_t(end > first ? end - first : 0));
    // 1. Choose the positions of each visit.
    share_out(visits->size(), stop, [&](Worker& worker, std::size_t i) {
        (*visits)[i].number = first + i;
        plan(worker, (*visits)[i]);
    });
    // 2. Give each a row behind those that are waiting already. After a resumption the first rows are known.
    std::size_t rows = 0;
    for (GameVisit& visit : *visits) {
        visit.first_row = rows;
        rows += visit.rows;
    }
    const std::vector<std::uint32_t> order = shuffled_rows(rows);
    const std::size_t known = std::min(std::size_t(position_.row), rows);
    make_room(open_rows_ + rows - known);
    for (OpenBatch& open : open_) open.keep(visits);
    // 3. Replay and encode.
    share_out(visits->size(), stop, [&](Worker& worker, std::size_t i) {
        if ((*visits)[i].rows > 0) encode(worker, (*visits)[i], order, known);
    });
    if (stop) return {};
    return take_complete(known, rows);
}

void GameBatchMaker::encode(Worker& worker, GameVisit& visit, std::span<const std::uint32_t> order, std::size_t known) {
    plan(worker, visit);
    worker.rows.clear();
    std::erase_if(worker.plies, [&, next = visit.first_row](const ChosenPly&) mutable {
        const std::size_t row = order[next++];
        if (row >= known) worker.rows.push_back(open_rows_ + row - known);
        return row < known;
    });
    const int words = worker.replayer->words();
    VisitSink sink(open_, std::size_t(options_.batch), worker.rows, worker.record, worker.plies, visit, options_.forms,
                   std::size_t(words), options_.trace);
    if (!worker.replayer->encode(worker.record, worker.plies, sink))
        throw records::RecordError("the file has changed since it was opened");
}

void GameBatchMaker::make_room(std::size_t rows) {
    const std::size_t size = std::size_t(options_.batch);
    const GameReplayer& replayer = *workers_[0].replayer;
    while (open_.size() * size < rows)
        open_.emplace_back(size, std::size_t(replayer.words()), std::size_t(replayer.scalars()));
}

// Moves on behind the chunk, all of whose rows but the `known` ones are in the open batches now.
std::vector<std::unique_ptr<GameBatch>> GameBatchMaker::take_complete(std::size_t known, std::size_t rows) {
    const std::size_t size = std::size_t(options_.batch), filled = open_rows_ + rows - known;
    std::vector<std::unique_ptr<GameBatch>> complete(filled / size);
    const std::atomic<bool> never{false};
    share_out(complete.size(), never, [&](Worker&, std::size_t i) { complete[i] = open_[i].close(size); });
    for (std::size_t i = 0; i < complete.size(); ++i)
        complete[i]->next = {position_.epoch, position_.chunk, known + (i + 1) * size - open_rows_};
    open_.erase(open_.begin(), open_.begin() + std::ptrdiff_t(complete.size()));
    open_rows_ = filled % size;
    position_.row = 0;
    if (++position_.chunk * visits_per_chunk_ >= visits_per_epoch()) position_ = {position_.epoch + 1, 0, 0};
    return complete;
}

std::unique_ptr<GameBatch> GameBatchMaker::take_rest() {
    if (open_rows_ == 0) return nullptr;
    std::unique_ptr<GameBatch> rest = open_[0].close(open_rows_);
    rest->next = position_;
    open_.clear();
    open_rows_ = 0;
    return rest;
}

}  // namespace philidor::train
