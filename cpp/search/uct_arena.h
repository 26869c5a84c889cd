// The memory of a UCT tree: 16 bytes a node, laid out for scoring.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <new>

namespace philidor::search {

// All children of a node lie in one block of 32-bit words, field by field: visits, half points, links, infos. Scoring
// them is then a walk over two short arrays, several at once. A block is made with its first child and is rounded
// up to kLanes children, so that SIMD needs no remainder.
//   link: where the child's own block begins, 0 if it has none yet.
//   info: the child's number of moves (0 when the game is over there) in the high half, the place of its own best
//         child in the low half. Its move is not kept: it is the one at its place in canonical order.
//
// The address space is reserved at once and the system hands out pages as they are used: blocks never move, and no
// growing vector interrupts a search to copy itself. Four children fill a cache line, and blocks begin on one.
class UctArena {
  public:
    static constexpr int kLanes = 4;
    // Half points of a child that is only there to fill the lanes: its score must lose to any other.
    static constexpr std::int32_t kNobody = std::numeric_limits<std::int32_t>::min() / 2;

    explicit UctArena(std::uint32_t words)
        : words_(static_cast<std::int32_t*>(::operator new(std::size_t{words} * sizeof(std::int32_t), kLine))),
          capacity_(words) {}

    static constexpr std::uint32_t padded(int children) {
        return std::uint32_t((children + kLanes - 1) / kLanes * kLanes);
    }
    bool has_room_for(int children) const { return capacity_ - used_ >= 4 * padded(children); }
    std::uint32_t add_block(int children) {
        const std::uint32_t first = used_, n = padded(children);
        used_ += 4 * n;
        for (std::uint32_t i = 0; i < n; ++i) {
            const bool is_child = i < std::uint32_t(children);
            words_[first + i] = is_child ? 0 : 1;
            words_[first + n + i] = is_child ? 0 : kNobody;
            words_[first + 2 * n + i] = 0;
            words_[first + 3 * n + i] = 0;
        }
        return first;
    }
    std::int32_t* at(std::uint32_t word) { return words_.get() + word; }
    const std::int32_t* at(std::uint32_t word) const { return words_.get() + word; }

  private:
    static constexpr std::align_val_t kLine{64};
    struct Free {
        void operator()(std::int32_t* words) const { ::operator delete(words, kLine); }
    };

    std::unique_ptr<std::int32_t[], Free> words_;
    std::uint32_t capacity_;
    std::uint32_t used_ = 64 / sizeof(std::int32_t);  // so that no block begins at 0
};

}  // namespace philidor::search
