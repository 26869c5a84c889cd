#include "evaluators/tower/network.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace philidor::evaluators::tower {

namespace {

int widest_channels(const Parts& parts) {
    int widest = std::max(parts.input.inputs(), parts.input.outputs());
    for (const Head& head : parts.heads)
        if (const auto* planes = std::get_if<PlanesHead>(&head)) widest = std::max(widest, planes->second.outputs());
    return widest;
}

int widest_dense(const Parts& parts) {
    int widest = kGroup;
    const auto look_at = [&](const DenseLayer& layer, int rows) {
        widest = std::max(widest, rows * layer.padded_outputs());
    };
    for (const Block& block : parts.blocks)
        if (block.squeeze) {
            look_at(block.squeeze->reduce, 1);
            look_at(block.squeeze->expand, 1);
        }
    for (const Head& head : parts.heads)
        if (const auto* dense = std::get_if<DenseHead>(&head)) {
            look_at(dense->squares, kSquares);
            for (const DenseLayer& layer : dense->layers) look_at(layer, 1);
        }
    return widest;
}

// Writes one board's input as [64][channels].
void expand(const std::uint64_t* planes, int packed, const float* scalars, int scalar_count, int channels, float* out) {
    std::fill_n(out, kSquares * channels, 0.0f);
    for (int plane = 0; plane < packed; ++plane)
        for (std::uint64_t bits = planes[plane]; bits; bits &= bits - 1)
            out[std::countr_zero(bits) * channels + plane] = 1.0f;
    for (int i = 0; i < scalar_count; ++i)
        for (int square = 0; square < kSquares; ++square) out[square * channels + packed + i] = scalars[i];
}

int size(const DenseHead& head) { return head.layers.back().outputs(); }
int size(const PlanesHead& head) { return int(head.cells.size()); }

// Copies rows of padded numbers without the padding.
void copy_rows(const float* from, int from_stride, int rows, int count, float* to) {
    for (int row = 0; row < rows; ++row) to = std::copy_n(from + row * from_stride, count, to);
}

}  // namespace

// What a block of boards is worked out in; kept for the next one, as fresh memory is slow memory.
struct Network::Workspace {
    explicit Workspace(const Parts& parts)
        : scratch(std::size_t(scratch_size(widest_channels(parts), widest_channels(parts)))) {
        for (Floats& board : boards) board = Floats(std::size_t(kBlock * kSquares * widest_channels(parts)));
        for (Floats& row : rows) row = Floats(std::size_t(kBlock * widest_dense(parts)));
    }
    Floats scratch;
    Floats boards[3];
    Floats rows[2];
};

Network::Network(Parts parts, const Kernels& kernels)
    : parts_(std::move(parts)), kernels_(kernels), input_planes_(parts_.input.inputs()) {
    check();
    for (const Head& head : parts_.heads)
        head_sizes_.push_back(std::visit([](const auto& it) { return size(it); }, head));
}

Network::~Network() = default;

void Network::check() const {
    const auto demand = [](bool fits, const char* what) {
        if (!fits) throw std::invalid_argument(std::string("the network's ") + what + " do not fit together");
    };
    const int filters = parts_.input.outputs();
    for (const Block& block : parts_.blocks) {
        demand(block.first.inputs() == filters && block.first.outputs() == filters &&
                   block.second.inputs() == filters && block.second.outputs() == filters,
               "blocks");
        if (block.squeeze)
            demand(block.squeeze->reduce.view().inputs == filters &&
                       block.squeeze->expand.view().inputs == block.squeeze->reduce.padded_outputs() &&
                       block.squeeze->expand.outputs() == 2 * filters,
                   "squeeze and excitation units");
    }
    const auto check_dense = [&](const DenseHead& head) {
        demand(head.squares.view().inputs == filters && !head.layers.empty(), "heads");
        int inputs = kSquares * head.squares.padded_outputs();
        for (const DenseLayer& layer : head.layers) {
            demand(layer.view().inputs == inputs, "heads");
            inputs = layer.padded_outputs();
        }
    };
    const auto check_planes = [&](const PlanesHead& head) {
        demand(head.first.inputs() == filters && head.second.inputs() == head.first.outputs() &&
                   head.first.outputs() <= widest_channels(parts_),
               "policy convolutions");
        for (std::int32_t cell : head.cells) demand(cell >= 0 && cell < kSquares * head.second.outputs(), "moves");
    };
    for (const Head& head : parts_.heads) {
        if (const auto* dense = std::get_if<DenseHead>(&head)) check_dense(*dense);
        if (const auto* planes = std::get_if<PlanesHead>(&head)) check_planes(*planes);
    }
}

void Network::run(const Input& input, int boards, int threads, std::span<float* const> outputs) const {
    const int blocks = (boards + kBlock - 1) / kBlock;
    std::atomic<int> next{0};
    const auto work = [&] {
        std::unique_ptr<Workspace> space = borrow();
        std::vector<float*> rows(outputs.size());
        for (int block = next++; block < blocks; block = next++) {
            const int first = block * kBlock;
            const auto row = [first](auto* p, int width) { return p + std::size_t(first) * std::size_t(width); };
            for (std::size_t head = 0; head < rows.size(); ++head) rows[head] = row(outputs[head], head_sizes_[head]);
            const Input part{row(input.planes, input.packed), row(input.scalars, input.scalar_count), input.packed,
                             input.scalar_count};
            run_block(part, std::min(kBlock, boards - first), rows, *space);
        }
        give_back(std::move(space));
    };
    std::vector<std::thread> helpers;
    for (int i = 1; i < std::min(threads, blocks); ++i) {
        try {
            helpers.emplace_back(work);
        } catch (const std::system_error&) {
            break;  // the system allows no more threads; those there are will do
        }
    }
    work();
    for (std::thread& helper : helpers) helper.join();
}

void Network::run_block(const Input& input, int boards, std::span<float* const> outputs, Workspace& space) const {
    for (int board = 0; board < boards; ++board)
        expand(input.planes + board * input.packed, input.packed, input.scalars + board * input.scalar_count,
               input.scalar_count, input_planes_, space.boards[0].data() + board * kSquares * input_planes_);
    const float* const body = run_tower(boards, space);
    for (std::size_t head = 0; head < outputs.size(); ++head)
        std::visit([&](const auto& it) { run_head(it, body, boards, outputs[head], space); }, parts_.heads[head]);
}

// Leaves its result in boards[1].
const float* Network::run_tower(int boards, Workspace& space) const {
    float* const input = space.boards[0].data();
    float* flow = space.boards[1].data();
    float* const other = space.boards[2].data();
    float* const scratch = space.scratch.data();
    const Activation activation = parts_.activation;
    kernels_.convolve(parts_.input.view(), input, boards, nullptr, activation, scratch, flow);
    for (const Block& block : parts_.blocks) {
        kernels_.convolve(block.first.view(), flow, boards, nullptr, activation, scratch, other);
        if (!block.squeeze) {
            kernels_.convolve(block.second.view(), other, boards, flow, activation, scratch, flow);
            continue;
        }
        float* const inner = input;  // the planes are not needed any more
        kernels_.convolve(block.second.view(), other, boards, nullptr, Activation::kNone, scratch, inner);
        const int filters = block.second.outputs();
        float* const means = space.rows[0].data();
        float* const hidden = space.rows[1].data();
        kernels_.average(inner, boards, filters, means);
        kernels_.multiply(block.squeeze->reduce.view(), means, boards, activation, hidden);
        kernels_.multiply(block.squeeze->expand.view(), hidden, boards, Activation::kNone, means);
        kernels_.excite(inner, means, flow, boards, filters, activation, flow);
    }
    return flow;
}

void Network::run_head(const PlanesHead& head, const float* body, int boards, float* out, Workspace& space) const {
    float* const hidden = space.boards[2].data();
    float* const planes = space.boards[0].data();
    kernels_.convolve(head.first.view(), body, boards, nullptr, parts_.activation, space.scratch.data(), hidden);
    kernels_.convolve(head.second.view(), hidden, boards, nullptr, Activation::kNone, space.scratch.data(), planes);
    for (int board = 0; board < boards; ++board) {
        const float* const cells = planes + board * kSquares * head.second.outputs();
        for (std::int32_t cell : head.cells) *out++ = cells[cell];
    }
}

void Network::run_head(const DenseHead& head, const float* body, int boards, float* out, Workspace& space) const {
    float* from = space.rows[0].data();
    float* to = space.rows[1].data();
    kernels_.multiply(head.squares.view(), body, boards * kSquares, parts_.activation, from);
    for (const DenseLayer& layer : head.layers) {
        const bool is_last = &layer == &head.layers.back();
        kernels_.multiply(layer.view(), from, boards, is_last ? Activation::kNone : parts_.activation, to);
        std::swap(from, to);
    }
    const DenseLayer& last = head.layers.back();
    copy_rows(from, last.padded_outputs(), boards, last.outputs(), out);
}

std::unique_ptr<Network::Workspace> Network::borrow() const {
    {
        const std::lock_guard lock(mutex_);
        if (!spare_.empty()) {
            std::unique_ptr<Workspace> space = std::move(spare_.back());
            spare_.pop_back();
            return space;
        }
    }
    return std::make_unique<Workspace>(parts_);
}

void Network::give_back(std::unique_ptr<Workspace> space) const {
    const std::lock_guard lock(mutex_);
    spare_.push_back(std::move(space));
}

}  // namespace philidor::evaluators::tower
