#include "rows/measuring.hpp"

#include <algorithm>
#include <cmath>

#include "zeroed.hpp"

namespace hardlimit {
namespace {

// Looked through together, so that what is looked at twice is still in the nearest cache.
constexpr std::int64_t block_values = 4096;

// The rows from `begin` on that belong to one block.
template <class Rows>
std::int64_t end_of_block(const Rows &rows, std::int64_t begin) {
    std::int64_t end = begin, values = 0;
    while (end < rows.n_rows && values < block_values) values += rows.work(end++);
    return end;
}

template <class Rows>
bool is_finite(const Rows &rows, std::int64_t i) {
    bool finite = true;
    rows.visit_stored(i, [&](std::int64_t, double value) { finite &= std::isfinite(value); });
    return finite;
}

void find_extremes(const Zeroed<double> &squares, Measured &found) {
    for (std::size_t c = 0; c < squares.size(); ++c) {
        const double square = squares[c];
        const ColumnSquare here{square, static_cast<std::int64_t>(c)};
        if (square > found.largest.square) found.largest = here;
        if (square > 0 && (found.smallest.column < 0 || square < found.smallest.square))
            found.smallest = here;
    }
}

}  // namespace

template <class Rows>
std::optional<Measured> measure_rows(const Rows &rows, const Measuring &measuring) {
    Zeroed<double> squares(static_cast<std::size_t>(rows.n_columns));
    Measured found;
    const auto &present = measuring.present;
    std::size_t next = 0;
    for (std::int64_t begin = 0; begin < rows.n_rows;) {
        const std::int64_t end = end_of_block(rows, begin);
        if (!rows.has_sound_columns(begin, end)) return std::nullopt;
        for (std::int64_t i = begin; i < end; ++i) {
            const bool counts = !present || (next < present->size() && (*present)[next] == i);
            const double about = counts ? rows.add_squares(i, squares.data(), measuring.with_norms)
                                        : rows.sqnorm_about(i);
            // A sum of squares is finite where all values are; one that overflows decides nothing.
            if (!std::isfinite(about) && !is_finite(rows, i)) return std::nullopt;
            if (!counts) continue;
            found.largest_sqnorm = larger_sqnorm(rows, i, about, found.largest_sqnorm);
            ++next;
        }
        begin = end;
    }
    find_extremes(squares, found);
    return found;
}

template std::optional<Measured> measure_rows(const DenseRows<float> &, const Measuring &);
template std::optional<Measured> measure_rows(const DenseRows<double> &, const Measuring &);
template std::optional<Measured> measure_rows(const SparseRows<float> &, const Measuring &);
template std::optional<Measured> measure_rows(const SparseRows<double> &, const Measuring &);

}  // namespace hardlimit
