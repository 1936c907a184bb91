#include "mail/charset.hpp"

#include <algorithm>
#include <array>

#include "mail/ascii.hpp"
#include "text/unicode.hpp"

namespace hardlimit::mail {
namespace {

using text::Byte;

constexpr std::size_t longest_charset_name = 60;
// Of bytes 0x80 to 0x9F; what windows-1252 leaves free is a replacement character.
constexpr std::array<std::uint16_t, 32> windows_1252 = {
    0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0xFFFD, 0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0xFFFD, 0x017E, 0x0178};

bool is_ascii(View bytes) {
    unsigned char seen = 0;
    for (const char c : bytes) seen |= static_cast<unsigned char>(c);
    return seen < 0x80;
}

bool is_utf8(View bytes) {
    const auto *at = reinterpret_cast<const Byte *>(bytes.data());
    for (const Byte *const end = at + bytes.size(); at < end;) {
        const text::Decoded found = text::decode(at, end, false);
        if (found.replaced) return false;
        at += found.length;
    }
    return true;
}

void append(std::uint32_t code_point, std::string &out) {
    Byte bytes[4];
    const Byte *const end = text::encode(code_point, bytes);
    out.append(reinterpret_cast<const char *>(bytes), static_cast<std::size_t>(end - bytes));
}

// The number of bytes without a character.
std::uint64_t decode_windows_1252(View bytes, std::string &out) {
    std::uint64_t replaced = 0;
    for (const char c : bytes) {
        const auto byte = static_cast<Byte>(c);
        const bool moved = byte >= 0x80 && byte < 0xA0;
        const std::uint32_t code_point = moved ? windows_1252[byte - 0x80] : byte;
        replaced += code_point == text::replacement_character;
        append(code_point, out);
    }
    return replaced;
}

bool is_name(View name) {
    return std::all_of(name.begin(), name.end(), [](char c) {
        return is_letter(c) || is_digit(c) || c == '-' || c == '.' || c == ':' || c == '+';
    });
}

// In these an ASCII byte need not be an ASCII character.
bool may_shift(View name) {
    for (const View start : {"utf-7", "utf-16", "utf-32", "utf7", "utf16", "utf32", "iso-2022",
                             "iso2022", "hz", "csiso2022", "unicode-1-1", "x-user", "ucs"})
        if (name.starts_with(start)) return true;
    return false;
}

}  // namespace

void Charsets::decode(View charset, View bytes, std::string &out) {
    std::string name = lowered(stripped(charset.substr(0, longest_charset_name)));
    std::replace(name.begin(), name.end(), '_', '-');
    if (!may_shift(name) && is_ascii(bytes)) {
        out += bytes;
        return;
    }
    if (is_one_of(name, {"utf-8", "utf8"})) return decode_utf8(bytes, out);
    if (name.empty()) return guess(bytes, out);
    if (is_one_of(name, {"us-ascii", "ascii", "ansi-x3.4-1968", "iso-8859-1", "latin1", "latin-1",
                         "iso8859-1", "windows-1252", "cp1252"})) {
        // What says that it is ASCII and is not has not said what it is.
        if (is_one_of(name, {"us-ascii", "ascii", "ansi-x3.4-1968"})) return guess(bytes, out);
        tally_.count(Mend::replaced_characters, decode_windows_1252(bytes, out));
        return;
    }
    const auto found = is_name(name) ? decode_(name, bytes) : std::nullopt;
    if (found) {
        tally_.count(Mend::replaced_characters, found->replaced);
        out += found->text;
        return;
    }
    tally_.count(Mend::unknown_charset);
    guess(bytes, out);
}

void Charsets::decode_utf8(View bytes, std::string &out) {
    const auto *at = reinterpret_cast<const Byte *>(bytes.data());
    std::uint64_t replaced = 0;
    for (const Byte *const end = at + bytes.size(); at < end;) {
        const text::Decoded found = text::decode(at, end, false);
        replaced += found.replaced;
        append(found.code_point, out);
        at += found.length;
    }
    tally_.count(Mend::replaced_characters, replaced);
}

void Charsets::guess(View bytes, std::string &out) {
    tally_.count(Mend::guessed_charset);
    if (is_utf8(bytes))
        out += bytes;
    else
        tally_.count(Mend::replaced_characters, decode_windows_1252(bytes, out));
}

}  // namespace hardlimit::mail
