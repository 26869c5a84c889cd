// A thread that waits for work. A search starts for every move, and on a busy machine a new thread may wait long for
// its first turn, where one that has slept is served at once.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace philidor::search {

class Runner {
  public:
    Runner() : thread_([this] { loop(); }) {}
    ~Runner() {
        {
            std::lock_guard lock(mutex_);
            is_ending_ = true;
        }
        changed_.notify_all();
        thread_.join();
    }
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;

    // Begins a job; the one before must be done.
    void start(std::function<void()> job) {
        {
            std::lock_guard lock(mutex_);
            job_ = std::move(job);
        }
        changed_.notify_all();
    }
    // Waits until the job is done; returns at once if there is none.
    void wait() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return !job_; });
    }
    // Waits no longer than that; says whether the job is done.
    bool wait_until(std::chrono::steady_clock::time_point end) {
        std::unique_lock lock(mutex_);
        return changed_.wait_until(lock, end, [this] { return !job_; });
    }

  private:
    void loop() {
        std::unique_lock lock(mutex_);
        for (;;) {
            changed_.wait(lock, [this] { return job_ || is_ending_; });
            if (!job_) return;
            lock.unlock();
            job_();
            lock.lock();
            job_ = nullptr;
            changed_.notify_all();
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::function<void()> job_;
    bool is_ending_ = false;
    std::thread thread_;  // last: it uses all of the above
};

}  // namespace philidor::search
