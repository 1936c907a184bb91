// The digest of model files: 64 bits, fast, not cryptographic (docs/model-format.md, section 4).
//
//     eight keys K[0..7], the fraction of pi in hexadecimal
//     four lanes L[i] = K[i]; the bytes are padded with zeros to a multiple of 64
//     for each 64 bytes, eight little-endian words w[0..7], and each lane i:
//         L[i] = rotate_left(L[i], 23) + fold(w[2i] ^ K[4+i], w[2i+1] ^ L[i])
//     h = length;  for each lane:  h = fold(h ^ L[i] ^ K[i], K[4+i]) + L[i]
//     fold(a, b) = the low half of the 128-bit product, xor its high half
//
// It finds damage and careless changes. It is no signature: whoever can write the file can write a
// matching digest too.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "portability.hpp"

namespace hardlimit {

inline constexpr std::size_t digest_block_size = std::size_t{1} << 20;

inline constexpr std::uint64_t digest_keys[8] = {
    0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89,
    0x452821e638d01377, 0xbe5466cf34e90c6c, 0xc0ac29b7c97c50dd, 0x3f84d5b5b5470917};

inline std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
    const Product128 product = multiply_128(a, b);
    return product.low ^ product.high;
}

// Four independent lanes: the multiplier is kept busy while each lane waits for its own product.
// Four names instead of an array: gcc keeps them in registers (16 GB/s against 11 from the cache).
class Digest64 {
  public:
    void add_stripe(const unsigned char *bytes) {
        l0 = advance(l0, bytes, digest_keys[4]);
        l1 = advance(l1, bytes + 16, digest_keys[5]);
        l2 = advance(l2, bytes + 32, digest_keys[6]);
        l3 = advance(l3, bytes + 48, digest_keys[7]);
    }

    std::uint64_t finish(std::uint64_t length) const {
        const std::uint64_t lanes[4] = {l0, l1, l2, l3};
        std::uint64_t h = length;
        for (int i = 0; i < 4; ++i)
            h = fold(h ^ lanes[i] ^ digest_keys[i], digest_keys[4 + i]) + lanes[i];
        return h;
    }

  private:
    static std::uint64_t advance(std::uint64_t lane, const unsigned char *bytes,
                                 std::uint64_t key) {
        return std::rotl(lane, 23) +
               fold(load_little_endian_64(bytes) ^ key, load_little_endian_64(bytes + 8) ^ lane);
    }

    std::uint64_t l0 = digest_keys[0], l1 = digest_keys[1], l2 = digest_keys[2],
                  l3 = digest_keys[3];
};

inline std::uint64_t digest(const unsigned char *bytes, std::size_t length) {
    Digest64 state;
    std::size_t at = 0;
    for (; length - at >= 64; at += 64) {
        // Far memory arrives a fifth sooner; beyond the end a prefetch does nothing.
        prefetch(bytes + at + 2048);
        state.add_stripe(bytes + at);
    }
    if (at < length) {
        unsigned char padded[64] = {};
        std::memcpy(padded, bytes + at, length - at);
        state.add_stripe(padded);
    }
    return state.finish(length);
}

}  // namespace hardlimit
