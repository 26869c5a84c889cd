// Convolutional networks with AVX-512.
#if defined(__x86_64__)

#define PHILIDOR_LANES 16
#define PHILIDOR_PANELS 4
#include "evaluators/tower/kernels_body.h"

namespace philidor::evaluators::tower {

const Kernels kAvx512Kernels = {"avx512", multiply, convolve, average, excite};

}  // namespace philidor::evaluators::tower

#endif
