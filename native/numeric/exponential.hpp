// e^x with the same bits on every machine, from additions and multiplications alone; the C
// library's last bits depend on the processor.
//
//   e^x = 2^k (1 + p),   p = e^r - 1,   k = round(x / ln 2),   |r| <= ln(2) / 2
#pragma once
#include <bit>
#include <cstdint>
#include <limits>

namespace hardlimit {

struct Powers {
    double whole, rest;  // 2^k and p
};

// For -708 <= x <= 709. ln 2 is subtracted in two parts, the first of them short enough for k times
// it to be exact. The terms of e^r up to r^13 / 13! leave less than 2^-57 of it; pairs of them,
// pairs of pairs and so on are added side by side, three times as fast as one after the other.
inline Powers powers(double x) {
    constexpr double to_whole = 0x1.8p52;  // numbers of this size have no digits behind the point
    const double shifted = x * 0x1.71547652b82fep0 + to_whole;
    const double k = shifted - to_whole;
    const double r = (x - k * 0x1.62e42fee00000p-1) - k * 0x1.a39ef35793c76p-33;
    const double r2 = r * r, r4 = r2 * r2, r8 = r4 * r4;
    const double terms_2_to_5 = (1 / 2.0 + r * (1 / 6.0)) + r2 * (1 / 24.0 + r * (1 / 120.0));
    const double terms_6_to_9 =
        (1 / 720.0 + r * (1 / 5040.0)) + r2 * (1 / 40320.0 + r * (1 / 362880.0));
    const double terms_10_to_13 =
        (1 / 3628800.0 + r * (1 / 39916800.0)) + r2 * (1 / 479001600.0 + r * (1 / 6227020800.0));
    const double q = (terms_2_to_5 + r4 * terms_6_to_9) + r8 * terms_10_to_13;
    // k stands in the last bits of what was shifted: taken from there, several fit side by side.
    const std::uint64_t exponent =
        std::bit_cast<std::uint64_t>(shifted) - std::bit_cast<std::uint64_t>(to_whole) + 1023;
    return {std::bit_cast<double>(exponent << 52), r + r2 * q};
}

// To one unit in the last place; 0 below -708, where numbers begin to lose digits.
inline double exponential(double x) {
    if (!(x >= -708)) return x < -708 ? 0 : x;
    if (x > 709) return std::numeric_limits<double>::infinity();
    const Powers e = powers(x);
    return e.whole * (1 + e.rest);
}

// 2 sinh(x) for 0 <= x <= 709, to a few units in the last place however small x is.
inline double twice_sinh(double x) {
    const Powers e = powers(x);
    const double growth = e.whole * e.rest + (e.whole - 1);  // e^x - 1
    return growth + growth / (growth + 1);
}

}  // namespace hardlimit
