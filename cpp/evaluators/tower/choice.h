// Which kernels this CPU can run.
#pragma once

#include <string_view>
#include <vector>

#include "evaluators/tower/kernels.h"

namespace philidor::evaluators::tower {

// The fastest first.
const std::vector<const Kernels*>& runnable_kernels();
// By name; the fastest for an empty one. Throws std::invalid_argument.
const Kernels& choose_kernels(std::string_view name);

}  // namespace philidor::evaluators::tower
