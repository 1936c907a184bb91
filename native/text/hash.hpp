// The hash of terms, part of the format of models: it never changes under one name ("product-1").
//
//   fold(a, b)    = low ^ high of the 128-bit product a * b
//   seed(kind)    = fold(salt + (kind + 1) * P0 mod 2^64, P1);   kind: 0 words, 1 runs, 2
//   characters string(bytes) : h = seed(kind) + size * P0;  for each 8 bytes c, little-endian, the
//   last ones
//                   padded with zeros:  h = fold(h ^ c, P1)
//   n-gram of words w1 .. wk:  h(w1) = string(w1),  h(w1 .. wj) = fold(h(w1 .. wj-1) ^ P2, h(wj) ^
//   P3) column of b bits = h >> (64 - b)
//
// P0 .. P3 are the first 256 binary places of pi, P1 and P2 made odd.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "portability.hpp"

namespace hardlimit::text {

inline constexpr char hash_name[] = "product-1";
inline constexpr std::uint64_t P0 = 0x243F6A8885A308D3, P1 = 0x13198A2E03707345,
                               P2 = 0xA4093822299F31D1, P3 = 0x082EFA98EC4E6C89;

inline std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
    const Product128 product = multiply_128(a, b);
    return product.low ^ product.high;
}

inline std::uint64_t hash_seed(std::uint64_t salt, unsigned kind) {
    return fold(salt + (kind + 1) * P0, P1);
}

// The first `size` <= 8 bytes at `at` as a number; eight must be readable.
inline std::uint64_t load_masked(const unsigned char *at, std::size_t size) {
    return load_little_endian_64(at) & (~std::uint64_t(0) >> (64 - 8 * size));
}

// Eight bytes must be readable from every byte of the string, which has one at least.
HARDLIMIT_INLINE std::uint64_t hash_string(std::uint64_t seed, const unsigned char *at,
                                           std::size_t size) {
    std::uint64_t h = seed + size * P0;
    for (; size > 16; size -= 8, at += 8) h = fold(h ^ load_little_endian_64(at), P1);
    // Whether a word has one block or two, nobody can predict: both are computed.
    const std::size_t first = size < 8 ? size : 8, more = size > 8 ? 8 : 0;
    const std::uint64_t one = fold(h ^ load_masked(at, first), P1),
                        two = fold(one ^ load_masked(at + more, size - more), P1);
    return more ? two : one;
}

inline std::uint64_t hash_join(std::uint64_t prefix, std::uint64_t last) {
    return fold(prefix ^ P2, last ^ P3);
}

}  // namespace hardlimit::text
