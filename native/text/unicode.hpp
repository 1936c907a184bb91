// Code points: their properties (those of Python's str, see make_unicode_tables.py) and UTF-8.
#pragma once
#include <cstddef>
#include <cstdint>

#include "text/unicode_tables.hpp"

namespace hardlimit::text {

using Byte = unsigned char;

enum Property : std::uint8_t {
    is_word = 1,
    is_space = 2,
    is_cased = 4,
    is_ignorable = 8,
    is_unspaced = 16,  // a letter or mark of a script that is written without spaces
    lowers_to_two = 32,
};

inline constexpr std::uint32_t replacement_character = 0xFFFD;

inline const tables::Record &properties(std::uint32_t code_point) {
    const std::size_t block = tables::first_stage[code_point >> tables::block_bits];
    const std::size_t offset = code_point & ((1u << tables::block_bits) - 1);
    return tables::records[tables::second_stage[(block << tables::block_bits) + offset]];
}

struct Decoded {
    std::uint32_t code_point;
    std::uint32_t length;  // bytes taken, at least 1
    bool replaced;
};

// One code point of bytes that may be anything; at least one byte must be there. What is not UTF-8
// becomes U+FFFD as in bytes.decode("utf-8", "replace"): one for each longest prefix of a sequence.
// With `surrogates`, a surrogate written as three bytes (str.encode with "surrogatepass") is one.
Decoded decode(const Byte *at, const Byte *end, bool surrogates);

// One code point of text known to be UTF-8 and not ASCII.
inline Decoded decode_valid(const Byte *at) {
    const std::uint32_t lead = at[0];
    if (lead < 0xE0) return {(lead & 0x1F) << 6 | (at[1] & 0x3Fu), 2, false};
    if (lead < 0xF0)
        return {(lead & 0x0F) << 12 | (at[1] & 0x3Fu) << 6 | (at[2] & 0x3Fu), 3, false};
    return {(lead & 0x07) << 18 | (at[1] & 0x3Fu) << 12 | (at[2] & 0x3Fu) << 6 | (at[3] & 0x3Fu), 4,
            false};
}

// Bytes of the code point that begins with this byte, in text known to be UTF-8.
inline std::size_t sequence_length(Byte lead) {
    return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

// Writes at most 4 bytes; returns the end.
Byte *encode(std::uint32_t code_point, Byte *to);

}  // namespace hardlimit::text
