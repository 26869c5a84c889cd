// The arithmetic of convolutional networks on 8x8 boards for one instruction set.
//
// Boards are [64 squares][channels], channels padded to a multiple of kGroup. Each set is compiled in a source file of
// its own with its own compiler flags and chosen by the CPU when a network is loaded. Those files include nothing but
// this header and kernels_body.h: an inline function of any other header could be compiled for a CPU that has more than
// this one, and the linker might keep that copy for all.
#pragma once

#include <cstdint>

namespace philidor::evaluators::tower {

inline constexpr int kSquares = 64;
inline constexpr int kGroup = 16;
inline constexpr int kAlignment = 64;
// Boards that are worked on together: enough to read each weight once for many, few enough for the second-level cache.
inline constexpr int kBlock = 12;

constexpr int padded(int channels) { return (channels + kGroup - 1) / kGroup * kGroup; }

enum class Activation : std::uint8_t { kNone, kRelu, kMish };

// weights[outputs / kGroup][inputs][kGroup]; both sizes are padded, and what is added is zero.
struct Matrix {
    const float* weights;
    const float* biases;  // [outputs]
    int inputs;
    int outputs;
};

// A 3x3 convolution by Winograd's method F(4x4, 3x3): each tile of 4x4 squares is turned into 36 numbers, which 36
// matrices multiply. That needs a quarter of the multiplications.
inline constexpr int kTransformed = 36, kTile = 4, kTiles = 4;
struct Convolution {
    const float* weights;  // 36 of Matrix::weights
    const float* biases;
    int inputs;
    int outputs;
};
// Floats between two of the 36 planes of scratch; a little more than needed, so that they do not share cache sets.
constexpr int plane_stride(int channels) { return kBlock * kTiles * channels + 3 * kGroup; }
constexpr int scratch_size(int inputs, int outputs) {
    return kTransformed * (plane_stride(inputs) + plane_stride(outputs));
}

struct Kernels {
    const char* name;
    // out[rows][outputs] = activation(in[rows][inputs] * weights + biases).
    void (*multiply)(const Matrix& matrix, const float* in, int rows, Activation activation, float* out);
    // At most kBlock boards. `skip` may be null; out = activation(convolution + biases + skip).
    void (*convolve)(const Convolution& layer, const float* in, int boards, const float* skip, Activation activation,
                     float* scratch, float* out);
    // Means over the squares: [boards][64][channels] -> [boards][channels].
    void (*average)(const float* in, int boards, int channels, float* out);
    // out = activation(in * sigmoid(gates[0..channels)) + gates[channels..) + skip), gates per board.
    void (*excite)(const float* in, const float* gates, const float* skip, int boards, int channels,
                   Activation activation, float* out);
};

extern const Kernels kPlainKernels;
#if defined(__x86_64__)
extern const Kernels kAvx2Kernels;
extern const Kernels kAvx512Kernels;
#endif

}  // namespace philidor::evaluators::tower
