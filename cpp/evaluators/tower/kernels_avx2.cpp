// Convolutional networks with AVX2 and FMA.
#if defined(__x86_64__)

#define PHILIDOR_LANES 8
#define PHILIDOR_PANELS 1
#include "evaluators/tower/kernels_body.h"

namespace philidor::evaluators::tower {

const Kernels kAvx2Kernels = {"avx2", multiply, convolve, average, excite};

}  // namespace philidor::evaluators::tower

#endif
