// Chooses among kernels by name; each kind of network says itself which of its own this CPU can run.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace philidor::evaluators {

// The kernels of this name, or the first of all for an empty one. Throws std::invalid_argument; `kind` is for people.
template <typename Kernels>
const Kernels& kernels_named(const std::vector<const Kernels*>& runnable, std::string_view name, const char* kind) {
    std::string names;
    for (const Kernels* kernels : runnable) {
        if (name.empty() || name == kernels->name) return *kernels;
        names += (names.empty() ? "" : ", ") + std::string(kernels->name);
    }
    throw std::invalid_argument("no " + std::string(kind) + " kernels '" + std::string(name) +
                                "' on this CPU; it has " + names);
}

}  // namespace philidor::evaluators
