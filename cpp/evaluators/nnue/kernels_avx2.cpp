// NNUE arithmetic with AVX2.
#if defined(__x86_64__)

#include "evaluators/nnue/kernels_body.h"
#include "evaluators/nnue/vectors_128.h"

namespace philidor::evaluators::nnue {
namespace {

struct Avx2 : Bits128 {
    using Vec = __m256i;
    static constexpr int kBytes = 32;
    static Vec load(const void* p) { return _mm256_load_si256(static_cast<const __m256i*>(p)); }
    static void store(void* p, Vec v) { _mm256_store_si256(static_cast<__m256i*>(p), v); }
    static Vec set16(int value) { return _mm256_set1_epi16(std::int16_t(value)); }
    static Vec add16(Vec a, Vec b) { return _mm256_add_epi16(a, b); }
    static Vec sub16(Vec a, Vec b) { return _mm256_sub_epi16(a, b); }
    static Vec add32(Vec a, Vec b) { return _mm256_add_epi32(a, b); }
    static Vec min16(Vec a, Vec b) { return _mm256_min_epi16(a, b); }
    static Vec max16(Vec a, Vec b) { return _mm256_max_epi16(a, b); }
    static Vec mullo16(Vec a, Vec b) { return _mm256_mullo_epi16(a, b); }
    static Vec mulhi16(Vec a, Vec b) { return _mm256_mulhi_epi16(a, b); }
    static Vec madd16(Vec a, Vec b) { return _mm256_madd_epi16(a, b); }
    template <int Count>
    static Vec shift_left16(Vec v) {
        return _mm256_slli_epi16(v, Count);
    }
    // Packing works within each half; the quarters are put in order again.
    static Vec pack_positive(Vec low, Vec high) {
        return _mm256_permute4x64_epi64(_mm256_packus_epi16(low, high), 0xD8);
    }
    static Vec broadcast_four(const std::uint8_t* bytes) { return _mm256_set1_epi32(four_bytes(bytes)); }
    static Vec dot(Vec sums, Vec bytes, Vec weights) {
        return _mm256_add_epi32(sums, _mm256_madd_epi16(_mm256_maddubs_epi16(bytes, weights), _mm256_set1_epi16(1)));
    }
    static unsigned nonzero32(Vec v) {
        const Vec is_zero = _mm256_cmpeq_epi32(v, _mm256_setzero_si256());
        return ~unsigned(_mm256_movemask_ps(_mm256_castsi256_ps(is_zero))) & 0xFF;
    }
    static std::int32_t sum32(Vec v) {
        return Bits128::sum32(_mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1)));
    }
};

}  // namespace

constinit const Kernels kAvx2Kernels = make_kernels<Avx2>("avx2");

}  // namespace philidor::evaluators::nnue

#endif
