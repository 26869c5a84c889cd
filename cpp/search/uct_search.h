// A UCT search in a thread of its own, with limits and events to poll.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "search/uct_tree.h"

namespace philidor::search {

// Zero means no such limit; without any the search runs until `stop`.
struct UctLimits {
    std::int64_t simulations = 0;
    double seconds = 0;
    double report_every = 0.1;  // seconds between progress events
};

// Why a search ended; kRunning in progress events.
enum class UctEnd { kRunning, kSimulations, kTime, kMemory, kStopped };

struct UctEvent {
    UctEnd end = UctEnd::kRunning;
    double seconds = 0;  // since `start`
    UctStatistics statistics;
};

// `start`, `next_event` and `stop` may be called from different threads.
class UctSearch {
  public:
    explicit UctSearch(std::unique_ptr<UctTree> tree) : tree_(std::move(tree)) {}
    // Stops.
    ~UctSearch();
    UctSearch(const UctSearch&) = delete;
    UctSearch& operator=(const UctSearch&) = delete;

    // Begins to search, or goes on where the last search ended: limits count from here. Throws std::logic_error if
    // the search is running.
    void start(const UctLimits& limits);
    // Waits for the next event. Of progress events nobody fetched only the newest is kept; the last event of a search
    // always comes. Nothing after `timeout_seconds`, or at once if the search has ended and its last event is gone.
    // Rethrows what stopped the search, should it run out of memory.
    std::optional<UctEvent> next_event(double timeout_seconds);
    // Asks the search to end soon (about a millisecond) and returns; its last event follows.
    void stop() { should_stop_.store(true, std::memory_order_relaxed); }

  private:
    void run(const UctLimits& limits);
    UctEnd search(const UctLimits& limits);
    void publish(UctEnd end);
    double seconds() const;

    std::unique_ptr<UctTree> tree_;  // the thread's alone while it runs
    std::atomic<bool> should_stop_{false};
    std::chrono::steady_clock::time_point started_;

    std::mutex mutex_;  // guards what follows
    std::condition_variable changed_;
    bool is_running_ = false;
    std::optional<UctEvent> event_;
    std::exception_ptr failure_;
    std::thread thread_;
};

}  // namespace philidor::search
