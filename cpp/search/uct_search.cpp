#include "search/uct_search.h"

#include <algorithm>
#include <stdexcept>

namespace philidor::search {

namespace {
using Clock = std::chrono::steady_clock;
}  // namespace

UctSearch::~UctSearch() {
    stop();
    if (thread_.joinable()) thread_.join();
}

void UctSearch::start(const UctLimits& limits) {
    const std::lock_guard lock(mutex_);
    if (is_running_) throw std::logic_error("the search is running");
    if (thread_.joinable()) thread_.join();
    should_stop_ = false;
    event_.reset();
    failure_ = nullptr;
    started_ = Clock::now();
    is_running_ = true;
    thread_ = std::thread([this, limits] { run(limits); });
}

std::optional<UctEvent> UctSearch::next_event(double timeout_seconds) {
    std::unique_lock lock(mutex_);
    // A day is as good as forever and fits every clock.
    const std::chrono::duration<double> timeout(std::clamp(timeout_seconds, 0.0, 86400.0));
    changed_.wait_for(lock, timeout, [this] { return event_ || failure_ || !is_running_; });
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    return std::exchange(event_, std::nullopt);
}

void UctSearch::run(const UctLimits& limits) {
    try {
        publish(search(limits));
    } catch (...) {
        const std::lock_guard lock(mutex_);
        failure_ = std::current_exception();
        is_running_ = false;
        changed_.notify_all();
    }
}

UctEnd UctSearch::search(const UctLimits& limits) {
    std::int64_t left = limits.simulations > 0 ? limits.simulations : INT64_MAX;
    double next_report = limits.report_every;
    for (;;) {
        left -= tree_->simulate(left);
        if (left == 0) return UctEnd::kSimulations;
        if (tree_->is_full()) return UctEnd::kMemory;
        if (should_stop_.load(std::memory_order_relaxed)) return UctEnd::kStopped;
        const double now = seconds();
        if (limits.seconds > 0 && now >= limits.seconds) return UctEnd::kTime;
        if (now >= next_report) {
            publish(UctEnd::kRunning);
            next_report = now + limits.report_every;
        }
    }
}

void UctSearch::publish(UctEnd end) {
    UctEvent event{end, seconds(), tree_->statistics()};
    const std::lock_guard lock(mutex_);
    event_ = std::move(event);
    is_running_ = end == UctEnd::kRunning;
    changed_.notify_all();
}

double UctSearch::seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }

}  // namespace philidor::search
