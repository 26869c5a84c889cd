// Batches of recorded games made in the background, ahead of the one who trains on them.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include "train/game_batches.h"

namespace philidor::train {

// The maker works while fewer than a chunk's rows are waiting: about two chunks are in memory at a time.
class GameStream {
  public:
    // Throws std::invalid_argument if there is nothing to hand out.
    GameStream(std::shared_ptr<const GameIndex> index, const StreamOptions& options, StreamPosition start, int threads);
    ~GameStream();
    GameStream(const GameStream&) = delete;
    GameStream& operator=(const GameStream&) = delete;

    // The next batch, or none: after the last one, and when there is none in time. Rethrows what stopped the maker.
    std::unique_ptr<GameBatch> next(std::chrono::duration<double> timeout);
    // All batches were taken.
    bool is_over() const;

  private:
    void work();
    void hand_out(std::unique_ptr<GameBatch> batch);

    GameBatchMaker maker_;  // only for the thread
    const std::uint64_t room_;
    std::atomic<bool> stop_{false};
    mutable std::mutex mutex_;  // guards what follows
    std::condition_variable arrived_, taken_;
    std::deque<std::unique_ptr<GameBatch>> waiting_;
    std::uint64_t waiting_rows_ = 0;
    bool is_done_ = false;
    std::exception_ptr failure_;
    std::thread thread_;  // last: it uses all of the above
};

}  // namespace philidor::train
