// The arithmetic of NNUE for one instruction set: sums of columns, and the layers on top of them.
//
// Each set is compiled in a source file of its own with its own compiler flags and chosen by the CPU when a network is
// loaded. Those files include nothing but this header, kernels_body.h and the intrinsics: an inline function of any
// other header could be compiled for a CPU that has more than this one, and the linker might keep that copy for all.
#pragma once

#include <cstdint>

namespace philidor::evaluators::nnue {

inline constexpr int kWidthStep = 64;
inline constexpr int kMaxWidth = 4096;
inline constexpr int kMaxHidden = 4;
inline constexpr int kMaxLayer = 1024;
inline constexpr int kGroup = 16;  // outputs of a hidden layer are padded to a multiple of this
inline constexpr int kAlignment = 64;

// Pads the inputs of a layer as the widest vectors want it; what is added is zero.
constexpr int padded(int count, int step) { return (count + step - 1) / step * step; }

// weights[input / 4][output][input % 4], outputs padded to kGroup.
struct LayerView {
    const std::int32_t* biases;
    const std::int8_t* weights;
    int inputs;
    int outputs;
};

struct StackView {
    LayerView hidden[kMaxHidden];
    int hidden_count;
    const std::int8_t* output_weights;    // inputs padded to kAlignment
    const std::int16_t* squared_weights;  // the same for squared activations
    int output_inputs;
    std::int32_t output_bias;
};

// What a move does to one view's sums: columns that come and columns that go.
struct Changes {
    static constexpr int kMost = 32;
    const std::int16_t* added[kMost];
    const std::int16_t* removed[kMost];
    int added_count = 0;
    int removed_count = 0;
};

struct Kernels {
    const char* name;
    // to = from + added - removed, in int16 that wraps around; `from` may be `to`. Everything is aligned to kAlignment.
    void (*update)(const std::int16_t* from, std::int16_t* to, const Changes& changes, int width);
    // The last layer's integer, from the side to move's sums and the other's.
    std::int32_t (*clipped)(const StackView& stack, const std::int16_t* own, const std::int16_t* other, int width);
    std::int32_t (*squared)(const StackView& stack, const std::int16_t* own, const std::int16_t* other, int width);
    std::int32_t (*pairwise)(const StackView& stack, const std::int16_t* own, const std::int16_t* other, int width);
};

// Constants, so that loading the program runs no instruction of a set that the CPU may not have.
extern const Kernels kPlainKernels;
#if defined(__x86_64__)
extern const Kernels kSse41Kernels, kAvx2Kernels, kAvx512Kernels, kVnniKernels;
#endif

}  // namespace philidor::evaluators::nnue
