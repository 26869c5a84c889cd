#include "search/alphabeta/table.h"

#include <algorithm>
#include <memory>
#include <thread>
#include <vector>

namespace philidor::search {

namespace {

// move 16 | score 16 | evaluation 16 | depth 8 | generation 5, pv 1, bound 2.
std::uint64_t pack(const TableEntry& entry, unsigned generation) {
    const unsigned low = (generation << 3) | (unsigned(entry.is_pv) << 2) | unsigned(entry.bound);
    return std::uint64_t(entry.move.raw()) << 48 | std::uint64_t(std::uint16_t(entry.score)) << 32 |
           std::uint64_t(std::uint16_t(entry.evaluation)) << 16 | std::uint64_t(std::uint8_t(entry.depth)) << 8 | low;
}

TableEntry unpack(std::uint64_t data) {
    return {chess::Move(std::uint16_t(data >> 48)), std::int16_t(data >> 32), std::int16_t(data >> 16),
            int(std::uint8_t(data >> 8)),           Bound(data & 3),          bool(data >> 2 & 1)};
}

constexpr unsigned generation_of(std::uint64_t data) { return unsigned(data >> 3) & 31; }
constexpr int depth_of(std::uint64_t data) { return int(std::uint8_t(data >> 8)); }

}  // namespace

void Table::resize(std::size_t megabytes, int threads) {
    const std::size_t count = std::max<std::size_t>(megabytes << 20, sizeof(Bucket)) / sizeof(Bucket);
    if (count == bucket_count_) return;
    buckets_ = core::LargeArray<Bucket>(count);
    bucket_count_ = count;
    clear(threads);
}

void Table::clear(int threads) {
    generation_ = 0;
    std::vector<std::thread> workers;
    const std::size_t share = bucket_count_ / std::size_t(std::max(threads, 1)) + 1;
    for (std::size_t start = 0; start < bucket_count_; start += share)
        workers.emplace_back([this, start, count = std::min(share, bucket_count_ - start)] {
            std::uninitialized_value_construct_n(buckets_.get() + start, count);
        });
    for (std::thread& worker : workers) worker.join();
}

bool Table::probe(chess::Key key, TableEntry& entry) const {
    for (const Slot& slot : bucket(key).slots) {
        const std::uint64_t data = slot.data.load(std::memory_order_relaxed);
        if ((slot.masked_key.load(std::memory_order_relaxed) ^ data) == key && data) {
            entry = unpack(data);
            return true;
        }
    }
    return false;
}

void Table::store(chess::Key key, const TableEntry& entry) {
    // 1. The same position's slot, or the one worth least: shallow and old.
    Slot* victim = nullptr;
    int least = 1 << 20;
    TableEntry fresh = entry;
    for (Slot& slot : bucket(key).slots) {
        const std::uint64_t data = slot.data.load(std::memory_order_relaxed);
        if ((slot.masked_key.load(std::memory_order_relaxed) ^ data) == key && data) {
            const TableEntry old = unpack(data);
            if (!fresh.move) fresh.move = old.move;
            // A much deeper result of this search is not given up for a shallow bound.
            if (fresh.bound != Bound::kExact && fresh.depth + 4 < old.depth && generation_of(data) == generation_)
                return;
            victim = &slot;
            break;
        }
        const int age = int((generation_ - generation_of(data)) & kGenerationMask);
        const int worth = data ? depth_of(data) - 8 * age : -(1 << 19);
        if (worth < least) least = worth, victim = &slot;
    }
    // 2. Written as one pair that fits together, or not at all.
    const std::uint64_t data = pack(fresh, generation_);
    victim->masked_key.store(key ^ data, std::memory_order_relaxed);
    victim->data.store(data, std::memory_order_relaxed);
}

int Table::fullness() const {
    const std::size_t sample = std::min<std::size_t>(bucket_count_, 250);
    int used = 0;
    for (std::size_t i = 0; i < sample; ++i)
        for (const Slot& slot : buckets_[i].slots) {
            const std::uint64_t data = slot.data.load(std::memory_order_relaxed);
            used += data && generation_of(data) == generation_;
        }
    return int(used * 1000 / int(sample * kSlots));
}

}  // namespace philidor::search
