// Inner products of examples in the space of a kernel, each in the one order of summation.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

#include "dual/kernels/kernel.hpp"
#include "rows/rows.hpp"

namespace hardlimit {

// Of `n_rows` rows with `n_others` others; in training both are the examples.
class Gram {
  public:
    Gram(std::int64_t n_rows, std::int64_t n_others) : n_rows(n_rows), n_others(n_others) {}
    virtual ~Gram() = default;

    // K(row i, other) for each of the others that are named.
    virtual void row(std::int64_t i, const std::int64_t *others, std::int64_t count,
                     double *out) = 0;

    double at(std::int64_t i, std::int64_t other) {
        double value;
        row(i, &other, 1, &value);
        return value;
    }

    // K(row i, other i), computed once.
    double diagonal(std::int64_t i) {
        if (diagonal_.empty())
            diagonal_.assign(static_cast<std::size_t>(n_rows),
                             std::numeric_limits<double>::quiet_NaN());
        double &known = diagonal_[static_cast<std::size_t>(i)];
        if (std::isnan(known)) known = at(i, i);
        return known;
    }

    const std::int64_t n_rows, n_others;

  private:
    std::vector<double> diagonal_;
};

// Computed from rows; `bias` is the square of the bias feature, which is added to every product.
template <class Rows>
class ComputedGram final : public Gram {
  public:
    ComputedGram(const Rows &rows, const Rows &others, std::shared_ptr<MercerKernel> kernel,
                 double bias)
        : Gram(rows.n_rows, others.n_rows),
          rows_(rows),
          others_(others),
          kernel_(std::move(kernel)),
          bias_(bias),
          spread_(static_cast<std::size_t>(rows.n_columns + 1)) {
        if (rows.n_columns != others.n_columns)
            throw std::invalid_argument("the rows have another number of columns");
    }

    void row(std::int64_t i, const std::int64_t *others, std::int64_t count, double *out) override {
        rows_.visit(i, [&](std::int64_t c, double value) { at_column(c) = value; });
        for (std::int64_t j = 0; j < count; ++j) {
            const std::int64_t coming = others[j + 1 < count ? j + 1 : j];
            out[j] = others_.dot(others[j], spread_.data(), coming);
        }
        rows_.visit(i, [&](std::int64_t c, double) { at_column(c) = 0; });
        double length = 0;
        if (kernel_->asks_sqnorms()) {
            length = rows_.sqnorm(i);
            lengths_.resize(static_cast<std::size_t>(count));
            for (std::int64_t j = 0; j < count; ++j)
                lengths_[static_cast<std::size_t>(j)] = others_.sqnorm(others[j]);
        }
        kernel_->from_products(out, count, length, lengths_.data());
        if (bias_ != 0)
            for (std::int64_t j = 0; j < count; ++j) out[j] += bias_;
    }

  private:
    double &at_column(std::int64_t c) { return spread_[static_cast<std::size_t>(c)]; }

    const Rows &rows_, &others_;
    std::shared_ptr<MercerKernel> kernel_;
    double bias_;
    std::vector<double> spread_, lengths_;
};

// Given as a matrix: a kernel that was computed elsewhere.
class GivenGram final : public Gram {
  public:
    GivenGram(const double *values, std::int64_t n_rows, std::int64_t n_others)
        : Gram(n_rows, n_others), values_(values) {}

    void row(std::int64_t i, const std::int64_t *others, std::int64_t count, double *out) override {
        for (std::int64_t j = 0; j < count; ++j) out[j] = values_[i * n_others + others[j]];
    }

  private:
    const double *values_;
};

}  // namespace hardlimit
