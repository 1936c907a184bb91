// Bytes as the grammar of mail sees them: ASCII, without a locale.
#pragma once
#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

namespace hardlimit::mail {

using View = std::string_view;

inline char lowered(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
inline bool is_letter(char c) { return lowered(c) >= 'a' && lowered(c) <= 'z'; }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f';
}

inline std::string lowered(View text) {
    std::string made(text);
    for (char &c : made) c = lowered(c);
    return made;
}

inline View stripped(View text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

// Whether a host is an address of numbers.
inline bool is_number(View host) {
    return !host.empty() && host.find_first_not_of("0123456789.") == View::npos;
}

// `wanted` is in lower case.
inline bool begins_with(View text, View wanted) {
    if (text.size() < wanted.size()) return false;
    for (std::size_t i = 0; i < wanted.size(); ++i)
        if (lowered(text[i]) != wanted[i]) return false;
    return true;
}

inline bool is_one_of(View name, std::initializer_list<View> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

inline bool equals(View text, View wanted) {
    return text.size() == wanted.size() && begins_with(text, wanted);
}

// The place of `wanted`, in lower case, from a place on; View::npos if it is not there.
inline std::size_t find_lowered(View text, View wanted, std::size_t from = 0) {
    const char other = is_letter(wanted[0]) ? static_cast<char>(wanted[0] - 32) : wanted[0];
    for (; from + wanted.size() <= text.size(); ++from)
        if ((text[from] == wanted[0] || text[from] == other) &&
            begins_with(text.substr(from), wanted))
            return from;
    return View::npos;
}

// The first bytes of UTF-8, without the character that the cut went through.
inline View cut_text(View text, std::size_t most) {
    if (text.size() <= most) return text;
    std::size_t end = most;  // the byte behind the cut goes on with a character: back to its first
    while (end > 0 && most - end < 3 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
        --end;
    return text.substr(0, end);
}

// Bytes that were cut, without the begun character at their end, if they are UTF-8.
inline View without_begun_character(View bytes) {
    for (std::size_t back = 1; back <= 3 && back <= bytes.size(); ++back) {
        const auto byte = static_cast<unsigned char>(bytes[bytes.size() - back]);
        if ((byte & 0xC0) == 0x80) continue;
        const std::size_t length = byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
        if (length > back) bytes.remove_suffix(back);
        break;
    }
    return bytes;
}

// -1 if it is none.
inline int hex_digit(char c) {
    if (is_digit(c)) return c - '0';
    const char low = lowered(c);
    return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

}  // namespace hardlimit::mail
