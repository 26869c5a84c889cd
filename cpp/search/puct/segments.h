// A growing array whose elements never move: small trees stay small, and no large one is ever copied to grow.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace philidor::search {

// Segment k holds First << k elements.
template <typename T, std::uint32_t First>
class Segments {
    static_assert(std::has_single_bit(First));

  public:
    std::uint32_t size() const { return size_; }
    T& operator[](std::uint32_t index) { return *at(index); }
    const T& operator[](std::uint32_t index) const { return *const_cast<Segments*>(this)->at(index); }

    // Appends `count` elements that lie side by side, and returns the first one's index.
    std::uint32_t add(std::uint32_t count = 1) {
        std::uint32_t segment = segment_of(size_);
        // What is left of a segment is given up if the block does not fit.
        while (size_ + count > begin_of(segment + 1)) size_ = begin_of(++segment);
        if (!segments_[segment]) {
            segments_[segment] = std::make_unique<T[]>(std::size_t{First} << segment);
            bytes_ += (std::size_t{First} << segment) * sizeof(T);
        }
        const std::uint32_t first = size_;
        size_ += count;
        return first;
    }
    std::size_t bytes() const { return bytes_; }

  private:
    static std::uint32_t segment_of(std::uint32_t index) {
        return std::uint32_t(std::bit_width(index / First + 1)) - 1;
    }
    static std::uint32_t begin_of(std::uint32_t segment) {
        return std::uint32_t(((std::uint64_t{1} << segment) - 1) * First);
    }
    T* at(std::uint32_t index) {
        const std::uint32_t segment = segment_of(index);
        return segments_[segment].get() + (index - begin_of(segment));
    }

    std::array<std::unique_ptr<T[]>, 26> segments_;
    std::uint32_t size_ = 0;
    std::size_t bytes_ = 0;
};

}  // namespace philidor::search
