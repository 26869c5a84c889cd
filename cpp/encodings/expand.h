// From packed planes to the floats that a network eats.
#pragma once

#include <algorithm>
#include <cstdint>

namespace philidor::encodings {

// Writes (packed + scalars) planes of `squares` floats each. Bit i of a plane is bit i % 64 of its word i / 64.
inline void expand_planes(const std::uint64_t* planes, int packed, const float* scalars, int scalar_count, int squares,
                          float* out) {
    for (int plane = 0; plane < packed; ++plane)
        for (int first = 0; first < squares; first += 64, ++planes) {
            const int count = std::min(64, squares - first);
            for (int i = 0; i < count; ++i) *out++ = float((*planes >> i) & 1);
        }
    for (int i = 0; i < scalar_count; ++i) out = std::fill_n(out, squares, scalars[i]);
}

}  // namespace philidor::encodings
