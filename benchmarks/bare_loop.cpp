// What memory and one sum allow: the scores of rows in a given order, and nothing else.
#include <algorithm>
#include <cstdint>

extern "C" double bare_loop(const float *values, const std::int32_t *columns,
                            const std::int32_t *starts, const double *weights,
                            const std::int64_t *order, std::int64_t n_rows) {
    constexpr std::int64_t rows_ahead = 6, starts_ahead = 12, line = 16;
    double all = 0;
    for (std::int64_t p = 0; p < n_rows; ++p) {
        const std::int64_t i = order[p], coming = order[std::min(p + rows_ahead, n_rows - 1)];
        __builtin_prefetch(starts + order[std::min(p + starts_ahead, n_rows - 1)]);
        for (std::int64_t q = starts[coming]; q < starts[coming + 1]; q += line) {
            __builtin_prefetch(columns + q);
            __builtin_prefetch(values + q);
        }
        double sum = 0;
        for (std::int64_t q = starts[i]; q < starts[i + 1]; ++q)
            sum += weights[columns[q]] * static_cast<double>(values[q]);
        all += sum;
    }
    return all;
}
