#include "records/bit_model.h"

#include <bit>

namespace philidor::records {
namespace {

// 65536 / (1 + e^-x) for x = -8, -7.5, ... 8.
constexpr int kSquash[33] = {22,    36,    60,    98,    162,   267,   439,   720,   1179,  1921,  3108,
                             4971,  7812,  11953, 17625, 24743, 32768, 40793, 47911, 53583, 57724, 60565,
                             62428, 63615, 64357, 64816, 65097, 65269, 65374, 65438, 65476, 65500, 65514};
constexpr int kLimit = 2047;  // of stretched odds, which are in 256ths

int squash(int odds) {
    const int at = std::clamp(odds, -kLimit, kLimit) + 2048, step = at >> 7, rest = at & 127;
    return (kSquash[step] * (128 - rest) + kSquash[step + 1] * rest) >> 7;
}

// The inverse, for probabilities of 12 bits.
struct Stretch {
    std::array<std::int16_t, 4096> odds{};
    Stretch() {
        int next = 0;
        for (int x = -kLimit; x <= kLimit; ++x)
            for (const int to = squash(x) >> 4; next <= to && next < 4096; ++next)
                odds[std::size_t(next)] = std::int16_t(x);
        for (; next < 4096; ++next) odds[std::size_t(next)] = kLimit;
    }
};
const Stretch stretch;

int stretched(std::uint32_t chance) { return stretch.odds[chance >> 20]; }

}  // namespace

void BitModel::learn(Chance& chance, bool bit) {
    const std::uint32_t count = chance & 1023;
    const std::int64_t value = chance >> 10, goal = bit ? (1 << 22) - 1 : 0;
    // The first bit counts most; 1 / (count + 1.5) is the mean of all so far.
    const auto next = std::uint32_t(value + (goal - value) * 2 / std::int64_t(2 * count + 3));
    chance = next << 10 | (count < kPatience ? count + 1 : count);
}

int BitModel::odds(std::uint32_t context) const { return stretched(chances_[context >> (32 - kTableBits)]); }

bool BitModel::code(bool bit, const std::uint32_t* contexts, int count, unsigned mixer) {
    // 1. What each context expects, and what the mixer makes of it.
    std::array<std::int32_t, kMaxContexts>& weights = weights_[mixer];
    Chance* chances[kMaxContexts];
    int inputs[kMaxContexts];
    std::int64_t sum = 0;
    for (int i = 0; i < count; ++i) {
        chances[i] = &chance(contexts[i]);
        inputs[i] = stretched(*chances[i]);
        sum += std::int64_t(weights[std::size_t(i)]) * inputs[i];
    }
    const int one = std::clamp(squash(int(std::clamp<std::int64_t>(sum >> 16, -kLimit, kLimit))), 24, 65512);
    bit = coder_.code(bit, unsigned(one));
    // 2. Learn from what it was.
    const int error = (bit ? 65535 : 0) - one;
    for (int i = 0; i < count; ++i) {
        std::int32_t& weight = weights[std::size_t(i)];
        weight = std::clamp(weight + ((inputs[i] * (error / 16) + (1 << 12)) >> 13), -(1 << 20), 1 << 20);
        learn(*chances[i], bit);
    }
    return bit;
}

std::uint32_t BitModel::code_number(std::uint32_t value, std::initializer_list<std::uint32_t> contexts,
                                    unsigned mixer) {
    std::uint32_t seeds[kMaxContexts];
    const int count = int(contexts.size());
    const auto step = [&](bool bit, std::uint32_t place) {
        int i = 0;
        for (const std::uint32_t context : contexts) seeds[i++] = hash_of(context, place);
        return code(bit, seeds, count, mixer);
    };
    // 1. The number of binary digits of value + 1, less one: a row of ones.
    const std::uint64_t shifted = std::uint64_t(value) + 1;
    const int length = 63 - std::countl_zero(shifted);
    int digits = 0;
    while (digits < 31 && step(digits < length, std::uint32_t(digits))) ++digits;
    // 2. The digits behind the first. The two highest depend on each other, the rest is noise.
    std::uint64_t found = 1;
    for (int place = digits - 1; place >= 0; --place) {
        const bool is_high = digits - place <= 3;
        const auto prefix = std::uint32_t(is_high ? found : 0);
        const std::uint32_t which = 64 + 32 * std::uint32_t(digits) + std::uint32_t(place) + (prefix << 11);
        found = found << 1 | std::uint64_t(step((shifted >> place) & 1, which));
    }
    return std::uint32_t(found - 1);
}

}  // namespace philidor::records
