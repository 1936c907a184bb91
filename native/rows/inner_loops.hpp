// The inner loops over one row, in the one order of summation of this package:
// eight partial sums by `column & 7`, added in a fixed tree. Every processor gives the same bits;
// wider registers only carry more of the eight sums at a time.
#pragma once
#include <cstdint>

namespace hardlimit {

inline double tree(const double *sums, std::int64_t stride = 1) {
    return ((sums[0] + sums[stride]) + (sums[2 * stride] + sums[3 * stride])) +
           ((sums[4 * stride] + sums[5 * stride]) + (sums[6 * stride] + sums[7 * stride]));
}

// How far ahead of the additions the weights of many outputs are fetched.
constexpr std::int64_t columns_ahead = 12;

// Fetches the row `coming` while it adds up.
double dense_dot(const float *x, const double *w, std::int64_t n, const float *coming);
double dense_dot(const double *x, const double *w, std::int64_t n, const double *coming);

void dense_add_scaled(const float *x, double scale, double *w, std::int64_t n);
void dense_add_scaled(const double *x, double scale, double *w, std::int64_t n);

double dense_sqnorm(const float *x, std::int64_t n);
double dense_sqnorm(const double *x, std::int64_t n);

// dense_sqnorm, while the square of each value is added to that of its column, and the row `coming`
// is fetched.
double dense_add_squares(const float *x, std::int64_t n, double *squares, const float *coming);
double dense_add_squares(const double *x, std::int64_t n, double *squares, const double *coming);

// ||a - b||^2.
double squared_distance(const double *a, const double *b, std::int64_t n);

template <class Value>
struct NonZeros {
    const std::int32_t *columns;
    const Value *values;
    std::int64_t count;
};

struct Outputs {
    std::int64_t count, stride;
};

// Adds w[column * stride + k] * value to sums[(column & 7) * outputs + k] for each non-zero.
void add_products(NonZeros<float> row, const double *w, Outputs outputs, double *sums);
void add_products(NonZeros<double> row, const double *w, Outputs outputs, double *sums);
// The answers of text models.
void add_products(NonZeros<float> row, const float *w, Outputs outputs, double *sums);

// sums[k] += w[k] * value for each output k.
void add_full(double value, const double *w, std::int64_t outputs, double *sums);
void add_full(double value, const float *w, std::int64_t outputs, double *sums);

// What one look at stored rows finds: whether all columns lie in 0 .. n_columns - 1 and all values
// are finite, and how often a column is not larger than the one before, the rows not told apart.
struct Inspection {
    bool sound;
    std::int64_t descents;
};
Inspection inspect_values(const std::int32_t *columns, const float *values, std::int64_t n,
                          std::int64_t limit);
Inspection inspect_values(const std::int32_t *columns, const double *values, std::int64_t n,
                          std::int64_t limit);
// The same of the columns alone: the values are sound.
Inspection inspect_columns(const std::int32_t *columns, std::int64_t n, std::int64_t limit);

// Column numbers of int64 as int32; those that no matrix can have become -1, which is none either.
void narrow_columns(const std::int64_t *wide, std::int64_t n, std::int32_t *narrow);

void add_products(const float *x, std::int64_t n, const double *w, Outputs outputs, double *sums);
void add_products(const double *x, std::int64_t n, const double *w, Outputs outputs, double *sums);

}  // namespace hardlimit
