// How fine the values of rows are: whether sums of them can be exact.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <tuple>

#include "rows/examples.hpp"
#include "rows/rows.hpp"

namespace hardlimit {

// The least number of bits, up to `most`, such that every value of the rows that take part (the
// bias's included) is a whole number of 2^-bits, and the largest magnitude. None where more bits
// are needed, which the first such value tells, or where a row weighs other than 1.
template <class Rows>
std::optional<std::tuple<int, double>> measure_grain(const Rows &rows, const Examples &examples,
                                                     int most) {
    double unit = 1, largest = 0;  // unit: 2^bits
    int bits = 0;
    for (std::int64_t p = 0; p < examples.n_present; ++p) {
        const std::int64_t i = examples.present_row(p);
        if (examples.weights && examples.weights[i] != 1) return std::nullopt;
        rows.visit(i, [&](std::int64_t, double x) {
            largest = std::max(largest, std::abs(x));
            for (; bits <= most && x * unit != std::nearbyint(x * unit); unit *= 2) ++bits;
        });
        if (bits > most) return std::nullopt;
    }
    return std::make_tuple(bits, largest);
}

}  // namespace hardlimit
