// NNUE arithmetic with SSE4.1.
#if defined(__x86_64__)

#include "evaluators/nnue/kernels_body.h"
#include "evaluators/nnue/vectors_128.h"

namespace philidor::evaluators::nnue {
namespace {

struct Sse41 : Bits128 {
    using Vec = __m128i;
    static constexpr int kBytes = 16;
    static Vec load(const void* p) { return _mm_load_si128(static_cast<const __m128i*>(p)); }
    static void store(void* p, Vec v) { _mm_store_si128(static_cast<__m128i*>(p), v); }
    static Vec set16(int value) { return _mm_set1_epi16(std::int16_t(value)); }
    static Vec add16(Vec a, Vec b) { return _mm_add_epi16(a, b); }
    static Vec sub16(Vec a, Vec b) { return _mm_sub_epi16(a, b); }
    static Vec add32(Vec a, Vec b) { return _mm_add_epi32(a, b); }
    static Vec min16(Vec a, Vec b) { return _mm_min_epi16(a, b); }
    static Vec max16(Vec a, Vec b) { return _mm_max_epi16(a, b); }
    static Vec mullo16(Vec a, Vec b) { return _mm_mullo_epi16(a, b); }
    static Vec mulhi16(Vec a, Vec b) { return _mm_mulhi_epi16(a, b); }
    static Vec madd16(Vec a, Vec b) { return _mm_madd_epi16(a, b); }
    template <int Count>
    static Vec shift_left16(Vec v) {
        return _mm_slli_epi16(v, Count);
    }
    static Vec pack_positive(Vec low, Vec high) { return _mm_packus_epi16(low, high); }
    static Vec broadcast_four(const std::uint8_t* bytes) { return _mm_set1_epi32(four_bytes(bytes)); }
    static Vec dot(Vec sums, Vec bytes, Vec weights) {
        return _mm_add_epi32(sums, _mm_madd_epi16(_mm_maddubs_epi16(bytes, weights), _mm_set1_epi16(1)));
    }
    static unsigned nonzero32(Vec v) {
        const Vec is_zero = _mm_cmpeq_epi32(v, _mm_setzero_si128());
        return ~unsigned(_mm_movemask_ps(_mm_castsi128_ps(is_zero))) & 0xF;
    }
};

}  // namespace

constinit const Kernels kSse41Kernels = make_kernels<Sse41>("sse4.1");

}  // namespace philidor::evaluators::nnue

#endif
