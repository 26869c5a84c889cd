// Which kernels this CPU can run.
#pragma once

#include <string_view>
#include <vector>

#include "evaluators/nnue/kernels.h"

namespace philidor::evaluators::nnue {

// The fastest first; "plain" is always among them.
const std::vector<const Kernels*>& runnable_kernels();
// The kernels of this name, or the fastest for an empty one. Throws std::invalid_argument.
const Kernels& choose_kernels(std::string_view name);

}  // namespace philidor::evaluators::nnue
