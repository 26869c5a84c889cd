// The kernels over any set of vector instructions. `V` names the operations; each source file that includes this
// defines one and lives in an unnamed namespace, so that no two sets can share a function.
//
// Nothing saturates where it would matter, so all sets agree to the bit: bytes are at most 127, hence a sum of two
// products with int8 fits int16; what is packed from int32 to int16 was shifted and is bounded to 0..127 afterwards.
#pragma once

#include "evaluators/nnue/kernels.h"

namespace philidor::evaluators::nnue {
namespace {

inline constexpr int kMaxInputs = 2 * kMaxWidth;
// Up to here all blocks are summed: looking for zeros, and not knowing how many there are, would cost more.
inline constexpr int kFewInputs = 64;
// The same for one vector of outputs. Measured with 512 products of pairs; wider layers may have more zeros.
inline constexpr int kDenseInputs = 512;

// --- Sums of columns ---------------------------------------------------------------------------------------

// Most moves bring one column and take one or two; castling two and two. One pass, each number touched once.
template <class V, int Added, int Removed>
void update_fixed(const std::int16_t* from, std::int16_t* to, const Changes& changes, int width) {
    constexpr int kStep = V::kBytes / 2;
    // Copies: for all that the compiler knows, each store could change the pointers behind `changes`.
    const std::int16_t *added[Added], *removed[Removed];
    for (int k = 0; k < Added; ++k) added[k] = changes.added[k];
    for (int k = 0; k < Removed; ++k) removed[k] = changes.removed[k];
    for (int i = 0; i < width; i += kStep) {
        auto sum = V::load(from + i);
        for (int k = 0; k < Added; ++k) sum = V::add16(sum, V::load(added[k] + i));
        for (int k = 0; k < Removed; ++k) sum = V::sub16(sum, V::load(removed[k] + i));
        V::store(to + i, sum);
    }
}

// Any number of columns: a tile of the sums stays in registers while all of them pass.
template <class V>
void update_any(const std::int16_t* from, std::int16_t* to, const Changes& changes, int width) {
    constexpr int kTile = kWidthStep * 2 / V::kBytes;
    for (int i = 0; i < width; i += kWidthStep) {
        typename V::Vec sums[kTile];
        for (int t = 0; t < kTile; ++t) sums[t] = V::load(from + i + t * (V::kBytes / 2));
        for (int k = 0; k < changes.added_count; ++k)
            for (int t = 0; t < kTile; ++t)
                sums[t] = V::add16(sums[t], V::load(changes.added[k] + i + t * (V::kBytes / 2)));
        for (int k = 0; k < changes.removed_count; ++k)
            for (int t = 0; t < kTile; ++t)
                sums[t] = V::sub16(sums[t], V::load(changes.removed[k] + i + t * (V::kBytes / 2)));
        for (int t = 0; t < kTile; ++t) V::store(to + i + t * (V::kBytes / 2), sums[t]);
    }
}

template <class V>
void update(const std::int16_t* from, std::int16_t* to, const Changes& changes, int width) {
    switch (64 * changes.added_count + changes.removed_count) {
        case 64 * 1 + 1: return update_fixed<V, 1, 1>(from, to, changes, width);
        case 64 * 1 + 2: return update_fixed<V, 1, 2>(from, to, changes, width);
        case 64 * 2 + 2: return update_fixed<V, 2, 2>(from, to, changes, width);
        default: return update_any<V>(from, to, changes, width);
    }
}

// --- Activations -------------------------------------------------------------------------------------------

template <class V>
void clip(const std::int16_t* sums, std::uint8_t* bytes, int width) {
    const auto one = V::set16(127);
    for (int i = 0; i < width; i += V::kBytes) {
        const auto low = V::min16(V::load(sums + i), one);
        const auto high = V::min16(V::load(sums + i + V::kBytes / 2), one);
        V::store(bytes + i, V::pack_positive(low, high));
    }
}

// (a * b) >> 9 is the high half of (a << 7) * b, which fits as both are at most 255.
template <class V>
auto pair_product(const std::int16_t* first, const std::int16_t* second) {
    const auto zero = V::set16(0), one = V::set16(255);
    const auto a = V::min16(V::max16(V::load(first), zero), one);
    const auto b = V::min16(V::max16(V::load(second), zero), one);
    return V::mulhi16(V::template shift_left16<7>(a), b);
}

template <class V>
void multiply_pairs(const std::int16_t* sums, std::uint8_t* bytes, int width) {
    const int half = width / 2;
    constexpr int kStep = V::kBytes / 2;
    for (int i = 0; i < half; i += V::kBytes)
        V::store(bytes + i, V::pack_positive(pair_product<V>(sums + i, sums + half + i),
                                             pair_product<V>(sums + i + kStep, sums + half + i + kStep)));
}

// --- Layers ------------------------------------------------------------------------------------------------

// One bit for each group of four inputs that is not all zero, as most groups of a clipped layer are.
template <class V>
void find_blocks(const std::uint8_t* inputs, int count, std::uint64_t* masks) {
    constexpr int kBlocks = V::kBytes / 4, kVectors = 64 / kBlocks;
    for (int word = 0; word * 256 < count; ++word) {
        std::uint64_t mask = 0;
        for (int v = 0; v < kVectors && word * 256 + v * V::kBytes < count; ++v)
            mask |= std::uint64_t(V::nonzero32(V::load(inputs + word * 256 + v * V::kBytes))) << (v * kBlocks);
        masks[word] = mask;
    }
}

template <class V, int Registers>
inline void add_block(typename V::Vec* sums, const std::uint8_t* inputs, const std::int8_t* weights, int block,
                      int outputs) {
    const auto four = V::broadcast_four(inputs + 4 * block);
    const std::int8_t* rows = weights + std::int64_t(block) * 4 * outputs;
    for (int r = 0; r < Registers; ++r) sums[r] = V::dot(sums[r], four, V::load(rows + r * V::kBytes));
}

// `Registers` vectors of outputs, from the first of them on. Two blocks at a time: the chains of sums are independent.
template <class V, int Registers>
void affine_part(const LayerView& layer, int first, const std::uint8_t* inputs, const std::uint64_t* masks,
                 std::int32_t* sums_out) {
    typename V::Vec even[Registers], odd[Registers];
    for (int r = 0; r < Registers; ++r) {
        even[r] = V::load(layer.biases + first + r * (V::kBytes / 4));
        odd[r] = V::set16(0);
    }
    const std::int8_t* weights = layer.weights + 4 * first;
    for (int word = 0; word * 256 < layer.inputs; ++word) {
        std::uint64_t mask = masks[word];
        const int base = word * 64;
        for (int pairs = __builtin_popcountll(mask) / 2; pairs > 0; --pairs) {
            const int a = base + __builtin_ctzll(mask);
            mask &= mask - 1;
            const int b = base + __builtin_ctzll(mask);
            mask &= mask - 1;
            add_block<V, Registers>(even, inputs, weights, a, layer.outputs);
            add_block<V, Registers>(odd, inputs, weights, b, layer.outputs);
        }
        if (mask) add_block<V, Registers>(even, inputs, weights, base + __builtin_ctzll(mask), layer.outputs);
    }
    for (int r = 0; r < Registers; ++r) V::store(sums_out + first + r * (V::kBytes / 4), V::add32(even[r], odd[r]));
}

// One vector of outputs from all blocks: where a block costs one instruction, finding out which are zero costs more.
// Four chains of sums, as each waits for its last addition.
template <class V>
void affine_dense(const LayerView& layer, const std::uint8_t* inputs, std::int32_t* sums_out) {
    constexpr int kChains = 4;
    static_assert(kGroup % (4 * kChains) == 0, "inputs are padded to groups");
    typename V::Vec sums[kChains];
    sums[0] = V::load(layer.biases);
    for (int c = 1; c < kChains; ++c) sums[c] = V::set16(0);
    for (int block = 0; block < layer.inputs / 4; block += kChains)
        for (int c = 0; c < kChains; ++c) add_block<V, 1>(sums + c, inputs, layer.weights, block + c, layer.outputs);
    V::store(sums_out, V::add32(V::add32(sums[0], sums[1]), V::add32(sums[2], sums[3])));
}

template <class V>
void affine(const LayerView& layer, const std::uint8_t* inputs, std::int32_t* sums) {
    constexpr int kPerGroup = kGroup * 4 / V::kBytes;  // vectors of one group of outputs
    if constexpr (kPerGroup == 1)
        if (layer.outputs == kGroup && layer.inputs <= kDenseInputs) return affine_dense<V>(layer, inputs, sums);
    std::uint64_t masks[kMaxInputs / 256];
    if (layer.inputs <= kFewInputs)
        masks[0] = (std::uint64_t(1) << (layer.inputs / 4)) - 1;
    else
        find_blocks<V>(inputs, layer.inputs, masks);
    int first = 0;
    for (; first + 2 * kGroup <= layer.outputs; first += 2 * kGroup)
        affine_part<V, 2 * kPerGroup>(layer, first, inputs, masks, sums);
    if (first < layer.outputs) affine_part<V, kPerGroup>(layer, first, inputs, masks, sums);
}

template <class V>
std::int32_t output(const StackView& stack, const std::uint8_t* inputs) {
    auto sum = V::set16(0);
    for (int i = 0; i < stack.output_inputs; i += V::kBytes)
        sum = V::dot(sum, V::load(inputs + i), V::load(stack.output_weights + i));
    return std::int32_t(std::uint32_t(V::sum32(sum)) + std::uint32_t(stack.output_bias));
}

// From the first layer's bytes to the integer.
template <class V>
std::int32_t propagate(const StackView& stack, const std::uint8_t* inputs) {
    alignas(kAlignment) std::int32_t sums[kMaxLayer];
    alignas(kAlignment) std::uint8_t bytes[padded(kMaxLayer, kAlignment)];
    for (int i = 0; i < stack.hidden_count; ++i) {
        const LayerView& layer = stack.hidden[i];
        affine<V>(layer, inputs, sums);
        // Vectors are read whole: what is behind the last output of the layer must be zero.
        for (int o = layer.outputs; o % kAlignment; o += kGroup) V::clear16(bytes + o);
        for (int o = 0; o < layer.outputs; o += kGroup) V::shift_and_clip16(sums + o, bytes + o);
        inputs = bytes;
    }
    return output<V>(stack, inputs);
}

template <class V>
std::int32_t clipped(const StackView& stack, const std::int16_t* own, const std::int16_t* other, int width) {
    alignas(kAlignment) std::uint8_t bytes[kMaxInputs];
    clip<V>(own, bytes, width);
    clip<V>(other, bytes + width, width);
    return propagate<V>(stack, bytes);
}

template <class V>
std::int32_t pairwise(const StackView& stack, const std::int16_t* own, const std::int16_t* other, int width) {
    alignas(kAlignment) std::uint8_t bytes[kMaxWidth];
    multiply_pairs<V>(own, bytes, width);
    multiply_pairs<V>(other, bytes + width / 2, width);
    return propagate<V>(stack, bytes);
}

// The clipped number times its weight fits int16 (255 * 128), so that one multiplication and addition squares and sums.
template <class V>
auto squared_sum(const std::int16_t* sums, const std::int16_t* weights, int width) {
    const auto zero = V::set16(0), one = V::set16(255);
    auto total = zero, rest = zero;
    constexpr int kStep = V::kBytes / 2;
    for (int i = 0; i < width; i += 2 * kStep) {
        const auto a = V::min16(V::max16(V::load(sums + i), zero), one);
        const auto b = V::min16(V::max16(V::load(sums + i + kStep), zero), one);
        total = V::add32(total, V::madd16(V::mullo16(a, V::load(weights + i)), a));
        rest = V::add32(rest, V::madd16(V::mullo16(b, V::load(weights + i + kStep)), b));
    }
    return V::add32(total, rest);
}

template <class V>
std::int32_t squared(const StackView& stack, const std::int16_t* own, const std::int16_t* other, int width) {
    const auto sum = V::add32(squared_sum<V>(own, stack.squared_weights, width),
                              squared_sum<V>(other, stack.squared_weights + width, width));
    return std::int32_t(std::uint32_t(V::sum32(sum) / 255) + std::uint32_t(stack.output_bias));
}

template <class V>
constexpr Kernels make_kernels(const char* name) {
    return {name, update<V>, clipped<V>, squared<V>, pairwise<V>};
}

}  // namespace
}  // namespace philidor::evaluators::nnue
