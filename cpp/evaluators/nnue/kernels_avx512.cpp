// NNUE arithmetic with AVX-512 (F and BW).
#if defined(__x86_64__)

#include "evaluators/nnue/kernels_body.h"
#include "evaluators/nnue/vectors_512.h"

namespace philidor::evaluators::nnue {
namespace {

struct Avx512 : Bits512 {
    static Vec dot(Vec sums, Vec bytes, Vec weights) {
        return _mm512_add_epi32(sums, _mm512_madd_epi16(_mm512_maddubs_epi16(bytes, weights), _mm512_set1_epi16(1)));
    }
};

}  // namespace

constinit const Kernels kAvx512Kernels = make_kernels<Avx512>("avx512");

}  // namespace philidor::evaluators::nnue

#endif
