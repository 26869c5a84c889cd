#include "train/game_stream.h"

namespace philidor::train {

GameStream::GameStream(std::shared_ptr<const GameIndex> index, const StreamOptions& options, StreamPosition start,
                       int threads)
    : maker_(std::move(index), options, start, threads), room_(options.shuffle), thread_([this] { work(); }) {}

GameStream::~GameStream() {
    {
        std::lock_guard lock(mutex_);
        stop_ = true;
    }
    taken_.notify_all();
    thread_.join();
}

void GameStream::work() {
    try {
        while (!maker_.is_over()) {
            {
                std::unique_lock lock(mutex_);
                taken_.wait(lock, [this] { return stop_ || waiting_rows_ < room_; });
            }
            if (stop_) return;
            for (std::unique_ptr<GameBatch>& batch : maker_.next_chunk(stop_)) hand_out(std::move(batch));
        }
        if (std::unique_ptr<GameBatch> rest = maker_.take_rest()) hand_out(std::move(rest));
    } catch (...) {
        std::lock_guard lock(mutex_);
        failure_ = std::current_exception();
    }
    {
        std::lock_guard lock(mutex_);
        is_done_ = true;
    }
    arrived_.notify_all();
}

void GameStream::hand_out(std::unique_ptr<GameBatch> batch) {
    {
        std::lock_guard lock(mutex_);
        waiting_rows_ += batch->rows;
        waiting_.push_back(std::move(batch));
    }
    arrived_.notify_one();
}

std::unique_ptr<GameBatch> GameStream::next(std::chrono::duration<double> timeout) {
    std::unique_ptr<GameBatch> batch;
    {
        std::unique_lock lock(mutex_);
        arrived_.wait_for(lock, timeout, [this] { return !waiting_.empty() || is_done_; });
        if (waiting_.empty()) {
            if (failure_) std::rethrow_exception(failure_);
            return nullptr;
        }
        batch = std::move(waiting_.front());
        waiting_.pop_front();
        waiting_rows_ -= batch->rows;
    }
    taken_.notify_one();
    return batch;
}

bool GameStream::is_over() const {
    std::lock_guard lock(mutex_);
    return is_done_ && waiting_.empty() && !failure_;
}

}  // namespace philidor::train
