// What all searches for a separating direction, or for multipliers against one, have in common.
//
// The rows are signed: z_i = y_i (x_i, bias). A search works in slices, so that several can take
// turns: advance(work_limit) touches about `work_limit` non-zeros. At any time it holds
//   direction   the best w so far, of which smallest = min z_i.w / ||w|| was measured
//   weighting   lambda >= 0, of which length = ||sum lambda_i z_i|| / sum lambda_i was measured
// so that smallest <= gamma <= length, up to rounding.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "rows/rows.hpp"

namespace hardlimit {

class Search {
  public:
    virtual ~Search() = default;
    virtual void advance(std::int64_t work_limit) = 0;
    // A multiplier of each row; empty where the search makes none.
    virtual std::vector<double> weighting() const = 0;

    std::vector<double> direction;

    double smallest = -std::numeric_limits<double>::infinity();
    double length = std::numeric_limits<double>::infinity();
    std::int64_t iterations = 0;  // moves of the direction, from the first one that it has
    std::int64_t found_at = -1;   // iterations made when a direction first separated
    bool done = false;            // nothing that it could still do

  protected:
    void measured(double least, double norm, const std::vector<double> &w) {
        if (!(norm > 0) || !(least / norm > smallest)) return;
        smallest = least / norm;
        direction = w;
        if (found_at < 0 && smallest > 0) found_at = iterations;
    }
};

// The products of all rows with a vector, and of a vector with all rows. Vectors of weights have
// one place more than there are columns, for a bias that signed rows hold as a column of their own.
template <class Rows>
class SignedRows {
  public:
    explicit SignedRows(const Rows &rows)
        : rows(rows), scores(static_cast<std::size_t>(rows.n_rows)) {
        for (std::int64_t i = 0; i < rows.n_rows; ++i) non_zeros += rows.work(i);
        non_zeros += rows.n_rows;
    }

    const Rows &rows;
    std::vector<double> scores;  // z_i.w of the last look
    std::int64_t non_zeros = 0;

    std::vector<double> blank() const {
        return std::vector<double>(static_cast<std::size_t>(rows.n_columns) + 1);
    }

    // All scores; the row of the smallest, the first of several.
    std::int64_t look(const std::vector<double> &w) {
        rows.dots_in_order(0, rows.n_rows, w.data(), scores.data());
        return lowest();
    }

    std::int64_t lowest() const {
        return std::min_element(scores.begin(), scores.end()) - scores.begin();
    }

    double score(std::int64_t i) const { return scores[static_cast<std::size_t>(i)]; }

    // sum p_i z_i.
    void combine(const std::vector<double> &p, std::vector<double> &sum) const {
        std::fill(sum.begin(), sum.end(), 0.0);
        for (std::int64_t i = 0; i < rows.n_rows; ++i)
            if (const double share = p[static_cast<std::size_t>(i)]; share != 0)
                rows.add_scaled(i, share, sum.data(), 1);
    }

    std::int64_t next(std::int64_t i) const { return i + 1 < rows.n_rows ? i + 1 : 0; }
};

inline double product(const std::vector<double> &a, const std::vector<double> &b) {
    const auto n = static_cast<std::int64_t>(a.size());
    return dense_dot(a.data(), b.data(), n, a.data());
}

inline double norm(const std::vector<double> &a) { return std::sqrt(product(a, a)); }

inline double sum_of(const std::vector<double> &a) {
    double sum = 0;
    for (const double value : a) sum += value;
    return sum;
}

}  // namespace hardlimit
