// Numbers as streams of bits, the lowest bit of each byte first (docs/cache-format.md, section 4).
//
//   fixed(v, n)  n bits
//   gamma(v)     v >= 1: as many zeros as v has bits behind its first, a one, and these bits
//   rice(v, k)   v >> k zeros, a one, and the k lowest bits; from 32 zeros on, 32 zeros, a one, the
//                number of bits of v less one in 6 bits, and v
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "portability.hpp"

namespace hardlimit::cache {

// A block that contradicts itself; Python sees hardlimit.exceptions.DataFormatError.
class DamagedCache : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

[[noreturn]] inline void damaged(const char *what) { throw DamagedCache(what); }

inline constexpr std::size_t guard = 8;           // bytes of zeros behind each stream
inline constexpr unsigned longest_quotient = 32;  // zeros of a Rice code
inline constexpr int largest_parameter = 24;
inline constexpr unsigned largest_width = 62;
inline constexpr unsigned word_bits = 57;  // that a look ahead shows at least

inline std::uint64_t low_bits(std::uint64_t word, unsigned n) {
    return n < 64 ? word & ((std::uint64_t(1) << n) - 1) : word;
}

// The parameter k that suits numbers of this mean.
inline int rice_parameter(std::uint64_t sum, std::uint64_t count) {
    const std::uint64_t mean = count ? sum / count : 0;
    const int k = mean ? std::bit_width(mean) - 1 : 0;
    return k < largest_parameter ? k : largest_parameter;
}

class BitWriter {
  public:
    // At most 57 bits.
    void fixed(std::uint64_t value, unsigned n) {
        word_ |= value << filled_;
        filled_ += n;
        while (filled_ >= 8) {
            bytes_.push_back(static_cast<unsigned char>(word_));
            word_ >>= 8;
            filled_ -= 8;
        }
    }
    void long_fixed(std::uint64_t value, unsigned n) {
        const unsigned low = n < 32 ? n : 32;
        fixed(low_bits(value, low), low);
        if (n > 32) fixed(value >> 32, n - 32);
    }
    void gamma(std::uint64_t value) {
        const unsigned behind = static_cast<unsigned>(std::bit_width(value)) - 1;
        fixed(0, behind < 32 ? behind : 32);
        if (behind > 32) fixed(0, behind - 32);
        fixed(1, 1);
        long_fixed(low_bits(value, behind), behind);
    }
    void rice(std::uint64_t value, int k) {
        if (value >> k < longest_quotient) {
            const auto quotient = static_cast<unsigned>(value >> k);
            fixed(std::uint64_t(1) << quotient, quotient + 1);
            fixed(low_bits(value, static_cast<unsigned>(k)), static_cast<unsigned>(k));
            return;
        }
        const auto width = static_cast<unsigned>(std::bit_width(value));
        fixed(std::uint64_t(1) << longest_quotient, longest_quotient + 1);
        fixed(width - 1, 6);
        long_fixed(value, width);
    }
    // A multiple of eight bytes, with the guard.
    std::vector<unsigned char> finish() {
        if (filled_) bytes_.push_back(static_cast<unsigned char>(word_));
        bytes_.resize((bytes_.size() + 7) / 8 * 8 + guard);
        word_ = 0;
        filled_ = 0;
        return std::move(bytes_);
    }

  private:
    std::vector<unsigned char> bytes_;
    std::uint64_t word_ = 0;
    unsigned filled_ = 0;
};

// Never reads outside its bytes, whatever they are.
class BitReader {
  public:
    BitReader(const unsigned char *bytes, std::size_t size) : bytes_(bytes) {
        if (size < guard || size % 8) damaged("a stream is cut off");
        last_ = (size - guard) * 8;
    }

    // The next bits, 57 at least; behind the last ones the zeros of the guard.
    HARDLIMIT_INLINE std::uint64_t peek() const {
        if (position_ > last_) damaged("a stream ends too early");
        return load_little_endian_64(bytes_ + (position_ >> 3)) >> (position_ & 7);
    }
    HARDLIMIT_INLINE void skip(std::size_t n) { position_ += n; }

    HARDLIMIT_INLINE std::uint64_t fixed(unsigned n) {
        const std::uint64_t value = low_bits(peek(), n);
        skip(n);
        return value;
    }
    HARDLIMIT_INLINE std::uint64_t long_fixed(unsigned n) {
        const unsigned low = n < 32 ? n : 32;
        const std::uint64_t value = fixed(low);
        return n > 32 ? value | fixed(n - 32) << 32 : value;
    }
    HARDLIMIT_INLINE std::uint64_t gamma() {
        const std::uint64_t word = peek() | std::uint64_t(1) << 32;
        const auto behind = static_cast<unsigned>(std::countr_zero(word));
        if (behind > 31) damaged("a number is too large");
        skip(behind + 1);
        return std::uint64_t(1) << behind | fixed(behind);
    }
    HARDLIMIT_INLINE std::uint64_t rice(int k) {
        const std::uint64_t word = peek(), marked = word | std::uint64_t(1) << longest_quotient;
        const auto quotient = static_cast<unsigned>(std::countr_zero(marked));
        if (quotient == longest_quotient) return escaped();
        skip(quotient + 1 + static_cast<unsigned>(k));
        return std::uint64_t(quotient) << k | low_bits(word >> quotient >> 1, unsigned(k));
    }
    // All bits must have been read: nothing else is behind them.
    void finish() const {
        if ((position_ + 63) / 64 * 64 != last_) damaged("a stream is too long");
    }

  private:
    HARDLIMIT_NOINLINE std::uint64_t escaped() {
        if (!(peek() >> longest_quotient & 1)) damaged("a code that no writer writes");
        skip(longest_quotient + 1);
        const auto width = static_cast<unsigned>(fixed(6)) + 1;
        // So that adding such a number to a small one never overflows.
        if (width > largest_width) damaged("a number is too large");
        return long_fixed(width);
    }

    const unsigned char *bytes_;
    std::size_t position_ = 0, last_;
};

}  // namespace hardlimit::cache
