// What differs between compilers, in one place: prefetch, 128-bit products, byte order.
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>

#if defined(_MSC_VER)
#include <intrin.h>
#endif

namespace hardlimit {

inline void prefetch(const void *address) {
#if defined(_MSC_VER)
    _mm_prefetch(static_cast<const char *>(address), _MM_HINT_T0);
#else
    __builtin_prefetch(address);
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

}  // namespace hardlimit
