// The kernels, written once with the compiler's vectors. The including file defines PHILIDOR_LANES, the floats of a
// vector, and PHILIDOR_PANELS, how many groups of kGroup outputs fit into the registers at a time.
#include "evaluators/tower/kernels.h"

namespace philidor::evaluators::tower {
namespace {

constexpr int kLanes = PHILIDOR_LANES;
constexpr int kVectors = kGroup / kLanes;  // per group
constexpr int kPanels = PHILIDOR_PANELS;
constexpr int kRows = 6;

typedef float Vec __attribute__((vector_size(4 * PHILIDOR_LANES), may_alias));
typedef std::int32_t Ints __attribute__((vector_size(4 * PHILIDOR_LANES)));

inline Vec load(const float* p) { return *reinterpret_cast<const Vec*>(p); }
inline void store(float* p, Vec v) { *reinterpret_cast<Vec*>(p) = v; }
inline Vec all(float value) { return Vec{} + value; }
inline Vec larger(Vec a, Vec b) { return a > b ? a : b; }
inline Vec smaller(Vec a, Vec b) { return a < b ? a : b; }

// e^x as 2^n times a polynomial; to about two units in the last place between -87 and 88, outside it is bounded.
inline Vec exponential(Vec x) {
    x = smaller(larger(x, all(-87.0f)), all(88.0f));
    const Vec scaled = x * 1.44269504f + 0.5f;
    Ints power = __builtin_convertvector(scaled, Ints);
    power += scaled < __builtin_convertvector(power, Vec);  // the comparison is -1 where truncation went up
    const Vec n = __builtin_convertvector(power, Vec);
    // ln 2 in two parts, so that nothing is lost.
    const Vec r = x - n * 0.693359375f + n * 2.12194440e-4f;
    Vec p = r * 1.9875691500e-4f + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r + 1.0f;
    const Ints bits = (power + 127) << 23;
    return p * reinterpret_cast<Vec>(bits);
}

// NaN stays NaN, here and in `activate`: a network that overflows must not answer as if nothing were wrong.
inline Vec sigmoid(Vec x) {
    const Vec result = 1.0f / (1.0f + exponential(-x));
    return x == x ? result : x;
}

// x * tanh(log(1 + e^x)), without the logarithm: with e = e^x it is x * (e^2 + 2e) / (e^2 + 2e + 2).
inline Vec mish(Vec x) {
    const Vec e = exponential(smaller(x, all(20.0f)));
    const Vec n = e * (e + 2.0f);
    return x * (n / (n + 2.0f));
}

template <Activation A>
inline Vec activate(Vec x) {
    if constexpr (A == Activation::kRelu) return larger(Vec{}, x);  // of two, `larger` takes the second if one is NaN
    if constexpr (A == Activation::kMish) return mish(x);
    return x;
}

// Calls `function` with the activation as a type, so that it is chosen once and not for each number.
template <Activation A>
struct Chosen {
    static constexpr Activation value = A;
};
template <typename Function>
inline void with(Activation activation, Function function) {
    switch (activation) {
        case Activation::kNone: return function(Chosen<Activation::kNone>{});
        case Activation::kRelu: return function(Chosen<Activation::kRelu>{});
        case Activation::kMish: return function(Chosen<Activation::kMish>{});
    }
}

// --- Matrices ------------------------------------------------------------------------------------------------------

// R rows times P groups of outputs, all sums in registers.
template <int R, int P>
inline void multiply_tile(const float* in, int in_stride, const float* weights, int inputs, float* out,
                          int out_stride) {
    Vec sums[R][P * kVectors] = {};
    for (int k = 0; k < inputs; ++k) {
        Vec w[P * kVectors];
        for (int p = 0; p < P; ++p)
            for (int v = 0; v < kVectors; ++v)
                w[p * kVectors + v] = load(weights + (p * inputs + k) * kGroup + v * kLanes);
        for (int r = 0; r < R; ++r) {
            const float x = in[r * in_stride + k];
            for (int c = 0; c < P * kVectors; ++c) sums[r][c] += x * w[c];
        }
    }
    for (int r = 0; r < R; ++r)
        for (int c = 0; c < P * kVectors; ++c) store(out + r * out_stride + c * kLanes, sums[r][c]);
}

template <int P>
inline void multiply_panel(const float* in, int in_stride, int rows, const float* weights, int inputs, float* out,
                           int out_stride) {
    int row = 0;
    const auto rows_of = [&]<int R>(int end) {
        for (; end - row >= R; row += R)
            multiply_tile<R, P>(in + row * in_stride, in_stride, weights, inputs, out + row * out_stride, out_stride);
    };
    // Two rows left over make four and four out of the last six and them.
    rows_of.template operator()<kRows>(rows % kRows == 2 && rows > kRows ? rows - 8 : rows);
    rows_of.template operator()<4>(rows);
    rows_of.template operator()<2>(rows);
    rows_of.template operator()<1>(rows);
}

// out[rows][outputs] = in[rows][inputs] * weights.
inline void multiply_plain(const float* in, int in_stride, int rows, const float* weights, int inputs, int outputs,
                           float* out, int out_stride) {
    int group = 0;
    const int groups = outputs / kGroup;
    const auto panels_of = [&]<int P>() {
        for (; groups - group >= P; group += P)
            multiply_panel<P>(in, in_stride, rows, weights + group * inputs * kGroup, inputs, out + group * kGroup,
                              out_stride);
    };
    panels_of.template operator()<kPanels>();
    if constexpr (kPanels > 2) panels_of.template operator()<2>();
    if constexpr (kPanels > 1) panels_of.template operator()<1>();
}

void multiply(const Matrix& matrix, const float* in, int rows, Activation activation, float* out) {
    multiply_plain(in, matrix.inputs, rows, matrix.weights, matrix.inputs, matrix.outputs, out, matrix.outputs);
    with(activation, [&](auto chosen) {
        for (int row = 0; row < rows; ++row)
            for (int c = 0; c < matrix.outputs; c += kLanes) {
                float* const p = out + row * matrix.outputs + c;
                store(p, activate<chosen.value>(load(p) + load(matrix.biases + c)));
            }
    });
}

// --- Convolutions --------------------------------------------------------------------------------------------------

// Winograd's transforms for the points 0, a, -a, b, -b and infinity, with a and b so that the numbers stay small:
// a = sqrt(1/2), b = sqrt(2). The weights are turned in network.cpp.
constexpr float kA = 0.70710678f, kB = 1.41421356f;

inline void transform_input(const Vec x[6], Vec y[6]) {
    const Vec even_a = x[4] - 2.0f * x[2], odd_a = kA * (x[3] - 2.0f * x[1]);
    const Vec even_b = x[4] - 0.5f * x[2], odd_b = kB * (x[3] - 0.5f * x[1]);
    y[0] = x[0] - 2.5f * x[2] + x[4];
    y[1] = even_a + odd_a;
    y[2] = even_a - odd_a;
    y[3] = even_b + odd_b;
    y[4] = even_b - odd_b;
    y[5] = x[1] - 2.5f * x[3] + x[5];
}

inline void transform_output(const Vec x[6], Vec y[4]) {
    const Vec sum_a = x[1] + x[2], difference_a = x[1] - x[2];
    const Vec sum_b = x[3] + x[4], difference_b = x[3] - x[4];
    y[0] = x[0] + sum_a + sum_b;
    y[1] = kA * difference_a + kB * difference_b;
    y[2] = 0.5f * sum_a + 2.0f * sum_b;
    y[3] = 0.5f * kA * difference_a + 2.0f * kB * difference_b + x[5];
}

// Turns one tile of one board: the 6x6 squares around 4x4, where squares off the board are zero.
inline void turn_tile(const float* board, int channels, int tile, float* planes, int stride) {
    const int top = kTile * (tile / 2) - 1, left = kTile * (tile % 2) - 1;
    for (int c = 0; c < channels; c += kLanes) {
        Vec rows[6][6];
        for (int i = 0; i < 6; ++i) {
            Vec line[6];
            for (int j = 0; j < 6; ++j) {
                const int rank = top + i, file = left + j;
                const bool is_inside = rank >= 0 && rank < 8 && file >= 0 && file < 8;
                line[j] = is_inside ? load(board + (8 * rank + file) * channels + c) : Vec{};
            }
            transform_input(line, rows[i]);
        }
        for (int j = 0; j < 6; ++j) {
            Vec column[6], turned[6];
            for (int i = 0; i < 6; ++i) column[i] = rows[i][j];
            transform_input(column, turned);
            for (int i = 0; i < 6; ++i) store(planes + (6 * i + j) * stride + c, turned[i]);
        }
    }
}

template <Activation A>
inline void turn_tile_back(const float* planes, int stride, int channels, int tile, const float* biases,
                           const float* skip, float* board) {
    const int top = kTile * (tile / 2), left = kTile * (tile % 2);
    for (int c = 0; c < channels; c += kLanes) {
        Vec half[4][6];
        for (int j = 0; j < 6; ++j) {
            Vec column[6], turned[4];
            for (int i = 0; i < 6; ++i) column[i] = load(planes + (6 * i + j) * stride + c);
            transform_output(column, turned);
            for (int i = 0; i < 4; ++i) half[i][j] = turned[i];
        }
        const Vec bias = load(biases + c);
        for (int i = 0; i < 4; ++i) {
            Vec line[4];
            transform_output(half[i], line);
            for (int j = 0; j < 4; ++j) {
                const int at = (8 * (top + i) + left + j) * channels + c;
                Vec sum = line[j] + bias;
                if (skip != nullptr) sum += load(skip + at);
                store(board + at, activate<A>(sum));
            }
        }
    }
}

void convolve(const Convolution& layer, const float* in, int boards, const float* skip, Activation activation,
              float* scratch, float* out) {
    const int in_stride = plane_stride(layer.inputs), out_stride = plane_stride(layer.outputs);
    float* const turned = scratch;
    float* const products = scratch + kTransformed * in_stride;
    for (int board = 0; board < boards; ++board)
        for (int tile = 0; tile < kTiles; ++tile)
            turn_tile(in + board * kSquares * layer.inputs, layer.inputs, tile,
                      turned + (board * kTiles + tile) * layer.inputs, in_stride);
    for (int plane = 0; plane < kTransformed; ++plane)
        multiply_plain(turned + plane * in_stride, layer.inputs, boards * kTiles,
                       layer.weights + plane * layer.inputs * layer.outputs, layer.inputs, layer.outputs,
                       products + plane * out_stride, layer.outputs);
    with(activation, [&](auto chosen) {
        for (int board = 0; board < boards; ++board) {
            const int at = board * kSquares * layer.outputs;
            for (int tile = 0; tile < kTiles; ++tile)
                turn_tile_back<chosen.value>(products + (board * kTiles + tile) * layer.outputs, out_stride,
                                             layer.outputs, tile, layer.biases, skip == nullptr ? nullptr : skip + at,
                                             out + at);
        }
    });
}

// --- Squeeze and excitation ----------------------------------------------------------------------------------------

void average(const float* in, int boards, int channels, float* out) {
    for (int board = 0; board < boards; ++board, in += kSquares * channels, out += channels)
        for (int c = 0; c < channels; c += kLanes) {
            Vec sum = {};
            for (int square = 0; square < kSquares; ++square) sum += load(in + square * channels + c);
            store(out + c, sum * (1.0f / kSquares));
        }
}

void excite(const float* in, const float* gates, const float* skip, int boards, int channels, Activation activation,
            float* out) {
    with(activation, [&](auto chosen) {
        for (int board = 0; board < boards; ++board)
            for (int c = 0; c < channels; c += kLanes) {
                const float* const gate = gates + 2 * board * channels + c;
                const Vec scale = sigmoid(load(gate)), shift = load(gate + channels);
                for (int square = 0; square < kSquares; ++square) {
                    const int at = (board * kSquares + square) * channels + c;
                    store(out + at, activate<chosen.value>(load(in + at) * scale + shift + load(skip + at)));
                }
            }
    });
}

}  // namespace
}  // namespace philidor::evaluators::tower
