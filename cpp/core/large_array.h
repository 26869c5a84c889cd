// Memory for large tables: on huge pages where the system has them, because a table that is read at random costs one
// page walk a read otherwise.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace philidor::core {

// Like std::unique_ptr<T[]>, but raw: the owner gives the elements their first value, on as many threads as it likes.
// What is smaller than a huge page begins on a cache line at least.
template <class T>
class LargeArray {
    static_assert(std::is_trivially_destructible_v<T>);

  public:
    LargeArray() = default;
    // Throws std::bad_alloc when there is not that much memory.
    explicit LargeArray(std::size_t count) {
        const std::size_t bytes = count * sizeof(T);
        const std::align_val_t alignment{bytes >= kHugePage ? kHugePage : kCacheLine};
        void* memory = ::operator new(bytes, alignment);
#ifdef __linux__
        // Only a wish: without it everything works, a little slower.
        if (bytes >= kHugePage) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
        elements_ = std::unique_ptr<T, Free>(static_cast<T*>(memory), Free{alignment});
    }

    T* get() const { return elements_.get(); }
    T& operator[](std::size_t index) const { return elements_.get()[index]; }
    T* operator->() const { return elements_.get(); }
    T& operator*() const { return *elements_; }

  private:
    static constexpr std::size_t kHugePage = std::size_t{1} << 21, kCacheLine = 64;  // of x86-64
    struct Free {
        std::align_val_t alignment{kCacheLine};
        void operator()(T* elements) const { ::operator delete(elements, alignment); }
    };
    std::unique_ptr<T, Free> elements_;
};

}  // namespace philidor::core
