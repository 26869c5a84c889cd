// Random numbers by name instead of by turn, and random orders that take no memory: what makes a stream of training
// positions the same on any number of threads, and lets it begin anywhere.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace philidor::train {

// Splitmix64's finalizer: neighboring numbers get unrelated ones.
constexpr std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}
// A number that depends on both, for chains: combine(combine(seed, epoch), game).
constexpr std::uint64_t combine(std::uint64_t key, std::uint64_t value) {
    return mix(key + 0x9E3779B97F4A7C15ULL * (value + 1));
}
// In [0, 1).
constexpr double share_of(std::uint64_t hash) { return double(hash >> 11) * 0x1p-53; }

// A permutation of 0 .. count - 1: a Feistel network over the next power of four, walked on until it is back in range
// (Black and Rogaway 2002).
class RandomOrder {
  public:
    RandomOrder(std::uint64_t count, std::uint64_t key)
        : count_(count), key_(key), half_(std::max(1, (int(std::bit_width(count > 0 ? count - 1 : 0)) + 1) / 2)) {}

    std::uint64_t operator[](std::uint64_t index) const {
        do index = turn(index);
        while (index >= count_);
        return index;
    }

  private:
    std::uint64_t turn(std::uint64_t index) const {
        const std::uint64_t mask = (std::uint64_t{1} << half_) - 1;
        std::uint64_t left = index >> half_, right = index & mask;
        for (std::uint64_t round = 0; round < 6; ++round) {
            const std::uint64_t next = left ^ (mix(key_ + (round << 56) + right) & mask);
            left = right;
            right = next;
        }
        return left << half_ | right;
    }

    std::uint64_t count_, key_;
    int half_;
};

}  // namespace philidor::train
