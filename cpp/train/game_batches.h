// Recorded games into shuffled batches, a chunk at a time, in memory that does not grow with the games.
//
// An epoch visits every game `passes` times, each time in another random order, and takes 1 / passes of its positions
// at each visit: those of a visit are `passes` plies apart. The positions of some thousand visits are a chunk; its rows
// are shuffled and cut into batches. All random choices follow from the seed and the names of what is chosen (epoch,
// chunk, game, ply), so that threads change nothing and a stream can begin anywhere.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "train/game_index.h"
#include "train/open_batch.h"

namespace philidor::train {

struct StreamOptions {
    int batch = 4096;
    int passes = 8;
    std::uint64_t shuffle = 65'536;  // rows in a chunk, in the mean
    bool is_shuffled = true;         // or else in the order of the files, in one pass
    double drop_history = 0;         // the share of rows that are encoded as if nothing were known of the past
    double trace = 0;                // lambda of TD(lambda): how much of `search_wdl` comes from later plies
    std::uint64_t seed = 1;
    std::uint64_t epochs = 0;  // 0: without end
    // By file and band: how often a position is in an epoch, in the mean, and its weight in the loss.
    std::vector<std::vector<double>> rates;
    std::vector<std::vector<double>> weights;
    SymmetricForms forms;  // each row is shown in one of them, drawn by chance; none: as it is
};

// For one caller at a time; the work is shared out among threads.
class GameBatchMaker {
  public:
    // Throws std::invalid_argument if there is nothing to hand out.
    GameBatchMaker(std::shared_ptr<const GameIndex> index, StreamOptions options, StreamPosition start, int threads);
    ~GameBatchMaker();

    // After the last epoch; `take_rest` has what did not fill a batch.
    bool is_over() const { return options_.epochs > 0 && position_.epoch >= options_.epochs; }
    // Works through a chunk and returns the batches that it completes. Gives up when `stop` is set, and is then of no
    // further use. Throws RecordError if a file has changed.
    std::vector<std::unique_ptr<GameBatch>> next_chunk(const std::atomic<bool>& stop);
    std::unique_ptr<GameBatch> take_rest();

  private:
    struct Worker;

    std::uint64_t visits_per_epoch() const { return std::uint64_t(options_.passes) * index_->games(); }
    std::uint64_t game_at(std::uint64_t visit) const;
    void plan(Worker& worker, GameVisit& visit) const;
    std::vector<std::uint32_t> shuffled_rows(std::size_t count) const;
    void encode(Worker& worker, GameVisit& visit, std::span<const std::uint32_t> order, std::size_t known);
    void make_room(std::size_t rows);
    std::vector<std::unique_ptr<GameBatch>> take_complete(std::size_t known, std::size_t rows);
    template <typename Work>
    void share_out(std::size_t count, const std::atomic<bool>& stop, Work work);

    std::shared_ptr<const GameIndex> index_;
    StreamOptions options_;
    StreamPosition position_;
    std::uint64_t visits_per_chunk_ = 1;
    std::vector<Worker> workers_;
    std::vector<OpenBatch> open_;  // those of the chunk at hand; between chunks at most one
    std::size_t open_rows_ = 0;    // of the first, from earlier chunks
};

}  // namespace philidor::train
