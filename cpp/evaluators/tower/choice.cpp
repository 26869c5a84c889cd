#include "evaluators/tower/choice.h"

#include "evaluators/kernel_choice.h"

namespace philidor::evaluators::tower {

namespace {

std::vector<const Kernels*> find_runnable() {
    std::vector<const Kernels*> found;
#if defined(__x86_64__)
    __builtin_cpu_init();
    const bool has_fma = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (has_fma && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq"))
        found.push_back(&kAvx512Kernels);
    if (has_fma) found.push_back(&kAvx2Kernels);
#endif
    found.push_back(&kPlainKernels);
    return found;
}

}  // namespace

const std::vector<const Kernels*>& runnable_kernels() {
    static const std::vector<const Kernels*> found = find_runnable();
    return found;
}

const Kernels& choose_kernels(std::string_view name) { return kernels_named(runnable_kernels(), name, "network"); }

}  // namespace philidor::evaluators::tower
