#include "text/table_blocks.hpp"

#include <bit>
#include <cmath>
#include <stdexcept>

namespace hardlimit::text {
namespace {

void add_cell(Rows &rows, std::int32_t column, float value) {
    rows.columns.push(column);
    rows.counts.push(std::bit_cast<std::uint32_t>(value));
}

void end_row(Rows &rows) { rows.starts.push(static_cast<std::int64_t>(rows.columns.size())); }

}  // namespace

Rows standardise(std::span<const double> numbers, double mean, double deviation, bool marked) {
    Rows rows;
    rows.n_columns = marked ? 2 : 1;
    for (const double number : numbers) {
        if (!std::isnan(number))
            add_cell(rows, 0, static_cast<float>((number - mean) / deviation));
        else if (marked)
            add_cell(rows, 1, 1);
        end_row(rows);
    }
    return rows;
}

Rows indicate(std::span<const std::int64_t> columns, std::size_t n_columns) {
    Rows rows;
    rows.n_columns = n_columns;
    for (const std::int64_t column : columns) {
        if (column >= static_cast<std::int64_t>(n_columns))
            throw std::out_of_range("a column that there is not");
        if (column >= 0) add_cell(rows, static_cast<std::int32_t>(column), 1);
        end_row(rows);
    }
    return rows;
}

std::vector<std::size_t> find_beyond(std::span<const double> numbers, double most) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < numbers.size(); ++i)
        if (!(std::abs(numbers[i]) < most)) found.push_back(i);
    return found;
}

}  // namespace hardlimit::text
