// What memory and one sum allow: the scores of rows in a given order, and nothing else; and the
// same with the corrections of the perceptron.
#include <algorithm>
#include <cmath>
#include <cstdint>

namespace {

struct Rows {
    const float *values;
    const std::int32_t *columns, *starts;

    // What comes later is fetched, where the rows begin first. Always inlined: a call to a function
    // that only prefetches looks idle to GCC, which drops it.
    [[gnu::always_inline]] inline void fetch_ahead(const std::int64_t *order, std::int64_t p,
                                                   std::int64_t n_rows) const {
        constexpr std::int64_t rows_ahead = 6, starts_ahead = 12, line = 16;
        const std::int64_t coming = order[std::min(p + rows_ahead, n_rows - 1)];
        __builtin_prefetch(starts + order[std::min(p + starts_ahead, n_rows - 1)]);
        for (std::int64_t q = starts[coming]; q < starts[coming + 1]; q += line) {
            __builtin_prefetch(columns + q);
            __builtin_prefetch(values + q);
        }
    }

    double score(std::int64_t i, const double *weights) const {
        double sum = 0;
        for (std::int64_t q = starts[i]; q < starts[i + 1]; ++q)
            sum += weights[columns[q]] * static_cast<double>(values[q]);
        return sum;
    }
};

}  // namespace

extern "C" double bare_loop(const float *values, const std::int32_t *columns,
                            const std::int32_t *starts, const double *weights,
                            const std::int64_t *order, std::int64_t n_rows) {
    const Rows rows{values, columns, starts};
    double all = 0;
    for (std::int64_t p = 0; p < n_rows; ++p) {
        rows.fetch_ahead(order, p, n_rows);
        all += rows.score(order[p], weights);
    }
    return all;
}

// The number of mistakes; the bias is the weight behind those of the columns.
extern "C" std::int64_t correcting_loop(const float *values, const std::int32_t *columns,
                                        const std::int32_t *starts, double *weights,
                                        const std::int64_t *order, std::int64_t n_rows,
                                        const signed char *targets, std::int64_t n_columns) {
    const Rows rows{values, columns, starts};
    std::int64_t mistakes = 0;
    for (std::int64_t p = 0; p < n_rows; ++p) {
        rows.fetch_ahead(order, p, n_rows);
        const std::int64_t i = order[p];
        const double y = targets[i];
        if (y * (rows.score(i, weights) + weights[n_columns]) > 0) continue;
        ++mistakes;
        for (std::int64_t q = starts[i]; q < starts[i + 1]; ++q)
            weights[columns[q]] += y * static_cast<double>(values[q]);
        weights[n_columns] += y;
    }
    return mistakes;
}

// The squared length of each column, and whether every value is finite and every column is there
// and after the one before: what a fit must know of rows before it learns.
extern "C" bool measuring_loop(const float *values, const std::int32_t *columns,
                               const std::int32_t *starts, double *squares, std::int64_t n_rows,
                               std::int64_t n_columns) {
    constexpr std::int64_t columns_ahead = 16;
    const std::int64_t last = starts[n_rows] - 1;
    bool sound = true;
    for (std::int64_t i = 0; i < n_rows; ++i) {
        std::int32_t before = -1;
        double sum = 0;
        for (std::int64_t q = starts[i]; q < starts[i + 1]; ++q) {
            __builtin_prefetch(squares + columns[std::min(q + columns_ahead, last)], 1);
            const double value = values[q];
            sound &= columns[q] > before && columns[q] < n_columns;
            if (!sound) return false;
            before = columns[q];
            squares[before] += value * value;
            sum += value * value;
        }
        sound &= std::isfinite(sum);
    }
    return sound;
}
