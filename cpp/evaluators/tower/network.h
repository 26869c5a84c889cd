// A residual tower of convolutions with any heads, on the CPU: AlphaZero's and Leela's kind.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <variant>
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
struct DenseHead {
    DenseLayer squares;
    std::vector<DenseLayer> layers;
};

// Two 3x3 convolutions, and for each move its cell [square * channels + channel] in the result.
struct PlanesHead {
    ConvLayer first, second;
    std::vector<std::int32_t> cells;
};

using Head = std::variant<DenseHead, PlanesHead>;

struct Parts {
    ConvLayer input;
    std::vector<Block> blocks;
    std::vector<Head> heads;
    Activation activation = Activation::kRelu;
};

// What goes in: planes of bits, then planes of one number.
struct Input {
    const std::uint64_t* planes;
    const float* scalars;
    int packed;
    int scalar_count;
};

class Network {
  public:
    // Throws std::invalid_argument if the parts do not fit together.
    Network(Parts parts, const Kernels& kernels);
    ~Network();

    // How many numbers each head makes.
    const std::vector<int>& head_sizes() const { return head_sizes_; }
    int input_planes() const { return input_planes_; }
    const Kernels& kernels() const { return kernels_; }

    // Any number of boards, in blocks, by `threads` threads. May be called by several threads at a time. `outputs` has
    // for each head room for a row per board; what comes out are the last layers' plain numbers.
    void run(const Input& input, int boards, int threads, std::span<float* const> outputs) const;

  private:
    struct Workspace;

    void run_block(const Input& input, int boards, std::span<float* const> outputs, Workspace& space) const;
    const float* run_tower(int boards, Workspace& space) const;
    void run_head(const PlanesHead& head, const float* body, int boards, float* out, Workspace& space) const;
    void run_head(const DenseHead& head, const float* body, int boards, float* out, Workspace& space) const;
    void check() const;
    std::unique_ptr<Workspace> borrow() const;
    void give_back(std::unique_ptr<Workspace> space) const;

    Parts parts_;
    const Kernels& kernels_;
    int input_planes_;
    std::vector<int> head_sizes_;
    mutable std::mutex mutex_;
    mutable std::vector<std::unique_ptr<Workspace>> spare_;
};

}  // namespace philidor::evaluators::tower
