// Choosing among the bits of a word.
#pragma once

#include <bit>
#include <cstdint>

#ifdef PHILIDOR_PEXT
#include <immintrin.h>
#endif

namespace philidor::games {

// The position of the n-th set bit, counted from 0; `word` must have more than n.
inline int nth_set_bit(std::uint64_t word, int n) {
#ifdef PHILIDOR_PEXT
    return std::countr_zero(_pdep_u64(std::uint64_t{1} << n, word));
#else
    for (; n > 0; --n) word &= word - 1;
    return std::countr_zero(word);
#endif
}

}  // namespace philidor::games
