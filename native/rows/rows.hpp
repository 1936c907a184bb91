// The rows of examples, dense or sparse: this is the only file that knows which.
//
// A row knows these verbs, all but the last two including the bias feature, a last column of
// constant value:
//   dot         <w, x>                       one output
//   dots        <w_k, x> for each output k
//   sqnorm      <x, x>
//   add_scaled  w_k <- w_k + scale * x
//   visit       see(column, value) for each value other than 0, the bias as column n_columns
//   stored      see(column, value) for each value as it lies, zeros included
//   ahead       the same, with two looks at columns that come, for weights that lie in cells
// Weights lie column by column: w[column * stride + k]; the bias's weights follow the last column.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "portability.hpp"
#include "rows/inner_loops.hpp"

namespace hardlimit {

// What both kinds of rows share: their number, the bias, and the norms already computed.
class RowSet {
  public:
    RowSet(std::int64_t n_rows, std::int64_t n_columns, double bias)
        : n_rows(n_rows), n_columns(n_columns), bias(bias) {}

    std::int64_t n_rows, n_columns;
    double bias;

    // From now on each norm is computed once: for a run of many epochs.
    void keep_norms() {
        if (norms_.empty()) norms_.assign(static_cast<std::size_t>(n_rows), -1.0);
    }

    HARDLIMIT_INLINE void prefetch_norm(std::int64_t i) const {
        if (!norms_.empty()) prefetch(norms_.data() + i);
    }

  protected:
    // A norm that was found on the way.
    double note_norm(std::int64_t i, double norm) const {
        if (!norms_.empty()) store_shared(norms_[static_cast<std::size_t>(i)], norm);
        return norm;
    }

    template <class Compute>
    double norm_once(std::int64_t i, Compute compute) const {
        if (norms_.empty()) return compute();
        // Threads that learn from the same rows compute the same number, whoever stores it.
        double &kept = norms_[static_cast<std::size_t>(i)];
        double norm = load_shared(kept);
        if (norm < 0) store_shared(kept, norm = compute());
        return norm;
    }

    // sums holds 8 x outputs partial sums; out[k] becomes the score of output k.
    template <class Weight>
    void finish(const Weight *w, Outputs outputs, const double *sums, double *out) const {
        const Weight *bias_weights = w + n_columns * outputs.stride;
        for (std::int64_t k = 0; k < outputs.count; ++k)
            out[k] = tree(sums + k, outputs.count) + static_cast<double>(bias_weights[k]) * bias;
    }

  private:
    mutable std::vector<double> norms_;
};

// The sum of a value for each column of a row, in the package's order.
template <class Rows, class Value>
double sum_over(const Rows &rows, std::int64_t i, Value value) {
    double sums[8] = {}, of_bias = 0;
    rows.visit(i, [&](std::int64_t c, double x) {
        if (c < rows.n_columns)
            sums[c & 7] += value(c, x);
        else
            of_bias = value(c, x);
    });
    return tree(sums) + of_bias;
}

template <class Value>
class DenseRows : public RowSet {
  public:
    DenseRows(const Value *values, std::int64_t n_rows, std::int64_t n_columns, double bias)
        : RowSet(n_rows, n_columns, bias), values_(values) {}

    // The rows begin .. end - 1, over the same memory.
    DenseRows part(std::int64_t begin, std::int64_t end) const {
        return DenseRows(row(begin), end - begin, n_columns, bias);
    }

    double dot(std::int64_t i, const double *w, std::int64_t coming) const {
        return dense_dot(row(i), w, n_columns, row(coming)) + w[n_columns] * bias;
    }

    // dot of each of the rows begin .. end - 1, as they lie.
    void dots_in_order(std::int64_t begin, std::int64_t end, const double *w, double *out) const {
        for (std::int64_t i = begin; i < end; ++i) *out++ = dot(i, w, std::min(i + 1, end - 1));
    }

    void dots(std::int64_t i, const double *w, Outputs outputs, double *sums, double *out) const {
        add_products(row(i), n_columns, w, outputs, sums);
        finish(w, outputs, sums, out);
    }

    double sqnorm(std::int64_t i) const {
        return norm_once(i, [&] { return dense_sqnorm(row(i), n_columns) + bias * bias; });
    }

    // sqnorm, but for the last bits.
    double sqnorm_about(std::int64_t i) const { return sqnorm(i); }

    // sqnorm, while the squares of a row's values are added to those of their columns.
    double add_squares(std::int64_t i, double *squares, bool) const {
        const Value *coming = row(std::min(i + 1, n_rows - 1));
        return note_norm(i, dense_add_squares(row(i), n_columns, squares, coming) + bias * bias);
    }

    // Whether the columns are there, and ascend in each of the rows begin .. end - 1.
    bool has_sound_columns(std::int64_t, std::int64_t) const { return true; }

    void add_scaled(std::int64_t i, double scale, double *w, std::int64_t stride) const {
        const Value *x = row(i);
        if (stride == 1)
            dense_add_scaled(x, scale, w, n_columns);
        else
            for (std::int64_t c = 0; c < n_columns; ++c)
                w[c * stride] += scale * static_cast<double>(x[c]);
        w[n_columns * stride] += scale * bias;
    }

    template <class See>
    void visit(std::int64_t i, See see) const {
        const Value *x = row(i);
        for (std::int64_t c = 0; c < n_columns; ++c)
            if (x[c] != 0) see(c, static_cast<double>(x[c]));
        if (bias != 0) see(n_columns, bias);
    }

    template <class See>
    void visit_stored(std::int64_t i, See see) const {
        const Value *x = row(i);
        for (std::int64_t c = 0; c < n_columns; ++c) see(c, static_cast<double>(x[c]));
    }

    // visit_stored; what is far is fetched by the processor itself.
    template <class Weights, class See>
    HARDLIMIT_INLINE void visit_ahead(std::int64_t i, const Weights &, See see) const {
        visit_stored(i, see);
    }

    std::int64_t work(std::int64_t) const { return n_columns; }

    template <class Weights>
    void prefetch_columns(std::int64_t, const Weights &) const {}

    HARDLIMIT_INLINE void prefetch_start(std::int64_t) const {}
    // Dense rows are long: the processor's own prefetcher follows them.
    HARDLIMIT_INLINE void prefetch_row(std::int64_t i) const { prefetch(row(i)); }
    template <class Weight>
    void prefetch_weights(std::int64_t, const Weight *, std::int64_t) const {}

  private:
    const Value *row(std::int64_t i) const { return values_ + i * n_columns; }
    const Value *values_;
};

// A column's number. The border narrows what comes as int64: no loop is compiled for both.
using Index = std::int32_t;
constexpr std::int64_t most_columns = std::int64_t{1} << 31;

template <class Value>
class SparseRows : public RowSet {
  public:
    SparseRows(const std::int64_t *starts, const Index *columns, const Value *values,
               std::int64_t n_rows, std::int64_t n_columns, double bias)
        : RowSet(n_rows, n_columns, bias), starts_(starts), columns_(columns), values_(values) {}

    // The rows begin .. end - 1, over the same memory.
    SparseRows part(std::int64_t begin, std::int64_t end) const {
        return SparseRows(starts_ + begin, columns_, values_, end - begin, n_columns, bias);
    }

    // Fetches the row `coming`, line by line, while it adds up: all at once would fill the queue of
    // the processor's requests, and the weights of this row would have to wait.
    HARDLIMIT_INLINE double dot(std::int64_t i, const double *w, std::int64_t coming) const {
        constexpr std::int64_t block = 64 / sizeof(Value);
        alignas(64) double sums[8] = {};
        const Index *columns = columns_ + starts_[i];
        const Value *values = values_ + starts_[i];
        const std::int64_t count = starts_[i + 1] - starts_[i], ahead = starts_[coming];
        for (std::int64_t begin = 0; begin < count; begin += block) {
            prefetch(columns_ + ahead + begin);
            prefetch(values_ + ahead + begin);
            const std::int64_t end = std::min(begin + block, count);
            for (std::int64_t p = begin; p < end; ++p) {
                const Index c = columns[p];
                sums[c & 7] += w[c] * static_cast<double>(values[p]);
            }
        }
        return tree(sums) + w[n_columns] * bias;
    }

    // dot of each of the rows begin .. end - 1, as they lie: weights and rows are fetched far
    // ahead.
    void dots_in_order(std::int64_t begin, std::int64_t end, const double *w, double *out) const {
        constexpr std::int64_t block = 64 / sizeof(Value), weights_ahead = 128, rows_ahead = 6144;
        // The rows so far ahead that those of the next block are there when they are checked.
        const std::int64_t last = starts_[end] - 1, of_all = starts_[n_rows] - 1;
        for (std::int64_t i = begin; i < end; ++i, ++out) {
            alignas(64) double sums[8] = {};
            for (std::int64_t first = starts_[i]; first < starts_[i + 1]; first += block) {
                const std::int64_t ahead = std::min(first + rows_ahead, of_all);
                prefetch(columns_ + ahead);
                prefetch(values_ + ahead);
                const std::int64_t stop = std::min(first + block, starts_[i + 1]);
                for (std::int64_t p = first; p < stop; ++p) {
                    prefetch(w + columns_[std::min(p + weights_ahead, last)]);
                    const Index c = columns_[p];
                    sums[c & 7] += w[c] * static_cast<double>(values_[p]);
                }
            }
            *out = tree(sums) + w[n_columns] * bias;
        }
    }

    template <class Weight>
    void dots(std::int64_t i, const Weight *w, Outputs outputs, double *sums, double *out) const {
        const std::int64_t start = starts_[i];
        add_products(NonZeros<Value>{columns_ + start, values_ + start, starts_[i + 1] - start}, w,
                     outputs, sums);
        finish(w, outputs, sums, out);
    }

    double sqnorm(std::int64_t i) const {
        return norm_once(i, [&] {
            alignas(64) double sums[8] = {};
            for (std::int64_t p = starts_[i]; p < starts_[i + 1]; ++p) {
                const double value = static_cast<double>(values_[p]);
                sums[columns_[p] & 7] += value * value;
            }
            return tree(sums) + bias * bias;
        });
    }

    // sqnorm, but for the last bits: the values side by side, wherever their columns are.
    double sqnorm_about(std::int64_t i) const {
        return dense_sqnorm(values_ + starts_[i], starts_[i + 1] - starts_[i]) + bias * bias;
    }

    // sqnorm_about, while the squares of a row's values are added to those of their columns; sqnorm
    // itself where it is wanted.
    double add_squares(std::int64_t i, double *squares, bool with_norm) const {
        if (!with_norm) {
            each_ahead(i, [&](Index c, double square) { squares[c] += square; });
            return sqnorm_about(i);
        }
        alignas(64) double sums[8] = {};
        each_ahead(i, [&](Index c, double square) {
            squares[c] += square;
            sums[c & 7] += square;
        });
        return note_norm(i, tree(sums) + bias * bias);
    }

    // Whether the columns are there, and ascend in each of the rows begin .. end - 1.
    bool has_sound_columns(std::int64_t begin, std::int64_t end) const {
        const std::int64_t first = starts_[begin];
        const Inspection seen = inspect_columns(columns_ + first, starts_[end] - first, n_columns);
        return seen.sound && ascend(seen, begin, end);
    }

    // Whether the columns of the rows begin .. end - 1 ascend; nothing where there is what cannot
    // be.
    std::optional<bool> check(std::int64_t begin, std::int64_t end) const {
        const std::int64_t first = starts_[begin];
        const Inspection seen =
            inspect_values(columns_ + first, values_ + first, starts_[end] - first, n_columns);
        if (!seen.sound) return std::nullopt;
        return ascend(seen, begin, end);
    }

    void add_scaled(std::int64_t i, double scale, double *w, std::int64_t stride) const {
        const std::int64_t end = starts_[i + 1];
        for (std::int64_t p = starts_[i]; p < end; ++p) {
            if (p + 16 < end) prefetch(w + columns_[p + 16] * stride);
            w[columns_[p] * stride] += scale * static_cast<double>(values_[p]);
        }
        w[n_columns * stride] += scale * bias;
    }

    template <class See>
    void visit(std::int64_t i, See see) const {
        for (std::int64_t p = starts_[i]; p < starts_[i + 1]; ++p)
            if (values_[p] != 0)
                see(static_cast<std::int64_t>(columns_[p]), static_cast<double>(values_[p]));
        if (bias != 0) see(n_columns, bias);
    }

    template <class See>
    void visit_stored(std::int64_t i, See see) const {
        for (std::int64_t p = starts_[i]; p < starts_[i + 1]; ++p)
            see(static_cast<std::int64_t>(columns_[p]), static_cast<double>(values_[p]));
    }

    // visit_stored, with two looks ahead: the weights fetch where a column's cells are, and then
    // the cells. No lambdas: a call that only fetches looks idle to compilers, which drop it.
    template <class Weights, class See>
    HARDLIMIT_INLINE void visit_ahead(std::int64_t i, const Weights &weights, See see) const {
        const std::int64_t begin = starts_[i], end = starts_[i + 1];
        const std::int64_t near_end = std::min(begin + columns_ahead, end);
        for (std::int64_t p = begin; p < near_end; ++p) weights.prefetch_run(columns_[p]);
        for (std::int64_t p = begin; p < end; ++p) {
            if (p + 2 * columns_ahead < end)
                weights.prefetch_column(columns_[p + 2 * columns_ahead]);
            if (p + columns_ahead < end) weights.prefetch_run(columns_[p + columns_ahead]);
            see(static_cast<std::int64_t>(columns_[p]), static_cast<double>(values_[p]));
        }
    }

    // The first columns of a row to come; visit_ahead does the rest.
    template <class Weights>
    HARDLIMIT_INLINE void prefetch_columns(std::int64_t i, const Weights &weights) const {
        const std::int64_t end = std::min(starts_[i + 1], starts_[i] + 2 * columns_ahead);
        for (std::int64_t p = starts_[i]; p < end; ++p) weights.prefetch_column(columns_[p]);
    }

    std::int64_t work(std::int64_t i) const { return starts_[i + 1] - starts_[i]; }

    // Where a row that comes later begins: `prefetch_row` has to know.
    HARDLIMIT_INLINE void prefetch_start(std::int64_t i) const { prefetch(starts_ + i); }

    // All of a row that is far in memory: rows are too short for the processor to catch on.
    HARDLIMIT_INLINE void prefetch_row(std::int64_t i) const {
        const std::int64_t start = starts_[i], end = starts_[i + 1];
        for (std::int64_t p = start; p < end; p += 64 / sizeof(Index)) prefetch(columns_ + p);
        for (std::int64_t p = start; p < end; p += 64 / sizeof(Value)) prefetch(values_ + p);
    }

    // The weights of a row to come; with many outputs only the first, the kernel does the rest.
    template <class Weight>
    HARDLIMIT_INLINE void prefetch_weights(std::int64_t i, const Weight *w,
                                           std::int64_t stride) const {
        constexpr std::int64_t line = 64 / sizeof(Weight);
        const std::int64_t end =
            stride == 1 ? starts_[i + 1] : std::min(starts_[i + 1], starts_[i] + columns_ahead);
        for (std::int64_t p = starts_[i]; p < end; ++p) {
            const Weight *weights = w + columns_[p] * stride;
            for (std::int64_t k = 0; k < stride; k += line) prefetch(weights + k);
        }
    }

  private:
    // see(column, square of the value), while rows far ahead in memory are fetched.
    template <class See>
    HARDLIMIT_INLINE void each_ahead(std::int64_t i, See see) const {
        constexpr std::int64_t block = 64 / sizeof(Value), rows_ahead = 6144;
        const std::int64_t end = starts_[i + 1], last = starts_[n_rows] - 1;
        for (std::int64_t first = starts_[i]; first < end; first += block) {
            const std::int64_t ahead = std::min(first + rows_ahead, last);
            prefetch(columns_ + ahead);
            prefetch(values_ + ahead);
            const std::int64_t stop = std::min(first + block, end);
            for (std::int64_t p = first; p < stop; ++p) {
                const double value = static_cast<double>(values_[p]);
                see(columns_[p], value * value);
            }
        }
    }

    bool ascend(const Inspection &seen, std::int64_t begin, std::int64_t end) const {
        // From one row to the next a column may fall.
        std::int64_t between = 0, last = -1;
        for (std::int64_t i = begin; i < end; ++i) {
            if (starts_[i] == starts_[i + 1]) continue;
            between += last >= 0 && columns_[starts_[i]] <= last;
            last = columns_[starts_[i + 1] - 1];
        }
        return seen.descents == between;
    }

    const std::int64_t *starts_;
    const Index *columns_;
    const Value *values_;
};

// The rows as they lie: dense ones first.
using StoredRows =
    std::variant<DenseRows<float>, DenseRows<double>, SparseRows<float>, SparseRows<double>>;

}  // namespace hardlimit
