// NNUE arithmetic with AVX-512 and VNNI, which multiplies bytes and sums four products in one instruction.
#if defined(__x86_64__)

#include "evaluators/nnue/kernels_body.h"
#include "evaluators/nnue/vectors_512.h"

namespace philidor::evaluators::nnue {
namespace {

struct Vnni : Bits512 {
    static Vec dot(Vec sums, Vec bytes, Vec weights) { return _mm512_dpbusd_epi32(sums, bytes, weights); }
};

}  // namespace

constinit const Kernels kVnniKernels = make_kernels<Vnni>("vnni");

}  // namespace philidor::evaluators::nnue

#endif
