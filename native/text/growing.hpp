// Arrays that only grow.
#pragma once
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include "portability.hpp"
#include "zeroed.hpp"

namespace hardlimit::text {

// An array that only grows. Up to a few megabytes its memory is that of `malloc`, which has been
// used before, as a rule, and is there at once; beyond, it lies on large pages and grows without
// a copy.
template <class T>
class Growing {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    Growing() = default;
    Growing(Growing &&other) noexcept
        : items_(std::exchange(other.items_, nullptr)),
          size_(std::exchange(other.size_, 0)),
          capacity_(std::exchange(other.capacity_, 0)),
          large_(std::move(other.large_)) {}
    Growing &operator=(const Growing &) = delete;
    ~Growing() {
        if (large_.empty()) std::free(items_);
    }

    std::size_t size() const { return size_; }
    T *data() { return items_; }
    const T *data() const { return items_; }
    void clear() { size_ = 0; }
    HARDLIMIT_INLINE void push(T item) {
        if (size_ == capacity_) grow(1);
        items_[size_++] = item;
    }
    T operator[](std::size_t i) const { return items_[i]; }

    // Room for `more` items at the end, already counted; the caller writes them.
    HARDLIMIT_INLINE T *extend(std::size_t more) {
        reserve(more);
        size_ += more;
        return items_ + size_ - more;
    }

    // Room for that many, none of them counted yet.
    HARDLIMIT_INLINE void reserve(std::size_t more) {
        if (size_ + more > capacity_) grow(more);
    }

    void shrink_to(std::size_t size) { size_ = size; }

    // Lies on large pages from now on, whatever its size.
    void lie_large() {
        constexpr std::size_t least = (std::size_t(1) << 21) / sizeof(T);
        if (!large_.empty()) return;
        const std::size_t capacity = capacity_ > least ? capacity_ : least;
        move_to_large(capacity);
        items_ = large_.data();
        capacity_ = capacity;
    }

  private:
    static constexpr std::size_t most_of_malloc = std::size_t(1) << 23;

    // Out of line: the loops that push stay small.
    HARDLIMIT_NOINLINE void grow(std::size_t more) {
        const std::size_t capacity = size_ + more + size_ / 2 + 64;
        if (large_.empty() && capacity * sizeof(T) <= most_of_malloc)
            resize(capacity);
        else if (large_.empty())
            move_to_large(capacity);
        else
            large_.resize(capacity);
        if (!large_.empty()) items_ = large_.data();
        capacity_ = capacity;
    }

    void resize(std::size_t capacity) {
        void *got = std::realloc(static_cast<void *>(items_), capacity * sizeof(T));
        if (!got) throw std::bad_alloc();
        items_ = static_cast<T *>(got);
    }

    void move_to_large(std::size_t capacity) {
        Zeroed<T> large(capacity);
        if (size_) std::memcpy(large.data(), items_, size_ * sizeof(T));
        std::free(items_);
        large_ = std::move(large);
    }

    T *items_ = nullptr;
    std::size_t size_ = 0, capacity_ = 0;
    Zeroed<T> large_;
};

// The columns of one document's features, in any order, repeats and all.
using Columns = Growing<std::uint32_t>;

}  // namespace hardlimit::text
