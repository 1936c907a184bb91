// What differs between compilers, in one place: prefetch, 128-bit products, byte order.
#pragma once
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#if defined(_MSC_VER)
#include <intrin.h>
#endif

#if defined(_MSC_VER)
#define HARDLIMIT_INLINE __forceinline
#define HARDLIMIT_NOINLINE __declspec(noinline)
#define HARDLIMIT_RESTRICT __restrict
#else
#define HARDLIMIT_INLINE inline __attribute__((always_inline))
#define HARDLIMIT_NOINLINE __attribute__((noinline))
#define HARDLIMIT_RESTRICT __restrict__
#endif

// On a lambda: the loops that call it for every word have no call in them.
#if defined(_MSC_VER)
#define HARDLIMIT_INLINE_LAMBDA
#else
#define HARDLIMIT_INLINE_LAMBDA __attribute__((always_inline))
#endif

// One function compiled for several register widths, chosen when the module is loaded. Not under
// the sanitizers, which are not ready yet when the choice is made.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define HARDLIMIT_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define HARDLIMIT_CLONES
#endif

// Before a short loop over the cells of a line: GCC writes it out cell by cell before it thinks of
// wide registers, and then keeps the branches.
#if defined(__GNUC__) && !defined(__clang__)
#define HARDLIMIT_SIDE_BY_SIDE _Pragma("GCC unroll 1")
#else
#define HARDLIMIT_SIDE_BY_SIDE
#endif

namespace hardlimit {

// Always inlined: a call to a function that only prefetches looks idle to GCC, which drops it.
HARDLIMIT_INLINE void prefetch(const void *address) {
#if defined(_MSC_VER)
    _mm_prefetch(static_cast<const char *>(address), _MM_HINT_T0);
#else
    __builtin_prefetch(address);
#endif
}

// In a loop that waits for another thread.
HARDLIMIT_INLINE void relax_processor() {
#if defined(_MSC_VER)
    _mm_pause();
#elif defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

// Weights are read at random: larger pages spare the processor's table of addresses.
inline void advise_large_pages(void *start, std::size_t size) {
#if defined(__linux__)
    constexpr std::size_t page = std::size_t{1} << 21;
    const auto first = (reinterpret_cast<std::uintptr_t>(start) + page - 1) & ~(page - 1);
    const auto end = (reinterpret_cast<std::uintptr_t>(start) + size) & ~(page - 1);
    if (first < end) madvise(reinterpret_cast<void *>(first), end - first, MADV_HUGEPAGE);
#else
    (void)start, (void)size;
#endif
}

struct Product128 {
    std::uint64_t low, high;
};

inline Product128 multiply_128(std::uint64_t a, std::uint64_t b) {
#if defined(_MSC_VER)
    Product128 product;
    product.low = _umul128(a, b, &product.high);
    return product;
#else
    const auto product = static_cast<unsigned __int128>(a) * b;
    return {static_cast<std::uint64_t>(product), static_cast<std::uint64_t>(product >> 64)};
#endif
}

inline std::uint64_t load_little_endian_64(const unsigned char *bytes) {
    std::uint64_t word;
    std::memcpy(&word, bytes, sizeof word);
    if constexpr (std::endian::native == std::endian::big) {
        std::uint64_t swapped = 0;
        for (int i = 0; i < 8; ++i) swapped = swapped << 8 | (word >> (8 * i) & 0xff);
        return swapped;
    }
    return word;
}

// A number that several threads may set, all of them to the same value.
inline double load_shared(const double &number) {
#if defined(_MSC_VER)
    return std::atomic_ref(const_cast<double &>(number)).load(std::memory_order_relaxed);
#else  // Apple's library has no std::atomic_ref
    double found;
    __atomic_load(&number, &found, __ATOMIC_RELAXED);
    return found;
#endif
}

inline void store_shared(double &number, double value) {
#if defined(_MSC_VER)
    std::atomic_ref(number).store(value, std::memory_order_relaxed);
#else
    __atomic_store(&number, &value, __ATOMIC_RELAXED);
#endif
}

}  // namespace hardlimit
