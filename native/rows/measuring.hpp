// Rows that nobody has looked at yet, checked and measured in one pass.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

#include "rows/rows.hpp"

namespace hardlimit {

// A column and its squared length.
struct ColumnSquare {
    double square = 0;
    std::int64_t column = -1;
};

// Which rows are measured, ascending (nothing: all of them), and whether the norms of sparse rows
// will be asked for and should be found on the way. Those of dense rows always are.
struct Measuring {
    std::optional<std::span<const std::int64_t>> present;
    bool with_norms = false;
};

// The first of the columns with the largest squared length, and of those with the smallest above 0,
// column -1 where all values are 0; and the largest sqnorm of a row.
struct Measured {
    ColumnSquare largest, smallest;
    double largest_sqnorm = 0;
};

// Nothing where a value is not finite, a column is not there, or columns do not ascend.
template <class Rows>
std::optional<Measured> measure_rows(const Rows &rows, const Measuring &measuring);

// The larger one of `largest` and the sqnorm of a row, of which `about` is known but for its last
// bits: a sum in an order that is faster says whether the row may have more.
template <class Rows>
double larger_sqnorm(const Rows &rows, std::int64_t i, double about, double largest) {
    // Either sum is off by less than a rounding a value.
    const double slack = 0x1p-51 * static_cast<double>(rows.work(i) + 8);
    return about * (1 + slack) >= largest ? std::max(largest, rows.sqnorm(i)) : largest;
}

}  // namespace hardlimit
