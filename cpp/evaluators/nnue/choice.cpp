#include "evaluators/nnue/choice.h"

#include "evaluators/kernel_choice.h"

namespace philidor::evaluators::nnue {

namespace {

std::vector<const Kernels*> find_runnable() {
    std::vector<const Kernels*> found;
#if defined(__x86_64__)
    __builtin_cpu_init();
    const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                            __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    if (has_avx512 && __builtin_cpu_supports("avx512vnni")) found.push_back(&kVnniKernels);
    if (has_avx512) found.push_back(&kAvx512Kernels);
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt"))
        found.push_back(&kAvx2Kernels);
    if (__builtin_cpu_supports("sse4.1")) found.push_back(&kSse41Kernels);
#endif
    found.push_back(&kPlainKernels);
    return found;
}

}  // namespace

const std::vector<const Kernels*>& runnable_kernels() {
    static const std::vector<const Kernels*> found = find_runnable();
    return found;
}

const Kernels& choose_kernels(std::string_view name) { return kernels_named(runnable_kernels(), name, "NNUE"); }

}  // namespace philidor::evaluators::nnue
