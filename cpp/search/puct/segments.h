// A growing array whose elements never move: small trees stay small, and no large one is ever copied to grow.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace philidor::search {

// Segment k holds First << k elements, up to First << kDoublings; all further ones hold as many as that, so that a
// large array has no more than a few percent of room to spare.
template <typename T, std::uint32_t First>
class Segments {
    static_assert(std::has_single_bit(First));
    static constexpr std::uint32_t kDoublings = 11;
    static constexpr std::uint32_t kLargest = First << kDoublings;

  public:
    // Moved, never copied; said here, because a vector of owners calls itself copyable until somebody tries.
    Segments() = default;
    Segments(Segments&&) noexcept = default;
    Segments& operator=(Segments&&) noexcept = default;

    std::uint32_t size() const { return size_; }
    T& operator[](std::uint32_t index) { return *at(index); }
    const T& operator[](std::uint32_t index) const { return *const_cast<Segments*>(this)->at(index); }

    // Appends `count` elements that lie side by side, and returns the first one's index. No block is larger than the
    // largest segment.
    std::uint32_t add(std::uint32_t count = 1) {
        std::uint32_t segment = segment_of(size_);
        // What is left of a segment is given up if the block does not fit.
        while (size_ + count > begin_of(segment + 1)) size_ = begin_of(++segment);
        if (segment >= segments_.size()) segments_.resize(segment + 1);
        if (!segments_[segment]) {
            const std::size_t capacity = begin_of(segment + 1) - begin_of(segment);
            segments_[segment] = std::make_unique<T[]>(capacity);
            bytes_ += capacity * sizeof(T);
        }
        const std::uint32_t first = size_;
        size_ += count;
        return first;
    }
    std::size_t bytes() const { return bytes_; }
    // Whether another block might not find a 32-bit index.
    bool is_full() const { return size_ > ~std::uint32_t{0} - 2 * kLargest; }

  private:
    static std::uint32_t segment_of(std::uint32_t index) {
        const std::uint32_t doubling = std::uint32_t(std::bit_width(index / First + 1)) - 1;
        return doubling <= kDoublings ? doubling : kDoublings + 1 + (index - begin_of(kDoublings + 1)) / kLargest;
    }
    static std::uint32_t begin_of(std::uint32_t segment) {
        if (segment <= kDoublings + 1) return ((std::uint32_t{1} << segment) - 1) * First;
        return begin_of(kDoublings + 1) + (segment - kDoublings - 1) * kLargest;
    }
    T* at(std::uint32_t index) {
        const std::uint32_t segment = segment_of(index);
        return segments_[segment].get() + (index - begin_of(segment));
    }

    std::vector<std::unique_ptr<T[]>> segments_;
    std::uint32_t size_ = 0;
    std::size_t bytes_ = 0;
};

}  // namespace philidor::search
