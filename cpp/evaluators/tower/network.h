// A residual tower of convolutions with policy, value and moves-left heads, on the CPU: AlphaZero's and Leela's kind.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "evaluators/tower/layers.h"

namespace philidor::evaluators::tower {

struct Squeeze {
    DenseLayer reduce, expand;
};

struct Block {
    ConvLayer first, second;
    std::optional<Squeeze> squeeze;
};

// A 1x1 convolution, then dense layers.
struct Head {
    DenseLayer squares;
    std::vector<DenseLayer> layers;
};

// Two 3x3 convolutions, and for each move its cell [square * channels + channel] in the result.
struct PlanesPolicy {
    ConvLayer first, second;
    std::vector<std::int32_t> cells;
};

struct Parts {
    ConvLayer input;
    std::vector<Block> blocks;
    std::optional<PlanesPolicy> planes_policy;  // this one
    std::optional<Head> dense_policy;           // or that
    Head value;
    std::optional<Head> moves_left;
    Activation activation = Activation::kRelu;
};

// What goes in: planes of bits, then planes of one number.
struct Input {
    const std::uint64_t* planes;
    const float* scalars;
    int packed;
    int scalar_count;
};

// What comes out, one row per board; the last layers' plain numbers.
struct Output {
    float* policy;
    float* value;
    float* moves_left;  // null if the network has none
};

class Network {
  public:
    // Throws std::invalid_argument if the parts do not fit together.
    Network(Parts parts, const Kernels& kernels);
    ~Network();

    int policy_size() const;
    int value_size() const { return parts_.value.layers.back().outputs(); }
    bool has_moves_left() const { return parts_.moves_left.has_value(); }
    int input_planes() const { return input_planes_; }
    const Kernels& kernels() const { return kernels_; }

    // Any number of boards, in blocks, by `threads` threads. May be called by several threads at a time.
    void run(const Input& input, int boards, int threads, const Output& output) const;

  private:
    struct Workspace;

    void run_block(const Input& input, int boards, const Output& output, Workspace& space) const;
    const float* run_tower(int boards, Workspace& space) const;
    void run_policy(const float* body, int boards, float* out, Workspace& space) const;
    void run_head(const Head& head, const float* body, int boards, float* out, Workspace& space) const;
    void check() const;
    std::unique_ptr<Workspace> borrow() const;
    void give_back(std::unique_ptr<Workspace> space) const;

    Parts parts_;
    const Kernels& kernels_;
    int input_planes_;
    mutable std::mutex mutex_;
    mutable std::vector<std::unique_ptr<Workspace>> spare_;
};

}  // namespace philidor::evaluators::tower
