// 128-bit operations that every x86 set of kernels shares; in an unnamed namespace, as kernels_body.h explains.
#pragma once

#include <immintrin.h>

#include <cstdint>

namespace philidor::evaluators::nnue {
namespace {

struct Bits128 {
    static void clear16(std::uint8_t* bytes) {
        _mm_store_si128(reinterpret_cast<__m128i*>(bytes), _mm_setzero_si128());
    }

    // Sixteen int32 sums of a hidden layer, shifted and bounded to 0..127.
    static void shift_and_clip16(const std::int32_t* sums, std::uint8_t* bytes) {
        const auto shifted = [&](int i) {
            return _mm_srai_epi32(_mm_load_si128(reinterpret_cast<const __m128i*>(sums) + i), 6);
        };
        const __m128i low = _mm_packs_epi32(shifted(0), shifted(1)), high = _mm_packs_epi32(shifted(2), shifted(3));
        const __m128i all = _mm_min_epu8(_mm_packus_epi16(low, high), _mm_set1_epi8(127));
        _mm_store_si128(reinterpret_cast<__m128i*>(bytes), all);
    }

    static std::int32_t sum32(__m128i v) {
        v = _mm_add_epi32(v, _mm_shuffle_epi32(v, 0x4E));
        v = _mm_add_epi32(v, _mm_shuffle_epi32(v, 0xB1));
        return _mm_cvtsi128_si32(v);
    }

    static std::int32_t four_bytes(const std::uint8_t* bytes) {
        std::int32_t four;
        __builtin_memcpy(&four, bytes, 4);
        return four;
    }
};

}  // namespace
}  // namespace philidor::evaluators::nnue
