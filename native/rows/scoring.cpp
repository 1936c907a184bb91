#include "rows/scoring.hpp"

#include <type_traits>
#include <vector>

namespace hardlimit {

template <class Weight, class Rows>
void fill_scores(const Rows &rows, std::int64_t begin, std::int64_t end, const Weight *w,
                 std::int64_t n_outputs, double *out) {
    if constexpr (std::is_same_v<Weight, double>)
        if (n_outputs == 1) return rows.dots_in_order(begin, end, w, out);
    constexpr std::int64_t rows_ahead = 8;
    std::vector<double> sums(static_cast<std::size_t>(8 * n_outputs));
    for (std::int64_t i = begin; i < end; ++i, out += n_outputs) {
        rows.prefetch_row(std::min(i + rows_ahead, end - 1));
        rows.prefetch_weights(std::min(i + 1, end - 1), w, n_outputs);
        std::fill(sums.begin(), sums.end(), 0.0);
        rows.dots(i, w, {n_outputs, n_outputs}, sums.data(), out);
    }
}

void fill_scores(const StoredRows &rows, const double *w, std::int64_t n_outputs, double *out) {
    std::visit(
        [&](const auto &stored) { fill_scores(stored, 0, stored.n_rows, w, n_outputs, out); },
        rows);
}

// What the border asks for beside that: rows that are scored while they are checked, and text.
template void fill_scores(const SparseRows<float> &, std::int64_t, std::int64_t, const double *,
                          std::int64_t, double *);
template void fill_scores(const SparseRows<double> &, std::int64_t, std::int64_t, const double *,
                          std::int64_t, double *);
template void fill_scores(const SparseRows<float> &, std::int64_t, std::int64_t, const float *,
                          std::int64_t, double *);

}  // namespace hardlimit
