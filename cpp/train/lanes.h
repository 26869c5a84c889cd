// Eight floats at once in whatever vectors a CPU has: for sums that a compiler must not put in another order by itself.
#pragma once

#include <cstddef>

namespace philidor::train {

// Anywhere in an array of floats.
using Lanes [[gnu::vector_size(32), gnu::aligned(4), gnu::may_alias]] = float;
inline constexpr std::size_t kLanes = 8;

inline Lanes& lanes(float* at) { return *reinterpret_cast<Lanes*>(at); }
inline const Lanes& lanes(const float* at) { return *reinterpret_cast<const Lanes*>(at); }

}  // namespace philidor::train
