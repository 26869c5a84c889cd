// Dirichlet noise from the shared random numbers. The twin of src/philidor/search/dirichlet.py: the same seed gives
// the same shares, as both do the same double operations in the same order.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "search/random.h"

namespace philidor::search {

// From (0, 1): 53 random bits, and half a step so that 0, which has no logarithm, never comes.
inline double uniform(SplitMix64& random) { return (double(random.next() >> 11) + 0.5) * 0x1p-53; }

// Box and Muller 1958.
inline double normal(SplitMix64& random) {
    const double radius = std::sqrt(-2 * std::log(uniform(random)));
    return radius * std::cos(2 * std::numbers::pi * uniform(random));
}

// Marsaglia and Tsang 2000, with their boost for shapes below 1.
inline double gamma(double alpha, SplitMix64& random) {
    if (alpha < 1) {
        const double boosted = gamma(alpha + 1, random);
        return boosted * std::pow(uniform(random), 1 / alpha);
    }
    const double d = alpha - 1.0 / 3;
    const double c = 1 / std::sqrt(9 * d);
    for (;;) {
        const double x = normal(random);
        double v = 1 + c * x;
        if (v <= 0) continue;
        v = v * v * v;
        if (std::log(uniform(random)) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
    }
}

// `count` shares that sum to 1; a small alpha singles out few of them.
inline std::vector<double> dirichlet(double alpha, int count, SplitMix64& random) {
    std::vector<double> shares;
    double total = 0;
    for (int i = 0; i < count; ++i) shares.push_back(gamma(alpha, random)), total += shares.back();
    // With a tiny alpha all draws may underflow to nothing.
    for (double& share : shares) share = total > 0 ? share / total : 1.0 / count;
    return shares;
}

}  // namespace philidor::search
