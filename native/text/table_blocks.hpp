// Rows of the columns of a table that are no texts: a cell each, or none.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "text/rows.hpp"

namespace hardlimit::text {

// `(x - mean) / deviation` in column 0. NaN is nothing, or, where `marked`, 1 in column 1.
Rows standardise(std::span<const double> numbers, double mean, double deviation, bool marked);

// 1 in the column of each row; below 0 is nothing.
Rows indicate(std::span<const std::int64_t> columns, std::size_t n_columns);

// The numbers that are not between -most and most, NaN among them: their places.
std::vector<std::size_t> find_beyond(std::span<const double> numbers, double most);

}  // namespace hardlimit::text
