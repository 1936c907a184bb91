#include "rows/inner_loops.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "portability.hpp"

namespace hardlimit {
namespace {

// Column c goes to the sum c & 7, so that eight neighbours go to eight sums side by side.
template <class Value>
HARDLIMIT_INLINE double dot_body(const Value *x, const double *w, std::int64_t n,
                                 const Value *coming) {
    alignas(64) double sums[8] = {};
    const std::int64_t whole = n & ~std::int64_t{7};
    for (std::int64_t c = 0; c < whole; c += 8) {
        prefetch(coming + c);
        for (int lane = 0; lane < 8; ++lane)
            sums[lane] += w[c + lane] * static_cast<double>(x[c + lane]);
    }
    for (std::int64_t c = whole; c < n; ++c) sums[c & 7] += w[c] * static_cast<double>(x[c]);
    return tree(sums);
}

template <class Value>
HARDLIMIT_INLINE void add_scaled_body(const Value *x, double scale, double *w, std::int64_t n) {
    for (std::int64_t c = 0; c < n; ++c) w[c] += scale * static_cast<double>(x[c]);
}

template <class Value>
HARDLIMIT_INLINE double sqnorm_body(const Value *x, std::int64_t n) {
    alignas(64) double sums[8] = {};
    const std::int64_t whole = n & ~std::int64_t{7};
    for (std::int64_t c = 0; c < whole; c += 8)
        for (int lane = 0; lane < 8; ++lane)
            sums[lane] += static_cast<double>(x[c + lane]) * static_cast<double>(x[c + lane]);
    for (std::int64_t c = whole; c < n; ++c)
        sums[c & 7] += static_cast<double>(x[c]) * static_cast<double>(x[c]);
    return tree(sums);
}

// Four lanes and then the other four, each of them from memory to memory: so GCC finds the wide
// registers.
template <class Value>
HARDLIMIT_INLINE double add_squares_body(const Value *HARDLIMIT_RESTRICT x, std::int64_t n,
                                         double *HARDLIMIT_RESTRICT squares, const Value *coming) {
    alignas(64) double low[4] = {}, high[4] = {};
    const std::int64_t whole = n & ~std::int64_t{7};
    for (std::int64_t c = 0; c < whole; c += 8) {
        // Doubles come as fast as memory gives them.
        if constexpr (sizeof(Value) < sizeof(double)) prefetch(coming + c);
        HARDLIMIT_SIDE_BY_SIDE
        for (int lane = 0; lane < 4; ++lane) {
            const double value = static_cast<double>(x[c + lane]), square = value * value;
            squares[c + lane] += square;
            low[lane] += square;
        }
        HARDLIMIT_SIDE_BY_SIDE
        for (int lane = 0; lane < 4; ++lane) {
            const double value = static_cast<double>(x[c + 4 + lane]), square = value * value;
            squares[c + 4 + lane] += square;
            high[lane] += square;
        }
    }
    double sums[8] = {low[0], low[1], low[2], low[3], high[0], high[1], high[2], high[3]};
    for (std::int64_t c = whole; c < n; ++c) {
        const double value = static_cast<double>(x[c]), square = value * value;
        squares[c] += square;
        sums[c & 7] += square;
    }
    return tree(sums);
}

HARDLIMIT_INLINE double squared_distance_body(const double *a, const double *b, std::int64_t n) {
    alignas(64) double sums[8] = {};
    const std::int64_t whole = n & ~std::int64_t{7};
    for (std::int64_t c = 0; c < whole; c += 8)
        for (int lane = 0; lane < 8; ++lane)
            sums[lane] += (a[c + lane] - b[c + lane]) * (a[c + lane] - b[c + lane]);
    for (std::int64_t c = whole; c < n; ++c) sums[c & 7] += (a[c] - b[c]) * (a[c] - b[c]);
    return tree(sums);
}

template <class Weight>
HARDLIMIT_INLINE void add_product(double value, const Weight *HARDLIMIT_RESTRICT w,
                                  std::int64_t count, double *HARDLIMIT_RESTRICT sums) {
    for (std::int64_t k = 0; k < count; ++k) sums[k] += static_cast<double>(w[k]) * value;
}

template <class Value, class Weight>
HARDLIMIT_INLINE void sparse_products_body(NonZeros<Value> row, const Weight *w, Outputs outputs,
                                           double *sums) {
    constexpr std::int64_t line = 64 / sizeof(Weight);
    for (std::int64_t p = 0; p < row.count; ++p) {
        if (p + columns_ahead < row.count) {
            const Weight *next = w + row.columns[p + columns_ahead] * outputs.stride;
            for (std::int64_t k = 0; k < outputs.count; k += line) prefetch(next + k);
        }
        const std::int64_t c = row.columns[p];
        add_product(static_cast<double>(row.values[p]), w + c * outputs.stride, outputs.count,
                    sums + (c & 7) * outputs.count);
    }
}

template <class Value>
HARDLIMIT_INLINE void dense_products_body(const Value *x, std::int64_t n, const double *w,
                                          Outputs outputs, double *sums) {
    for (std::int64_t c = 0; c < n; ++c)
        add_product(static_cast<double>(x[c]), w + c * outputs.stride, outputs.count,
                    sums + (c & 7) * outputs.count);
}

// Without a branch, and in blocks that are counted in numbers as narrow as the columns, so that the
// processor takes several at a time. Without values there are none to be looked at.
template <class Value>
HARDLIMIT_INLINE Inspection inspect_body(const std::int32_t *columns, const Value *values,
                                         std::int64_t n, std::int64_t limit) {
    constexpr std::int64_t block = 4096, most = std::numeric_limits<std::int32_t>::max();
    const auto top = static_cast<std::int32_t>(std::min(limit - 1, most));
    Inspection seen{true, 0};
    for (std::int64_t begin = 0; begin < n; begin += block) {
        const std::int64_t end = std::min(begin + block, n);
        std::int32_t strange = 0, descents = 0;
        for (std::int64_t p = begin; p < end; ++p) strange |= (columns[p] < 0) | (columns[p] > top);
        for (std::int64_t p = begin; values && p < end; ++p)
            strange |= !(std::fabs(values[p]) <= std::numeric_limits<Value>::max());
        for (std::int64_t p = std::max<std::int64_t>(begin, 1); p < end; ++p)
            descents += columns[p] <= columns[p - 1];
        seen.sound &= !strange;
        seen.descents += descents;
    }
    return seen;
}

}  // namespace

HARDLIMIT_CLONES Inspection inspect_values(const std::int32_t *columns, const float *values,
                                           std::int64_t n, std::int64_t limit) {
    return inspect_body(columns, values, n, limit);
}
HARDLIMIT_CLONES Inspection inspect_values(const std::int32_t *columns, const double *values,
                                           std::int64_t n, std::int64_t limit) {
    return inspect_body(columns, values, n, limit);
}
HARDLIMIT_CLONES Inspection inspect_columns(const std::int32_t *columns, std::int64_t n,
                                            std::int64_t limit) {
    return inspect_body<double>(columns, nullptr, n, limit);
}
HARDLIMIT_CLONES double dense_dot(const float *x, const double *w, std::int64_t n,
                                  const float *coming) {
    return dot_body(x, w, n, coming);
}
HARDLIMIT_CLONES double dense_dot(const double *x, const double *w, std::int64_t n,
                                  const double *coming) {
    return dot_body(x, w, n, coming);
}
HARDLIMIT_CLONES void dense_add_scaled(const float *x, double scale, double *w, std::int64_t n) {
    add_scaled_body(x, scale, w, n);
}
HARDLIMIT_CLONES void dense_add_scaled(const double *x, double scale, double *w, std::int64_t n) {
    add_scaled_body(x, scale, w, n);
}
HARDLIMIT_CLONES double dense_sqnorm(const float *x, std::int64_t n) { return sqnorm_body(x, n); }
HARDLIMIT_CLONES double dense_sqnorm(const double *x, std::int64_t n) { return sqnorm_body(x, n); }
HARDLIMIT_CLONES double dense_add_squares(const float *x, std::int64_t n, double *squares,
                                          const float *coming) {
    return add_squares_body(x, n, squares, coming);
}
HARDLIMIT_CLONES double dense_add_squares(const double *x, std::int64_t n, double *squares,
                                          const double *coming) {
    return add_squares_body(x, n, squares, coming);
}
HARDLIMIT_CLONES double squared_distance(const double *a, const double *b, std::int64_t n) {
    return squared_distance_body(a, b, n);
}
HARDLIMIT_CLONES void add_products(NonZeros<float> row, const double *w, Outputs outputs,
                                   double *sums) {
    sparse_products_body(row, w, outputs, sums);
}
HARDLIMIT_CLONES void add_products(NonZeros<double> row, const double *w, Outputs outputs,
                                   double *sums) {
    sparse_products_body(row, w, outputs, sums);
}
HARDLIMIT_CLONES void add_products(NonZeros<float> row, const float *w, Outputs outputs,
                                   double *sums) {
    sparse_products_body(row, w, outputs, sums);
}
HARDLIMIT_CLONES void narrow_columns(const std::int64_t *wide, std::int64_t n,
                                     std::int32_t *narrow) {
    for (std::int64_t p = 0; p < n; ++p) {
        const auto cut = static_cast<std::int32_t>(wide[p]);
        narrow[p] = cut == wide[p] ? cut : -1;
    }
}
HARDLIMIT_CLONES void add_full(double value, const double *w, std::int64_t outputs, double *sums) {
    add_product(value, w, outputs, sums);
}
HARDLIMIT_CLONES void add_full(double value, const float *w, std::int64_t outputs, double *sums) {
    add_product(value, w, outputs, sums);
}
HARDLIMIT_CLONES void add_products(const float *x, std::int64_t n, const double *w, Outputs outputs,
                                   double *sums) {
    dense_products_body(x, n, w, outputs, sums);
}
HARDLIMIT_CLONES void add_products(const double *x, std::int64_t n, const double *w,
                                   Outputs outputs, double *sums) {
    dense_products_body(x, n, w, outputs, sums);
}

}  // namespace hardlimit
