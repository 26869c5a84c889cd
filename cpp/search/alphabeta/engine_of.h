// The engine over one evaluator: its threads, its table and its events. Included by the player that instantiates it.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <span>

#include "search/alphabeta/engine.h"
#include "search/alphabeta/runner.h"
#include "search/alphabeta/voting.h"
#include "search/alphabeta/worker_learning.h"
#include "search/alphabeta/worker_pruning.h"
#include "search/alphabeta/worker_quiescence.h"
#include "search/alphabeta/worker_root.h"
#include "search/alphabeta/worker_search.h"

namespace philidor::search {

template <chess::NativeEvaluator Evaluator>
class EngineOf final : public AlphaBetaEngine {
  public:
    // `prepare` is called for the evaluator of each new thread (a network to load, say).
    explicit EngineOf(std::function<void(Evaluator&)> prepare = nullptr) : prepare_(std::move(prepare)) {
        if (prepare_) prepare_(evaluator_);
        shared_.table.resize(16);
        resize(1);
    }
    ~EngineOf() override { halt(); }

    void new_game() override {
        halt();
        for (auto& worker : workers_) worker->new_game();
        shared_.table.clear(int(workers_.size()));
    }
    void set_table_size(std::size_t megabytes) override {
        halt();
        shared_.table.resize(megabytes, int(workers_.size()));
    }
    void clear_table() override {
        halt();
        shared_.table.clear(int(workers_.size()));
    }
    void set_threads(int count) override {
        halt();
        announcer_ = nullptr;
        resize(count);
    }
    void set_options(const Options& options) override {
        halt();
        shared_.options = options;
        shared_.reductions = reductions_of(options.parameters);
    }

    void set_endings(const std::vector<std::string>& folders) override {
        halt();
        if (folders == ending_folders_) return;
        shared_.endings = folders.empty() ? nullptr : std::make_shared<const chess::SyzygyTables>(folders);
        ending_folders_ = folders;
    }

    void start(chess::PositionPtr position, const Limits& limits, std::int64_t spent_us) override {
        set_up(position, limits, spent_us);
        is_searching_.store(true);
        runners_.front()->start([this] {
            const typename Worker<Evaluator>::Report report = [this](Event event) { emit(std::move(event)); };
            const std::vector<Worker<Evaluator>*> done = think(report);
            Worker<Evaluator>& best = *best_worker(done);
            best.report_end(report);
            is_searching_.store(false);
            emit(best_move(best));
        });
    }
    Verdict search(chess::PositionPtr position, const Limits& limits) override {
        set_up(position, limits, 0);
        announcer_ = best_worker(think(nullptr));
        return workers_.front()->verdict();
    }
    Verdict announced() const override {
        if (!announcer_ || announcer_->root_moves().empty()) return {};
        const RootMove& best = announcer_->root_moves().front();
        return {best.line.front(), best.score != -kInfinite ? best.score : best.previous_score, best.depth};
    }

    std::optional<Event> next_event(int timeout_ms) override {
        std::unique_lock lock(mutex_);
        const auto has_event = [this] { return !events_.empty(); };
        if (!changed_.wait_for(lock, std::chrono::milliseconds(timeout_ms), has_event)) return std::nullopt;
        std::optional<Event> event(std::move(events_.front()));
        events_.pop_front();
        return event;
    }
    bool is_searching() const override { return is_searching_.load(); }
    void stop() override {
        shared_.pondering.store(false);
        shared_.stop.store(true);
        std::lock_guard lock(mutex_);
        changed_.notify_all();
    }
    void ponder_hit(std::int64_t spent_us) override {
        if (!shared_.pondering.load()) return;  // nothing is pondered on, or perhaps nothing was ever searched
        {
            std::lock_guard lock(mutex_);
            // The clock is read by the search only after `pondering` is off.
            shared_.clock.start(shared_.limits, color_to_move(), shared_.options.move_overhead, spent_us, ply_);
        }
        shared_.pondering.store(false);
        std::lock_guard lock(mutex_);
        changed_.notify_all();
    }
    std::uint64_t nodes() const override { return shared_.nodes.load(std::memory_order_relaxed); }
    int evaluate(const chess::PositionPtr& position) override {
        evaluator_.reset(position->board());
        return evaluator_.evaluate(position->board());
    }

  private:
    // A thread that a busy machine keeps waiting shall not hold up the answer: its opinion is left out, and it ends
    // before the next search begins.
    static constexpr std::chrono::milliseconds kPatience{2};

    void resize(int count) {
        while (int(workers_.size()) > count) workers_.pop_back(), runners_.pop_back();
        while (int(workers_.size()) < count) {
            auto worker = std::make_unique<Worker<Evaluator>>(shared_, int(workers_.size()));
            if (prepare_) prepare_(worker->evaluator());
            runners_.push_back(std::make_unique<Runner>());  // throws where there are too many threads already
            workers_.push_back(std::move(worker));
        }
    }

    void set_up(const chess::PositionPtr& position, const Limits& limits, std::int64_t spent_us) {
        halt();
        shared_.limits = limits;
        shared_.stop.store(false);
        shared_.pondering.store(limits.ponder);
        shared_.nodes.store(0);
        shared_.ending_hits.store(0);
        shared_.table.new_search();
        ply_ = position->board().ply();
        shared_.clock.start(limits, position->board().to_move(), shared_.options.move_overhead, spent_us, ply_);
        for (auto& worker : workers_) worker->set_position(position);
    }

    // The main thread of a search: the others start and end with it. Returns those that have ended in time.
    std::vector<Worker<Evaluator>*> think(const typename Worker<Evaluator>::Report& report) {
        for (std::size_t i = 1; i < workers_.size(); ++i) runners_[i]->start([this, i] { workers_[i]->run(nullptr); });
        workers_.front()->run(report);
        if (shared_.limits.infinite || shared_.limits.ponder) {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [this] {
                return shared_.stop.load() || (!shared_.limits.infinite && !shared_.pondering.load());
            });
        }
        shared_.stop.store(true);
        const auto end = std::chrono::steady_clock::now() + kPatience;
        std::vector<Worker<Evaluator>*> done{workers_.front().get()};
        for (std::size_t i = 1; i < workers_.size(); ++i)
            if (runners_[i]->wait_until(end)) done.push_back(workers_[i].get());
        return done;
    }

    static BestMove best_move(const Worker<Evaluator>& best) {
        if (best.root_moves().empty()) return {};
        const std::vector<chess::Move>& line = best.root_moves().front().line;
        return {line.front(), line.size() > 1 ? line[1] : chess::kNoMove};
    }

    // The thread that the others' votes speak for; with several lines, the main one.
    Worker<Evaluator>* best_worker(std::span<Worker<Evaluator>* const> done) const {
        if (done.front()->root_moves().empty() || shared_.options.multi_pv > 1 || !shared_.limits.search_moves.empty())
            return done.front();
        std::vector<Opinion> opinions;
        for (const Worker<Evaluator>* worker : done) {
            const RootMove& best = worker->root_moves().front();
            const int score = best.score != -kInfinite ? best.score : best.previous_score;
            opinions.push_back({best.move, score, worker->completed_depth()});
        }
        return done[elect(opinions)];
    }

    void emit(Event event) {
        std::lock_guard lock(mutex_);
        events_.push_back(std::move(event));
        changed_.notify_all();
    }

    void halt() {
        stop();
        for (auto& runner : runners_) runner->wait();
        std::lock_guard lock(mutex_);
        events_.clear();
    }

    chess::Color color_to_move() const { return workers_.front()->to_move(); }

    Shared shared_;
    std::vector<std::string> ending_folders_;
    std::function<void(Evaluator&)> prepare_;
    Evaluator evaluator_;  // for `evaluate`, as the workers' may be at work
    std::vector<std::unique_ptr<Worker<Evaluator>>> workers_;
    int ply_ = 0;                                   // of the position being searched
    const Worker<Evaluator>* announcer_ = nullptr;  // who speaks for the last `search`
    std::atomic<bool> is_searching_{false};
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Event> events_;
    std::vector<std::unique_ptr<Runner>> runners_;  // one for each worker, the first for the main thread of a search
};

}  // namespace philidor::search
