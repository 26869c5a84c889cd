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

namespace philidor::search {

// Like std::unique_ptr<T[]>, but raw: the owner gives the elements their first value, on as many threads as it likes.
template <class T>
class LargeArray {
    static_assert(std::is_trivially_destructible_v<T>);

  public:
    LargeArray() = default;
    // Throws std::bad_alloc when there is not that much memory.
    explicit LargeArray(std::size_t count) {
        void* memory = ::operator new(count * sizeof(T), kAlignment);
#ifdef __linux__
        // Only a wish: without it everything works, a little slower.
        madvise(memory, count * sizeof(T), MADV_HUGEPAGE);
#endif
        elements_.reset(static_cast<T*>(memory));
    }

    T* get() const { return elements_.get(); }
    T& operator[](std::size_t index) const { return elements_.get()[index]; }
    T* operator->() const { return elements_.get(); }
    T& operator*() const { return *elements_; }

  private:
    static constexpr std::align_val_t kAlignment{std::size_t{1} << 21};  // a huge page of x86-64
    struct Free {
        void operator()(T* elements) const { ::operator delete(elements, kAlignment); }
    };
    std::unique_ptr<T, Free> elements_;
};

}  // namespace philidor::search
