// Convolutional networks with any CPU.
#define PHILIDOR_LANES 4
#define PHILIDOR_PANELS 1
#include "evaluators/tower/kernels_body.h"

namespace philidor::evaluators::tower {

const Kernels kPlainKernels = {"plain", multiply, convolve, average, excite};

}  // namespace philidor::evaluators::tower
