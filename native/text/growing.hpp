// Arrays that only grow.
#pragma once
#include <cstddef>
#include <utility>

#include "portability.hpp"
#include "zeroed.hpp"

namespace hardlimit::text {

// An array that only grows; its memory can be handed over.
template <class T>
class Growing {
  public:
    Growing() = default;
    Growing(const Growing &) = delete;
    Growing &operator=(const Growing &) = delete;

    std::size_t size() const { return size_; }
    std::size_t capacity() const { return items_.size(); }
    T *data() { return items_.data(); }
    const T *data() const { return items_.data(); }
    void clear() { size_ = 0; }
    HARDLIMIT_INLINE void push(T item) {
        if (size_ == capacity()) grow(1);
        items_[size_++] = item;
    }
    T operator[](std::size_t i) const { return items_[i]; }

    // Room for `more` items at the end, already counted; the caller writes them.
    HARDLIMIT_INLINE T *extend(std::size_t more) {
        reserve(more);
        size_ += more;
        return data() + size_ - more;
    }

    // Room for that many, none of them counted yet.
    HARDLIMIT_INLINE void reserve(std::size_t more) {
        if (size_ + more > capacity()) grow(more);
    }

    void shrink_to(std::size_t size) { size_ = size; }

    // The memory; the items in it are the first `size()` from before.
    Zeroed<T> hand_over() {
        size_ = 0;
        return std::exchange(items_, Zeroed<T>());
    }

  private:
    HARDLIMIT_NOINLINE void grow(std::size_t more) { items_.resize(size_ + more + size_ / 2 + 64); }

    std::size_t size_ = 0;
    Zeroed<T> items_;  // its size is what there is room for
};

// The columns of one document's features, in any order, repeats and all.
using Columns = Growing<std::uint32_t>;

}  // namespace hardlimit::text
