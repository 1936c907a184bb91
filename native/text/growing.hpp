// Arrays that grow without copying what the system can remap.
#pragma once
#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>

namespace hardlimit::text {

// An array that only grows; its memory can be handed over (freed with std::free).
template <class T>
class Growing {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    Growing() = default;
    Growing(const Growing &) = delete;
    Growing &operator=(const Growing &) = delete;
    ~Growing() { std::free(items_); }

    std::size_t size() const { return size_; }
    T *data() { return items_; }
    const T *data() const { return items_; }
    void clear() { size_ = 0; }
    void push(T item) {
        if (size_ == capacity_) resize(size_ + size_ / 2 + 64);
        items_[size_++] = item;
    }
    T operator[](std::size_t i) const { return items_[i]; }

    // Room for `more` items at the end, already counted; the caller writes them.
    T *extend(std::size_t more) {
        if (size_ + more > capacity_) resize(size_ + more + size_ / 2 + 64);
        size_ += more;
        return items_ + size_ - more;
    }

    // Room for that many, none of them counted yet.
    void reserve(std::size_t more) {
        if (size_ + more > capacity_) resize(size_ + more + size_ / 2 + 64);
    }

    void shrink_to(std::size_t size) { size_ = size; }

    T *hand_over() {
        if (size_ && size_ < capacity_) resize(size_);
        size_ = capacity_ = 0;
        return std::exchange(items_, nullptr);
    }

  private:
    void resize(std::size_t capacity) {
        void *got = std::realloc(static_cast<void *>(items_), capacity * sizeof(T));
        if (!got) throw std::bad_alloc();
        items_ = static_cast<T *>(got);
        capacity_ = capacity;
    }

    T *items_ = nullptr;
    std::size_t size_ = 0, capacity_ = 0;
};

// The columns of one document's features, in any order, repeats and all.
using Columns = Growing<std::uint32_t>;

}  // namespace hardlimit::text
