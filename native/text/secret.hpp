// The hash of the tables that grow while learning: SipHash-1-3 under a secret of the process, so
// that nobody can choose words that collide. No byte of any output depends on it: terms are
// numbered as they come.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>

#include "text/hash.hpp"

namespace hardlimit::text {

class Sip {
  public:
    Sip(std::uint64_t k0, std::uint64_t k1)
        : v0_(k0 ^ 0x736f6d6570736575),
          v1_(k1 ^ 0x646f72616e646f6d),
          v2_(k0 ^ 0x6c7967656e657261),
          v3_(k1 ^ 0x7465646279746573) {}

    // Eight bytes must be readable from every byte of the string.
    std::uint64_t of_bytes(const unsigned char *at, std::size_t size) const {
        Sip state = *this;
        const std::uint64_t length = std::uint64_t(size) << 56;
        for (; size >= 8; size -= 8, at += 8) state.compress(load_little_endian_64(at));
        state.compress((size ? load_masked(at, size) : 0) | length);
        return state.finish();
    }

    // Of one number: the block of the length, which is always the same, is left out.
    std::uint64_t of_number(std::uint64_t number) const {
        Sip state = *this;
        state.compress(number);
        return state.finish();
    }

  private:
    void round() {
        v0_ += v1_, v2_ += v3_;
        v1_ = std::rotl(v1_, 13) ^ v0_, v3_ = std::rotl(v3_, 16) ^ v2_;
        v0_ = std::rotl(v0_, 32);
        v2_ += v1_, v0_ += v3_;
        v1_ = std::rotl(v1_, 17) ^ v2_, v3_ = std::rotl(v3_, 21) ^ v0_;
        v2_ = std::rotl(v2_, 32);
    }
    void compress(std::uint64_t block) {
        v3_ ^= block;
        round();
        v0_ ^= block;
    }
    std::uint64_t finish() {
        v2_ ^= 0xff;
        round(), round(), round();
        return v0_ ^ v1_ ^ v2_ ^ v3_;
    }

    std::uint64_t v0_, v1_, v2_, v3_;
};

// Drawn when first asked for. A forked process keeps it: its tables were laid out under it. That
// it is shared gives nothing away but time, since no output depends on it.
const Sip &secret();

// Out of line: loops that never need it stay small.
std::uint64_t secret_place(std::uint64_t key);

}  // namespace hardlimit::text
