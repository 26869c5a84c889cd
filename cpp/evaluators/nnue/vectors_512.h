// 512-bit operations that the kernels with and without VNNI share; in an unnamed namespace, as kernels_body.h explains.
#pragma once

#include "evaluators/nnue/vectors_128.h"

namespace philidor::evaluators::nnue {
namespace {

struct Bits512 : Bits128 {
    using Vec = __m512i;
    static constexpr int kBytes = 64;
    static Vec load(const void* p) { return _mm512_load_si512(p); }
    static void store(void* p, Vec v) { _mm512_store_si512(p, v); }
    static Vec set16(int value) { return _mm512_set1_epi16(std::int16_t(value)); }
    static Vec add16(Vec a, Vec b) { return _mm512_add_epi16(a, b); }
    static Vec sub16(Vec a, Vec b) { return _mm512_sub_epi16(a, b); }
    static Vec add32(Vec a, Vec b) { return _mm512_add_epi32(a, b); }
    static Vec min16(Vec a, Vec b) { return _mm512_min_epi16(a, b); }
    static Vec max16(Vec a, Vec b) { return _mm512_max_epi16(a, b); }
    static Vec mullo16(Vec a, Vec b) { return _mm512_mullo_epi16(a, b); }
    static Vec mulhi16(Vec a, Vec b) { return _mm512_mulhi_epi16(a, b); }
    static Vec madd16(Vec a, Vec b) { return _mm512_madd_epi16(a, b); }
    template <int Count>
    static Vec shift_left16(Vec v) {
        return _mm512_slli_epi16(v, Count);
    }
    // Packing works within each quarter; the eighths are put in order again.
    static Vec pack_positive(Vec low, Vec high) {
        const Vec order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
        return _mm512_permutexvar_epi64(order, _mm512_packus_epi16(low, high));
    }
    static Vec broadcast_four(const std::uint8_t* bytes) { return _mm512_set1_epi32(four_bytes(bytes)); }
    static unsigned nonzero32(Vec v) { return _mm512_test_epi32_mask(v, v); }
    static std::int32_t sum32(Vec v) {
        const __m256i half = _mm256_add_epi32(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64(v, 1));
        return Bits128::sum32(_mm_add_epi32(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1)));
    }
};

}  // namespace
}  // namespace philidor::evaluators::nnue
