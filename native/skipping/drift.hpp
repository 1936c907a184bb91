// How far the weights have moved from an anchor, bounded from above with every rounding in it.
//
// With an anchor c and corrections tau_j z_j since then, delta = w - c has
//   ||delta + tau z||^2 = ||delta||^2 + 2 tau z.delta + tau^2 ||z||^2
// where z.delta = z.w - z.c is known at a correction. Roundings are bounded by the standard model,
// |fl(z.w) - z.w| <= gamma ||z|| ||w|| (Higham, Accuracy and Stability of Numerical Algorithms,
// 2nd ed., section 3.1); what they have moved the weights by is kept as `astray`.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace hardlimit {

// A float below the number, or above it, by less than two units in the last place; infinite where
// floats do not reach.
inline float float_below(double number) {
    if (!(std::fabs(number) < 1e38)) return -std::numeric_limits<float>::infinity();
    return static_cast<float>(number - std::fabs(number) * 0x1.02p-23 - 0x1p-148);
}
inline float float_above(double number) { return -float_below(-number); }

struct Correction {
    double margin, at_anchor;  // z.w before it, and z.c
    double length, tau;        // an upper bound of ||z||; w <- w + tau z
};

class Drift {
  public:
    static constexpr double unit = 0x1p-53;
    // Beyond these lengths products may overflow or vanish, and nothing is promised.
    static constexpr double least = 1e-100, most = 1e100;
    static constexpr double unknown = std::numeric_limits<double>::infinity();

    // Of sums of so many products.
    static double gamma_of(std::int64_t terms) {
        return 1.01 * unit * static_cast<double>(terms + 8);
    }

    // At an anchor of at most this length; `terms` is the most summands of a product.
    void begin(double length_of_weights, std::int64_t terms) {
        *this = Drift();
        gamma_ = gamma_of(terms);
        start_ = length_of_weights;
    }

    void note_correction(const Correction &z) {
        const double by = std::fabs(z.tau) * z.length * (1 + 4 * unit);
        const double along = (z.margin - z.at_anchor) / z.length;  // z.delta / ||z||
        const double wrong = slack() + 8 * unit * std::fabs(along) + least;
        const double turn = 2 * z.tau * z.length * along, squared = length_ * length_;
        const double rounded = 16 * unit * (squared + std::fabs(turn) + by * by);
        const double exact = squared + turn + 2 * by * wrong + by * by + rounded;
        if (!(exact < most * most)) path_ = unknown;  // so is what is not a number
        length_ = std::min(std::sqrt(std::max(0.0, exact)), length_ + by) * (1 + 8 * unit) + least;
        path_ = (path_ + by) * (1 + 4 * unit);
        const double step = 2 * unit * (start_ + length_ + astray_ + by);
        astray_ = (astray_ + step) * (1 + 4 * unit) + least;
    }

    // A row with z.c / ||z|| above this has a margin above 0.
    double reach() const {
        return sound() ? (length_ + slack()) * (1 + 4 * unit) + least : unknown;
    }

    // What fl(z.w), the fl(z.c) that is stored and the weights' own roundings may be wrong by, per
    // unit of a row's length.
    double slack() const { return gamma_ * (2 * start_ + length_ + astray_) + astray_; }

    double path() const { return path_; }  // the sum of the steps' lengths
    bool sound() const { return start_ + length_ + astray_ + path_ < most; }

  private:
    double gamma_ = 0, start_ = 0, length_ = 0, path_ = 0, astray_ = 0;
};

}  // namespace hardlimit
