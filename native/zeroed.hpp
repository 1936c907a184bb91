// An array that starts at zero and takes no memory before it is touched. Large ones lie on huge
// pages where the system has them: a random look-up in 100 MB misses the processor's table of
// addresses on small pages (measured on word pairs, huge pages save a third of the time).
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace hardlimit {

template <class T>
class Zeroed {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    Zeroed() = default;
    explicit Zeroed(std::size_t size) { resize(size); }
    Zeroed(const Zeroed &) = delete;
    Zeroed &operator=(const Zeroed &) = delete;
    Zeroed(Zeroed &&other) noexcept { swap(other); }
    Zeroed &operator=(Zeroed &&other) noexcept {
        swap(other);
        return *this;
    }
    ~Zeroed() { release(items_, capacity_); }

    void swap(Zeroed &other) noexcept {
        std::swap(items_, other.items_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }

    // New items are zero. Capacity doubles, so that growing by single columns stays cheap.
    void resize(std::size_t size) {
        if (size > capacity_) reserve(std::max(size, 2 * capacity_));
        if (size < size_) std::memset(items_ + size, 0, bytes(size_ - size));
        size_ = size;
    }

    T *data() { return items_; }
    const T *data() const { return items_; }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    T &operator[](std::size_t i) { return items_[i]; }
    const T &operator[](std::size_t i) const { return items_[i]; }

  private:
    static std::size_t bytes(std::size_t count) { return count * sizeof(T); }

    void reserve(std::size_t capacity) {
#if defined(__linux__)
        // Pages are moved, not copied: while an array grows, it is there once.
        if (is_mapped(capacity_) && capacity <= static_cast<std::size_t>(-1) / 2 / sizeof(T)) {
            void *items = mremap(items_, bytes(capacity_), bytes(capacity), MREMAP_MAYMOVE);
            if (items == MAP_FAILED) throw std::bad_alloc();
            madvise(items, bytes(capacity), MADV_HUGEPAGE);
            items_ = static_cast<T *>(items);
            capacity_ = capacity;
            return;
        }
#endif
        T *items = allocate(capacity);
        if (size_) std::memcpy(items, items_, bytes(size_));
        release(items_, capacity_);
        items_ = items;
        capacity_ = capacity;
    }

#if defined(__linux__)
    // From the size of a huge page on, the system is asked for zeros: `calloc` may take used memory
    // and write them.
    static bool is_mapped(std::size_t count) { return bytes(count) >= std::size_t{1} << 21; }
#endif

    static T *allocate(std::size_t count) {
        if (count > static_cast<std::size_t>(-1) / 2 / sizeof(T)) throw std::bad_alloc();
#if defined(__linux__)
        if (is_mapped(count)) {
            void *items = mmap(nullptr, bytes(count), PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (items == MAP_FAILED) throw std::bad_alloc();
            madvise(items, bytes(count), MADV_HUGEPAGE);
            return static_cast<T *>(items);
        }
#endif
        void *items = std::calloc(count, sizeof(T));
        if (!items) throw std::bad_alloc();
        return static_cast<T *>(items);
    }

    static void release(T *items, std::size_t count) noexcept {
#if defined(__linux__)
        if (is_mapped(count)) {
            munmap(items, bytes(count));
            return;
        }
#endif
        (void)count;
        std::free(items);
    }

    T *items_ = nullptr;
    std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace hardlimit
