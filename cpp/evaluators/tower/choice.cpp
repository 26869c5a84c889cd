#include "evaluators/tower/choice.h"

#include <stdexcept>
#include <string>

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

const Kernels& choose_kernels(std::string_view name) {
    std::string names;
    for (const Kernels* kernels : runnable_kernels()) {
        if (name.empty() || name == kernels->name) return *kernels;
        names += (names.empty() ? "" : ", ") + std::string(kernels->name);
    }
    throw std::invalid_argument("no network kernels '" + std::string(name) + "' on this CPU; it has " + names);
}

}  // namespace philidor::evaluators::tower
