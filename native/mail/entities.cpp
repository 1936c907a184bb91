#include "mail/entities.hpp"

#include <algorithm>
#include <array>

#include "text/unicode.hpp"

namespace hardlimit::mail {
namespace {

constexpr std::size_t longest = 12;

struct Named {
    View name;
    std::uint32_t code_point;
};

// Those of HTML 2 and 3.2 from 0xA0 on, in their order.
constexpr std::array<View, 96> latin = {
    "nbsp",   "iexcl",  "cent",   "pound",  "curren", "yen",    "brvbar", "sect",   "uml",
    "copy",   "ordf",   "laquo",  "not",    "shy",    "reg",    "macr",   "deg",    "plusmn",
    "sup2",   "sup3",   "acute",  "micro",  "para",   "middot", "cedil",  "sup1",   "ordm",
    "raquo",  "frac14", "frac12", "frac34", "iquest", "Agrave", "Aacute", "Acirc",  "Atilde",
    "Auml",   "Aring",  "AElig",  "Ccedil", "Egrave", "Eacute", "Ecirc",  "Euml",   "Igrave",
    "Iacute", "Icirc",  "Iuml",   "ETH",    "Ntilde", "Ograve", "Oacute", "Ocirc",  "Otilde",
    "Ouml",   "times",  "Oslash", "Ugrave", "Uacute", "Ucirc",  "Uuml",   "Yacute", "THORN",
    "szlig",  "agrave", "aacute", "acirc",  "atilde", "auml",   "aring",  "aelig",  "ccedil",
    "egrave", "eacute", "ecirc",  "euml",   "igrave", "iacute", "icirc",  "iuml",   "eth",
    "ntilde", "ograve", "oacute", "ocirc",  "otilde", "ouml",   "divide", "oslash", "ugrave",
    "uacute", "ucirc",  "uuml",   "yacute", "thorn",  "yuml"};

constexpr std::array<Named, 26> others = {{
    {"amp", '&'},      {"lt", '<'},        {"gt", '>'},        {"quot", '"'},
    {"apos", '\''},    {"euro", 0x20AC},   {"hellip", 0x2026}, {"ndash", 0x2013},
    {"mdash", 0x2014}, {"lsquo", 0x2018},  {"rsquo", 0x2019},  {"sbquo", 0x201A},
    {"ldquo", 0x201C}, {"rdquo", 0x201D},  {"bdquo", 0x201E},  {"bull", 0x2022},
    {"trade", 0x2122}, {"lsaquo", 0x2039}, {"rsaquo", 0x203A}, {"ensp", 0x2002},
    {"emsp", 0x2003},  {"thinsp", 0x2009}, {"zwnj", 0x200C},   {"zwj", 0x200D},
    {"OElig", 0x152},  {"oelig", 0x153},
}};

std::uint32_t find(View name) {
    const auto at = std::find(latin.begin(), latin.end(), name);
    if (at != latin.end()) return static_cast<std::uint32_t>(0xA0 + (at - latin.begin()));
    for (const Named &one : others)
        if (one.name == name) return one.code_point;
    return 0;
}

Reference read_number(View at) {
    const bool hex = at.size() > 2 && lowered(at[2]) == 'x';
    std::size_t n = hex ? 3 : 2;
    const std::size_t first = n;
    std::uint32_t value = 0;
    for (; n < at.size(); ++n) {
        const int digit = hex_digit(at[n]);
        if (digit < 0 || (!hex && digit > 9)) break;
        value = std::min<std::uint32_t>(value * (hex ? 16 : 10) + static_cast<unsigned>(digit),
                                        0x110000);
    }
    if (n == first) return {0, 0};
    const bool valid = value && value < 0x110000 && !(value >= 0xD800 && value < 0xE000);
    if (n < at.size() && at[n] == ';') ++n;
    return {valid ? value : text::replacement_character, n};
}

}  // namespace

Reference read_reference(View at) {
    at = at.substr(0, longest);
    if (at.size() > 1 && at[1] == '#') return read_number(at);
    std::size_t n = 1;
    while (n < at.size() && (is_letter(at[n]) || is_digit(at[n]))) ++n;
    const std::uint32_t code_point = find(at.substr(1, n - 1));
    if (!code_point) return {0, 0};
    if (n < at.size() && at[n] == ';') ++n;
    return {code_point, n};
}

}  // namespace hardlimit::mail
