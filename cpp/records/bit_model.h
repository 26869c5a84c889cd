// What the next bit will be, learned while coding: how often it was set in each of several contexts, mixed by weights
// that learn which contexts can be trusted (logistic mixing, Mahoney 2005). All in integers: a file packed on one
// machine is unpacked on another.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "records/arithmetic_coder.h"

namespace philidor::records {

// Mixes numbers into one context; the order matters.
constexpr std::uint32_t hash_of(std::uint32_t seed, std::uint32_t value) {
    std::uint32_t hash = (seed ^ value) * 0x9E3779B1u;
    return (hash ^ hash >> 15) * 0x85EBCA77u;
}

class BitModel {
  public:
    static constexpr int kMaxContexts = 8;
    static constexpr unsigned kMixers = 64;

    explicit BitModel(ArithmeticCoder& coder) : coder_(coder) {}

    // Codes a bit in its contexts (hashes) with the weights of `mixer`, below kMixers.
    bool code(bool bit, const std::uint32_t* contexts, int count, unsigned mixer);
    bool code(bool bit, std::initializer_list<std::uint32_t> contexts, unsigned mixer) {
        return code(bit, contexts.begin(), int(contexts.size()), mixer);
    }
    // A number, small ones cheap: its length in binary, then its digits.
    std::uint32_t code_number(std::uint32_t value, std::initializer_list<std::uint32_t> contexts, unsigned mixer);
    // How likely a bit is set in a context: the logarithm of the odds, in 256ths. Looks only.
    int odds(std::uint32_t context) const;

  private:
    // A probability of 22 bits and how often it was asked, up to kPatience: it learns ever more slowly.
    using Chance = std::uint32_t;
    static constexpr int kTableBits = 20;
    static constexpr std::uint32_t kPatience = 255;

    Chance& chance(std::uint32_t context) { return chances_[context >> (32 - kTableBits)]; }
    static void learn(Chance& chance, bool bit);

    static constexpr std::array<std::int32_t, kMaxContexts> first_weights() {
        std::array<std::int32_t, kMaxContexts> weights{};
        weights.fill(1 << 14);  // a quarter: several contexts say about the same
        return weights;
    }

    ArithmeticCoder& coder_;
    std::vector<Chance> chances_ = std::vector<Chance>(std::size_t{1} << kTableBits, Chance{1} << 31);
    std::vector<std::array<std::int32_t, kMaxContexts>> weights_{kMixers, first_weights()};
};

}  // namespace philidor::records
