// What the connect four solver remembers: bounds of positions, in a table of fixed size that never mistakes one
// position for another.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace philidor::search {

// The exact score lies between the two.
struct Connect4Bounds {
    int lower;
    int upper;
};

class Connect4Table {
  public:
    // Takes at most `memory_mb` MiB, which must be at least 1: the greatest power of two that fits.
    explicit Connect4Table(int memory_mb)
        : size_((std::bit_floor(std::size_t(memory_mb)) << 20) / sizeof(Bucket)),
          shift_(64 - std::countr_zero(size_)),
          // Comes as zeros without touching them: what a small board does not use costs nothing.
          buckets_(static_cast<Bucket*>(std::calloc(size_, sizeof(Bucket)))) {
        if (!buckets_) throw std::bad_alloc();
    }

    void clear() { std::fill_n(buckets_.get(), size_, Bucket{}); }

    // Narrows the bounds to what is known of the position.
    void probe(std::uint64_t key, Connect4Bounds& bounds) const {
        const std::uint64_t mixed = mix(key);
        for (const std::uint64_t slot : buckets_[mixed >> shift_].slots) {
            if (slot == 0 || slot >> kPayloadBits != tag(mixed)) continue;
            bounds.lower = std::max(bounds.lower, int(slot >> kLowerShift & kScoreMask) - kScoreOffset);
            bounds.upper = std::min(bounds.upper, int(slot >> kUpperShift & kScoreMask) - kScoreOffset);
            return;
        }
    }

    // `nodes` is the work behind the bounds. The first slot of a bucket keeps the dearest position, which is also the
    // nearest to the root; the second takes whatever comes, as the next positions are mostly relatives of the last.
    void store(std::uint64_t key, Connect4Bounds bounds, std::uint64_t nodes) {
        const std::uint64_t mixed = mix(key);
        auto& [dear, recent] = buckets_[mixed >> shift_].slots;
        const std::uint64_t work = std::min<std::uint64_t>(std::bit_width(nodes) / 2, kWorkMask);
        const std::uint64_t entry = tag(mixed) << kPayloadBits |
                                    std::uint64_t(bounds.lower + kScoreOffset) << kLowerShift |
                                    std::uint64_t(bounds.upper + kScoreOffset) << kUpperShift | work;
        const bool is_known = dear >> kPayloadBits == tag(mixed);
        if (is_known || work >= (dear & kWorkMask)) {
            if (!is_known) recent = dear;
            dear = entry;
        } else {
            recent = entry;
        }
    }

  private:
    // 48 bits of the position, two scores of 6 bits, 4 bits of work.
    static constexpr int kPayloadBits = 16, kLowerShift = 10, kUpperShift = 4;
    static constexpr std::uint64_t kScoreMask = 63, kWorkMask = 15;
    static constexpr int kScoreOffset = 31;  // no position of at most 63 cells scores more in the search

    struct Bucket {
        std::uint64_t slots[2];
    };
    struct Free {
        void operator()(Bucket* buckets) const { std::free(buckets); }
    };

    // Both steps can be undone, so different keys stay different: the top bits choose the bucket, of which there are
    // at least 2^16, and the other 48 are kept.
    static std::uint64_t mix(std::uint64_t key) { return (key ^ key >> 32) * 0x9E3779B97F4A7C15; }
    static std::uint64_t tag(std::uint64_t mixed) { return mixed & ((std::uint64_t{1} << 48) - 1); }

    std::size_t size_;  // in buckets
    int shift_;
    std::unique_ptr<Bucket[], Free> buckets_;
};

}  // namespace philidor::search
