// SplitMix64 (Steele, Lea and Flood 2014), the random numbers of reproducible searches. The twin of
// src/philidor/core/random.py: the same seed gives the same draws.
#pragma once

#include <cstdint>

namespace philidor::search {

class SplitMix64 {
  public:
    static constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15ULL;

    explicit SplitMix64(std::uint64_t seed) : state_(seed) {}

    std::uint64_t state() const { return state_; }

    std::uint64_t next() {
        state_ += kStep;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }
    // An index below n, by scaling: no division, and a bias below one part in 2^55 for any move list.
    // One draw even for n = 1, as in the twin.
    int below(int n) { return int((Uint128(next()) * unsigned(n)) >> 64); }

  private:
    __extension__ using Uint128 = unsigned __int128;

    std::uint64_t state_;
};

// The random numbers of one of many games: its seed is draw `number` of theirs.
inline SplitMix64 game_random(std::uint64_t seed, std::int64_t number) {
    return SplitMix64(SplitMix64(seed + std::uint64_t(number) * SplitMix64::kStep).next());
}

}  // namespace philidor::search
