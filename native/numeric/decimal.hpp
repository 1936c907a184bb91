// Decimal numbers as files hold them, to the nearest double.
#pragma once
#include <charconv>
#include <cstdint>
#include <system_error>

#include "portability.hpp"

namespace hardlimit {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Moves `at` over digits and appends them to `digits`, which may overflow: count them.
HARDLIMIT_INLINE void take_digits(const char *&at, const char *end, std::uint64_t &digits) {
    for (; at != end && is_digit(*at); ++at)
        digits = digits * 10 + static_cast<std::uint64_t>(*at - '0');
}

// Numbers that one division or product of exact doubles does not give: long, or of large exponents.
inline const char *read_long_decimal(const char *at, const char *end, double &value) {
#if defined(__cpp_lib_to_chars)
    const auto [after, error] = std::from_chars(at, end, value);
    if (error == std::errc()) return after;
#endif
    return nullptr;  // without such a function, or where it does not fit a double
}

// Reads a finite number (digits, a point, an exponent; a sign in front) and returns where it ends;
// null where there is none, or none that this reads.
inline const char *read_decimal(const char *at, const char *end, double &value) {
    constexpr double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const bool negative = at != end && *at == '-';
    if (negative || (at != end && *at == '+')) ++at;
    const char *const first = at;
    std::uint64_t digits = 0;
    take_digits(at, end, digits);
    std::int64_t count = at - first, decimals = 0;
    if (at != end && *at == '.') {
        const char *const point = ++at;
        take_digits(at, end, digits);
        decimals = at - point;
        count += decimals;
    }
    if (count == 0) return nullptr;
    std::int64_t exponent = 0;
    bool simple = count <= 18;
    if (at != end && (*at == 'e' || *at == 'E')) {
        ++at;
        const bool smaller = at != end && *at == '-';
        if (smaller || (at != end && *at == '+')) ++at;
        const char *const start = at;
        std::uint64_t size = 0;
        take_digits(at, end, size);
        if (at == start) return nullptr;
        simple = simple && at - start <= 3;
        if (simple) exponent = smaller ? -static_cast<std::int64_t>(size) : static_cast<int>(size);
    }
    const std::int64_t power = exponent - decimals;
    if (simple && digits < (std::uint64_t(1) << 53) && power >= -22 && power <= 22) {
        const double whole = static_cast<double>(digits);
        value = power < 0 ? whole / powers[-power] : whole * powers[power];
    } else if (read_long_decimal(first, at, value) != at) {
        return nullptr;
    }
    if (negative) value = -value;
    return at;
}

}  // namespace hardlimit
