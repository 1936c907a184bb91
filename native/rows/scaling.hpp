// Rows made anew in other units, dense from dense and sparse from sparse, with the same numbers.
//
// A value becomes (value - shift) / unit of its column, or value / ||row||. A column with a shift
// has a value in every row afterwards; whoever chooses the shifts sees to it that those are few.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "rows/bad_value.hpp"
#include "rows/measuring.hpp"
#include "rows/rows.hpp"

namespace hardlimit {

// What is known of each column: the values other than 0, how many there are and the sums over them,
// in the order of the rows, so that dense and sparse rows give the same bits.
struct ColumnSums {
    std::vector<std::int64_t> counts;
    std::vector<double> lowest, highest, sums, squares;

    // Room for so many columns, also behind what is there.
    void widen(std::size_t n) {
        counts.resize(n);
        lowest.resize(n, std::numeric_limits<double>::infinity());
        highest.resize(n, -std::numeric_limits<double>::infinity());
        sums.resize(n);
        squares.resize(n);
    }

    // Go on over the rows of these numbers: sums of value - center and of its square.
    template <class Rows, class Positions>
    void add(const Rows &rows, const double *center, const Positions &positions) {
        widen(static_cast<std::size_t>(rows.n_columns));
        for (const std::int64_t i : positions)
            rows.visit(i, [&](std::int64_t column, double value) {
                if (column == rows.n_columns) return;
                const auto c = static_cast<std::size_t>(column);
                ++counts[c];
                lowest[c] = std::min(lowest[c], value);
                highest[c] = std::max(highest[c], value);
                const double apart = center ? value - center[c] : value;
                sums[c] += apart;
                squares[c] += apart * apart;
            });
    }
};

// The largest sqnorm of the rows of these numbers.
template <class Rows, class Positions>
double largest_sqnorm(const Rows &rows, const Positions &positions) {
    double largest = 0;
    for (const std::int64_t i : positions)
        largest = larger_sqnorm(rows, i, rows.sqnorm_about(i), largest);
    return largest;
}

// Shift and unit of each column, and the columns whose shift is not 0, ascending.
struct ColumnUnits {
    std::vector<double> shifts, units;
    std::vector<std::int64_t> shifted;

    ColumnUnits(std::vector<double> of_shifts, std::vector<double> of_units)
        : shifts(std::move(of_shifts)), units(std::move(of_units)) {
        for (std::size_t c = 0; c < shifts.size(); ++c)
            if (shifts[c] != 0) shifted.push_back(static_cast<std::int64_t>(c));
    }

    double of(std::int64_t row, std::int64_t column, double value) const {
        const auto c = static_cast<std::size_t>(column);
        const double scaled = (value - shifts[c]) / units[c];
        if (std::isfinite(scaled)) return scaled;
        throw BadValue(BadValue::Kind::beyond_scale, row, column, value);
    }
};

// The length of a row without its bias. Where its square is no normal number, the row is measured
// in units of its largest value first.
struct RowLength {
    double largest = 1, length = 0;

    template <class Rows>
    RowLength(const Rows &rows, std::int64_t i) {
        const double square = squared(rows, i);
        if (std::isnormal(square)) {
            length = std::sqrt(square);
            return;
        }
        double most = 0;
        rows.visit_stored(i, [&](std::int64_t, double x) { most = std::max(most, std::fabs(x)); });
        if (most == 0) return;
        largest = most;
        length = std::sqrt(squared(rows, i));
    }

    double of(double value) const { return length == 0 ? value : value / largest / length; }

  private:
    template <class Rows>
    double squared(const Rows &rows, std::int64_t i) const {
        return sum_over(rows, i, [&](std::int64_t c, double x) {
            return c == rows.n_columns ? 0.0 : (x / largest) * (x / largest);
        });
    }
};

}  // namespace hardlimit
