// An array that starts at zero and takes no memory before it is touched. Large ones lie on huge
// pages where the system has them: a random look-up in 100 MB misses the processor's table of
// addresses on small pages (measured on word pairs, huge pages save a third of the time).
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
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
        make_room(size);
        if (size < size_) std::memset(items_ + size, 0, bytes(size_ - size));
        size_ = size;
    }

    // Up to this size nothing will fail.
    void make_room(std::size_t size) {
        if (size > capacity_) reserve(std::max(size, 2 * capacity_));
    }

    void push_back(T item) {
        make_room(size_ + 1);
        items_[size_++] = item;
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
        if (is_mapped(capacity_) && capacity <= most()) {
            items_ = static_cast<T *>(move_pages(items_, bytes(capacity_), bytes(capacity)));
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
    static constexpr std::size_t huge_page = std::size_t{1} << 21;

    // From the size of a huge page on, the system is asked for zeros: `calloc` may take used memory
    // and write them.
    static bool is_mapped(std::size_t count) { return bytes(count) >= huge_page; }

    // Zeros that begin on a huge page: only pages that keep their place within one stay whole when
    // they are moved.
    static void *map_aligned(std::size_t size) {
        size = whole_pages(size);
        void *mapped = mmap(nullptr, size + huge_page, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (mapped == MAP_FAILED) throw std::bad_alloc();
        const auto first = reinterpret_cast<std::uintptr_t>(mapped);
        const std::uintptr_t begin = whole_pages(first), end = begin + size;
        if (begin > first) munmap(mapped, begin - first);
        if (begin < first + huge_page)
            munmap(reinterpret_cast<void *>(end), first + huge_page - begin);
        madvise(reinterpret_cast<void *>(begin), size, MADV_HUGEPAGE);
        return reinterpret_cast<void *>(begin);
    }
    static std::uintptr_t whole_pages(std::uintptr_t size) {
        return (size + huge_page - 1) & ~(huge_page - 1);
    }

    // Pages are moved, not copied: while an array grows, it is there once.
    static void *move_pages(void *from, std::size_t size, std::size_t wanted) {
        void *to = map_aligned(wanted);
        size = whole_pages(size);
        if (mremap(from, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, to) == MAP_FAILED) {
            munmap(to, whole_pages(wanted));
            throw std::bad_alloc();
        }
        return to;
    }
#endif

    static constexpr std::size_t most() { return static_cast<std::size_t>(-1) / 2 / sizeof(T); }

    static T *allocate(std::size_t count) {
        if (count > most()) throw std::bad_alloc();
#if defined(__linux__)
        if (is_mapped(count)) return static_cast<T *>(map_aligned(bytes(count)));
#endif
        void *items = std::calloc(count, sizeof(T));
        if (!items) throw std::bad_alloc();
        return static_cast<T *>(items);
    }

    static void release(T *items, std::size_t count) noexcept {
#if defined(__linux__)
        if (is_mapped(count)) {
            munmap(items, whole_pages(bytes(count)));
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
