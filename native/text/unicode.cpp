#include "text/unicode.hpp"

namespace hardlimit::text {

Decoded decode(const Byte *at, const Byte *end, bool surrogates) {
    const std::uint32_t lead = at[0];
    if (lead < 0x80) return {lead, 1, false};
    if (lead < 0xC2 || lead > 0xF4) return {replacement_character, 1, true};
    const std::uint32_t wanted = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    // The second byte's range excludes long forms, surrogates, and what lies beyond U+10FFFF.
    std::uint32_t low = 0x80, high = 0xBF;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED && !surrogates) high = 0x9F;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
    std::uint32_t code_point = lead & (0xFFu >> (wanted + 1));
    for (std::uint32_t i = 1; i < wanted; ++i, low = 0x80, high = 0xBF) {
        if (at + i >= end || at[i] < low || at[i] > high) return {replacement_character, i, true};
        code_point = code_point << 6 | (at[i] & 0x3Fu);
    }
    if (code_point >= 0xD800 && code_point < 0xE000) return {replacement_character, wanted, true};
    return {code_point, wanted, false};
}

Byte *encode(std::uint32_t code_point, Byte *to) {
    if (code_point < 0x80) {
        *to++ = static_cast<Byte>(code_point);
        return to;
    }
    if (code_point < 0x800) {
        *to++ = static_cast<Byte>(0xC0 | code_point >> 6);
    } else {
        if (code_point < 0x10000) {
            *to++ = static_cast<Byte>(0xE0 | code_point >> 12);
        } else {
            *to++ = static_cast<Byte>(0xF0 | code_point >> 18);
            *to++ = static_cast<Byte>(0x80 | (code_point >> 12 & 0x3F));
        }
        *to++ = static_cast<Byte>(0x80 | (code_point >> 6 & 0x3F));
    }
    *to++ = static_cast<Byte>(0x80 | (code_point & 0x3F));
    return to;
}

}  // namespace hardlimit::text
