// base^x with the same bits on every machine, from additions, multiplications and divisions alone;
// the C library's last bits depend on the processor.
//
//   base = 2^k m,  m from sqrt(1/2) to sqrt(2),   ln m = 2 (s + s^3/3 + s^5/5 + ...),  s =
//   (m-1)/(m+1) base^x = e^(x (k ln 2 + ln m))
//
// The exponent may be 709, so that the logarithm needs ten bits more than a double has: it is a sum
// of two doubles (T. J. Dekker, Numerische Mathematik 18, 1971).
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>

#include "numeric/exponential.hpp"

namespace hardlimit {

// The unevaluated sum of a double and of what its rounding lost.
struct Pair {
    double high, low;
};

// high + low of two numbers of which the first is the larger.
inline Pair sorted_sum(double large, double small) {
    const double sum = large + small;
    return {sum, small - (sum - large)};
}

inline Pair exact_sum(double a, double b) {
    const double sum = a + b, other = sum - a;
    return {sum, (a - (sum - other)) + (b - other)};
}

// The first 26 bits of a number, and the others.
inline Pair halves(double a) {
    const double shifted = a * 134217729.0;  // 2^27 + 1
    const double high = shifted - (shifted - a);
    return {high, a - high};
}

inline Pair exact_product(double a, double b) {
    const double product = a * b;
    const Pair x = halves(a), y = halves(b);
    return {product,
            ((x.high * y.high - product) + x.high * y.low + x.low * y.high) + x.low * y.low};
}

inline Pair product(Pair a, Pair b) {
    const Pair p = exact_product(a.high, b.high);
    return sorted_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}

inline Pair sum(Pair a, Pair b) {
    const Pair s = exact_sum(a.high, b.high);
    return sorted_sum(s.high, s.low + (a.low + b.low));
}

// (m - 1) / (m + 1); the numerator is exact for 1/2 <= m <= 2.
inline Pair reduced(double m) {
    const double over = m - 1;
    const Pair under = exact_sum(m, 1.0);
    const double first = over / under.high;
    const Pair back = exact_product(first, under.high);
    const double rest = ((over - back.high) - back.low) - first * under.low;
    return sorted_sum(first, rest / under.high);
}

// ln(base) of a finite number > 0, to about 2^-62 of it.
inline Pair logarithm(double base) {
    int k = 0;
    double m = std::frexp(base, &k);
    if (m < 0x1.6a09e667f3bcdp-1) {  // sqrt(1/2)
        m *= 2;
        --k;
    }
    const Pair s = reduced(m), s2 = product(s, s);
    // From s^5 on the terms are below 2^-12 of the sum: a double has digits enough for them.
    double terms = 0;
    for (int odd = 27; odd >= 5; odd -= 2) terms = terms * s2.high + 1.0 / odd;
    const Pair third{0x1.5555555555555p-2, 0x1.5555555555555p-56};
    const Pair inner = sum(third, Pair{s2.high * terms, 0.0});
    const Pair half = sum(s, product(s, product(s2, inner)));
    // ln 2 in parts that are short enough for k times the first two of them to be exact.
    const Pair rest =
        sum(Pair{k * 0x1.a39ef35793c00p-33, 0.0}, Pair{k * 0x1.d9cc01f97b57ap-77, 0.0});
    return sum(sum(Pair{k * 0x1.62e42fee00000p-1, 0.0}, rest), Pair{2 * half.high, 2 * half.low});
}

// e^(x ln base) for a finite base > 0, to three units in the last place.
inline double power_of_logarithm(Pair log, double x) {
    const double about = x * log.high;
    if (about > 710) return std::numeric_limits<double>::infinity();
    if (about < -746) return 0;
    const Pair exact = exact_product(x, log.high);
    const Pair y = sorted_sum(exact.high, exact.low + x * log.low);
    // Half of it where the exponential or its parts would leave the range of doubles.
    const bool far = y.high > 708 || y.high < -707;
    const double part = far ? 0.5 : 1;
    const Powers e = powers(part * y.high);
    const double found = e.whole * (1 + (e.rest + part * y.low * (1 + e.rest)));
    return far ? found * found : found;
}

// Powers of one base >= 0, whose logarithm is computed when it is first needed; at 0 and infinity
// as the C library.
class PowersOf {
  public:
    explicit PowersOf(double base) : base_(base) {}

    double operator()(double x) {
        if (known_) return power_of_logarithm(log_, x);
        constexpr double infinity = std::numeric_limits<double>::infinity();
        if (x == 0 || base_ == 1) return 1;
        if (base_ != base_ || x != x || base_ < 0) return std::numeric_limits<double>::quiet_NaN();
        if (base_ == 0) return x > 0 ? 0 : infinity;
        if (base_ == infinity) return x > 0 ? infinity : 0;
        log_ = logarithm(base_);
        known_ = true;
        return power_of_logarithm(log_, x);
    }

    double base() const { return base_; }

  private:
    double base_;
    bool known_ = false;
    Pair log_{};
};

inline double positive_power(double base, double x) { return PowersOf(base)(x); }

}  // namespace hardlimit
