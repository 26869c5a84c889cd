// The pool over a native game and one of its encoders.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <stdexcept>
#include <utility>

#include "encodings/encoder.h"
#include "selfplay/pool/pool.h"
#include "selfplay/pool/team.h"

namespace philidor::selfplay {

template <games::Game G, encodings::EncoderOf<G> E>
class PoolOf final : public Pool {
  public:
    // `roots`: the normal start, and the starts to choose from, if there are any. Games to go on with may have begun
    // at others, which follow those: `start_count` roots are for new games.
    PoolOf(const PoolSettings& settings, std::vector<G> roots, std::size_t start_count, E encoder, std::uint64_t seed,
           int games, int threads)
        : settings_(settings),
          roots_(std::move(roots)),
          start_count_(start_count),
          encoder_(std::move(encoder)),
          seed_(seed),
          slots_(std::size_t(games)),
          team_(threads) {
        for (int slot = 0; slot < games; ++slot) empty_.push_back(slot);
    }

    void set_numbers(std::vector<std::int64_t> gaps, std::int64_t next) override {
        gaps_.assign(gaps.begin(), gaps.end());
        next_ = next;
    }
    void set_end(std::int64_t end) override { end_ = end; }

    void add_numbers(std::span<const std::int64_t> numbers) override {
        gaps_.insert(gaps_.end(), numbers.begin(), numbers.end());
    }

    void resume(PoolRecord past) override {
        const G& root = roots_.at(std::size_t(past.root));
        auto game = std::make_unique<PoolGame<G>>(settings_, root, std::move(past));
        if (empty_.empty()) {
            // More games than the pool was made for: they are played all the same.
            empty_.push_back(int(slots_.size()));
            slots_.emplace_back();
        }
        slots_[std::size_t(empty_.front())] = std::move(game);
        idle_.push_back(empty_.front());
        empty_.pop_front();
    }

    std::optional<PoolLeaves> collect(int limit) override {
        PoolLeaves leaves;
        std::vector<int> rows;  // slots
        while (int(rows.size()) < limit) {
            const std::vector<int> walkers = choose(limit - int(rows.size()));
            if (walkers.empty()) break;
            walk(walkers, rows, leaves);
        }
        if (rows.empty()) return std::nullopt;
        leaves.count = rows.size();
        for (const int slot : rows) leaves.seats.push_back(slots_[std::size_t(slot)]->seat());
        leaves.id = next_id_++;
        waiting_.emplace(leaves.id, Waiting{std::move(rows), leaves.legal_offsets});
        return leaves;
    }

    void apply(std::int64_t id, std::span<const float> logits, std::span<const float> wdl,
               std::span<const float> moves_left) override {
        const Waiting batch = take(id);
        team_.run(int(batch.slots.size()), [&](int row) {
            const std::size_t i = std::size_t(row), first = std::size_t(batch.offsets[i]);
            const std::size_t count = std::size_t(batch.offsets[i + 1]) - first;
            slots_[std::size_t(batch.slots[i])]->answer(logits.subspan(first, count), &wdl[3 * i],
                                                        moves_left.empty() ? -1.0 : double(moves_left[i]));
        });
        idle_.insert(idle_.end(), batch.slots.begin(), batch.slots.end());
    }

    void cancel(std::int64_t id) override {
        for (const int slot : take(id).slots) {
            slots_[std::size_t(slot)]->cancel();
            idle_.push_back(slot);
        }
    }

    std::vector<PoolRecord> take_finished() override { return by_number(std::exchange(finished_, {})); }

    std::vector<PoolRecord> unfinished() const override {
        std::vector<PoolRecord> records;
        for (const auto& game : slots_)
            if (game) records.push_back(game->unfinished());
        return by_number(std::move(records));
    }
    int live() const override {
        return int(std::count_if(slots_.begin(), slots_.end(), [](const auto& game) { return game != nullptr; }));
    }

  private:
    static std::vector<PoolRecord> by_number(std::vector<PoolRecord> records) {
        std::sort(records.begin(), records.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
        return records;
    }

    struct Waiting {
        std::vector<int> slots;
        std::vector<std::int64_t> offsets;
    };

    Waiting take(std::int64_t id) {
        const auto found = waiting_.find(id);
        if (found == waiting_.end()) throw std::invalid_argument("no such batch is waiting");
        Waiting batch = std::move(found->second);
        waiting_.erase(found);
        return batch;
    }

    // Slots to walk in: games that wait for nothing, the longest idle first, then empty places for new games.
    std::vector<int> choose(int count) {
        std::vector<int> chosen;
        const auto move_from = [&](std::deque<int>& slots, std::int64_t most) {
            for (; most > 0 && !slots.empty() && int(chosen.size()) < count; --most) {
                chosen.push_back(slots.front());
                slots.pop_front();
            }
        };
        move_from(idle_, count);
        move_from(empty_, numbers_left());
        return chosen;
    }
    std::int64_t numbers_left() const {
        if (next_ < 0) return std::int64_t(gaps_.size());
        if (end_ < 0) return std::int64_t(slots_.size());
        const auto gaps = std::count_if(gaps_.begin(), gaps_.end(), [this](std::int64_t gap) { return gap < end_; });
        return gaps + std::max<std::int64_t>(end_ - next_, 0);
    }

    // Walks in these slots at once and adds the leaves that wait there to the batch.
    void walk(const std::vector<int>& walkers, std::vector<int>& rows, PoolLeaves& leaves) {
        const std::size_t planes = std::size_t(encoder_.words()), scalars = std::size_t(encoder_.scalars());
        const std::size_t first = rows.size();
        leaves.planes.resize((first + walkers.size()) * planes);
        leaves.scalars.resize((first + walkers.size()) * scalars);
        legal_.resize(std::max(legal_.size(), walkers.size()));  // never fewer: that would give their memory away
        team_.run(int(walkers.size()), [&](int i) {
            const std::size_t row = first + std::size_t(i);
            Legal& legal = legal_[std::size_t(i)];
            const G* state = walk_slot(walkers[std::size_t(i)]);
            legal.resize(state ? std::size_t(state->move_count()) : 0);
            if (state)
                encoder_.encode(*state, leaves.planes.data() + row * planes, leaves.scalars.data() + row * scalars,
                                legal.data());
        });
        std::size_t row = first;
        if (leaves.legal_offsets.empty()) leaves.legal_offsets.push_back(0);
        for (std::size_t i = 0; i < walkers.size(); ++i) {
            const Legal& legal = legal_[i];
            if (legal.empty()) {  // the game is over and there is no other
                empty_.push_back(walkers[i]);
                continue;
            }
            if (row != first + i) {
                std::copy_n(leaves.planes.data() + (first + i) * planes, planes, leaves.planes.data() + row * planes);
                std::copy_n(leaves.scalars.data() + (first + i) * scalars, scalars,
                            leaves.scalars.data() + row * scalars);
            }
            leaves.legal_index.insert(leaves.legal_index.end(), legal.begin(), legal.end());
            leaves.legal_offsets.push_back(std::int64_t(leaves.legal_index.size()));
            rows.push_back(walkers[i]);
            ++row;
        }
        leaves.planes.resize(row * planes);
        leaves.scalars.resize(row * scalars);
    }

    // One slot's next leaf; a game that ends is followed by a new one. Called by several threads at once.
    const G* walk_slot(int slot) {
        std::unique_ptr<PoolGame<G>>& game = slots_[std::size_t(slot)];
        for (;;) {
            if (game) {
                if (const G* state = game->walk()) return state;
                PoolRecord record = game->take_finished();
                game.reset();
                std::lock_guard lock(mutex_);
                finished_.push_back(std::move(record));
            }
            const std::optional<std::int64_t> number = take_number();
            if (!number) return nullptr;
            game = std::make_unique<PoolGame<G>>(settings_, std::span<const G>(roots_).first(start_count_), seed_,
                                                 *number);
        }
    }

    std::optional<std::int64_t> take_number() {
        std::lock_guard lock(mutex_);
        const std::int64_t number = gaps_.empty() ? next_ : gaps_.front();
        if (number < 0) return std::nullopt;
        if (end_ >= 0 && number >= end_) return std::nullopt;
        gaps_.empty() ? void(++next_) : gaps_.pop_front();
        return number;
    }

    // One leaf's places of the policy, as many as its position has moves; the memory is used again and again.
    using Legal = std::vector<encodings::PolicyIndex>;

    const PoolSettings settings_;
    const std::vector<G> roots_;
    const std::size_t start_count_;
    const E encoder_;
    const std::uint64_t seed_;
    std::vector<std::unique_ptr<PoolGame<G>>> slots_;  // during `Team::run` each belongs to one job
    std::deque<int> idle_, empty_;
    std::map<std::int64_t, Waiting> waiting_;
    std::int64_t next_id_ = 0;
    std::vector<Legal> legal_;
    std::mutex mutex_;  // guards the next four while the team runs
    std::deque<std::int64_t> gaps_;
    std::int64_t next_ = 0;
    std::int64_t end_ = -1;
    std::vector<PoolRecord> finished_;
    Team team_;
};

}  // namespace philidor::selfplay
