// The transposition table: positions met before, shared by all threads without locks.
#pragma once

#include <atomic>
#include <cstdint>

#include "core/large_array.h"
#include "games/chess/types.h"
#include "search/alphabeta/values.h"

namespace philidor::search {

enum class Bound : std::uint8_t { kNone, kUpper, kLower, kExact };

struct TableEntry {
    chess::Move move{};
    int score = kNoScore;  // by distance from the position: see from_table
    int evaluation = kNoScore;
    int depth = 0;
    Bound bound = Bound::kNone;
    bool is_pv = false;
};

// Entries are two words, the key masked by the data (Hyatt's trick): a torn write reads as another position,
// so threads need no lock, and relaxed atomics make that well defined.
class Table {
  public:
    // Throws std::bad_alloc when there is not that much memory; the old table is then kept.
    void resize(std::size_t megabytes, int threads = 1);
    void clear(int threads = 1);
    std::size_t megabytes() const { return bucket_count_ * sizeof(Bucket) >> 20; }

    // Older entries give way first.
    void new_search() { generation_ = (generation_ + 1) & kGenerationMask; }

    bool probe(chess::Key key, TableEntry& entry) const;
    void store(chess::Key key, const TableEntry& entry);
    void prefetch(chess::Key key) const { __builtin_prefetch(&bucket(key)); }
    // In thousandths, by a sample.
    int fullness() const;

  private:
    struct Slot {
        std::atomic<std::uint64_t> masked_key;
        std::atomic<std::uint64_t> data;
    };
    static constexpr int kSlots = 4;
    struct alignas(64) Bucket {
        Slot slots[kSlots];
    };
    static constexpr unsigned kGenerationMask = 31;

    // The upper word of the product: spreads keys evenly over any number of buckets without a division.
    static std::uint64_t high_product(std::uint64_t a, std::uint64_t b) {
        __extension__ using Wide = unsigned __int128;
        return std::uint64_t((Wide(a) * Wide(b)) >> 64);
    }
    Bucket& bucket(chess::Key key) const { return buckets_[std::size_t(high_product(key, bucket_count_))]; }

    core::LargeArray<Bucket> buckets_;
    std::size_t bucket_count_ = 0;
    unsigned generation_ = 0;
};

}  // namespace philidor::search
