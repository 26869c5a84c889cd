// Threads that share out a list of jobs, again and again: a batch of a pool is such a list.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace philidor::selfplay {

class Team {
  public:
    // The caller of `run` is one of the threads.
    explicit Team(int threads);
    ~Team();
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    // Calls job(0) to job(count - 1), each once, in any order and on any thread, and returns when all are done.
    // Rethrows what one of them threw; some may not have been called then. Not for two callers at a time.
    void run(int count, const std::function<void(int)>& job);

  private:
    // Jobs are fetched some at a time: they are short, and the counter is shared.
    static constexpr int kChunk = 4;

    void loop();
    void work();

    std::mutex mutex_;  // guards what follows, up to the atomic
    std::condition_variable begun_, done_;
    std::uint64_t round_ = 0;
    int busy_ = 0;
    bool is_ending_ = false;
    std::exception_ptr failure_;
    // Written before a round begins and read by all during it.
    const std::function<void(int)>* job_ = nullptr;
    int count_ = 0;
    std::atomic<int> next_{0};
    std::vector<std::thread> threads_;  // last: they use all of the above
};

}  // namespace philidor::selfplay
