#include "selfplay/pool/team.h"

#include <algorithm>
#include <utility>

namespace philidor::selfplay {

Team::Team(int threads) {
    for (int i = 1; i < threads; ++i) threads_.emplace_back([this] { loop(); });
}

Team::~Team() {
    {
        std::lock_guard lock(mutex_);
        is_ending_ = true;
    }
    begun_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

void Team::run(int count, const std::function<void(int)>& job) {
    // A handful of jobs is done before the others are awake.
    const bool is_shared = count > kChunk && !threads_.empty();
    {
        std::lock_guard lock(mutex_);
        job_ = &job;
        count_ = count;
        next_.store(0, std::memory_order_relaxed);
        if (is_shared) {
            ++round_;
            busy_ = int(threads_.size());
        }
    }
    if (is_shared) begun_.notify_all();
    work();
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return busy_ == 0; });
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Team::loop() {
    std::uint64_t seen = 0;
    for (;;) {
        {
            std::unique_lock lock(mutex_);
            begun_.wait(lock, [&] { return round_ != seen || is_ending_; });
            if (is_ending_) return;
            seen = round_;
        }
        work();
        bool is_last = false;
        {
            std::lock_guard lock(mutex_);
            is_last = --busy_ == 0;
        }
        if (is_last) done_.notify_one();
    }
}

void Team::work() {
    for (int first; (first = next_.fetch_add(kChunk, std::memory_order_relaxed)) < count_;) {
        try {
            for (int i = first; i < std::min(first + kChunk, count_); ++i) (*job_)(i);
        } catch (...) {
            std::lock_guard lock(mutex_);
            failure_ = std::current_exception();
            return;
        }
    }
}

}  // namespace philidor::selfplay
