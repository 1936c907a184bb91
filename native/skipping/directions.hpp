// A few nearly orthonormal directions in each block of neighbouring columns, along which the rows
// vary most: two steps of subspace iteration over some of the rows (Halko, Martinsson and Tropp,
// SIAM Review 53, 2011, algorithm 4.4).
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "numeric/generator.hpp"
#include "rows/examples.hpp"
#include "skipping/drift.hpp"

namespace hardlimit {

class Directions {
  public:
    static constexpr int of_block = 7;
    static constexpr std::int64_t columns_of_block = 48;  // or somewhat more

    std::int64_t n_blocks() const { return n_blocks_; }
    std::int64_t width() const { return width_; }  // columns of a block; of the last perhaps less
    double skew() const { return skew_; }          // a bound of ||V'V - I||, of each block

    // The number of products that this took, of a row and a direction.
    template <class Rows>
    std::int64_t find(const Rows &rows, const Examples &examples) {
        const std::int64_t n = rows.n_columns + 1;
        n_blocks_ = std::max<std::int64_t>(1, n / columns_of_block);
        width_ = (n + n_blocks_ - 1) / n_blocks_;
        n_blocks_ = (n + width_ - 1) / width_;
        axes_.resize(static_cast<std::size_t>(n * of_block));
        Generator chance(0, 0);
        for (double &cell : axes_) cell = static_cast<double>(chance.below(2001)) - 1000;
        orthogonalise();
        const std::int64_t seen = sample(examples.n_present);
        for (int step = 0; step < 2; ++step) improve(rows, examples, seen);
        measure_skew();
        return 4 * of_block * seen;
    }

    // The same for n rows and their coordinates, in passes over all rows.
    static double price(std::int64_t n) {
        return of_block * (1 + 4 * static_cast<double>(sample(n)) / static_cast<double>(n));
    }

    // V_g'x and ||x_g||^2 of each block, the bias in the last.
    template <class Rows>
    void project(const Rows &rows, std::int64_t i, std::vector<double> &products,
                 std::vector<double> &squares) const {
        std::fill(products.begin(), products.end(), 0.0);
        std::fill(squares.begin(), squares.end(), 0.0);
        rows.visit(i, [&](std::int64_t c, double x) {
            const std::int64_t g = c / width_;
            const double *axis = axes_.data() + c * of_block;
            double *product = products.data() + g * of_block;
            for (int k = 0; k < of_block; ++k) product[k] += axis[k] * x;
            squares[static_cast<std::size_t>(g)] += x * x;
        });
    }

  private:
    // How many of n rows are enough.
    static std::int64_t sample(std::int64_t n) {
        return std::min(n, std::clamp<std::int64_t>(n / 8, 16, 256));
    }

    template <class Rows>
    void improve(const Rows &rows, const Examples &examples, std::int64_t seen) {
        std::vector<double> next(axes_.size()), squares(static_cast<std::size_t>(n_blocks_)),
            products(static_cast<std::size_t>(n_blocks_ * of_block));
        for (std::int64_t s = 0; s < seen; ++s) {
            const std::int64_t i = examples.present_row(s * examples.n_present / seen);
            const double squared = rows.sqnorm(i);
            if (!(squared > Drift::least && squared < Drift::most)) continue;
            project(rows, i, products, squares);
            rows.visit(i, [&](std::int64_t c, double x) {
                double *axis = next.data() + c * of_block;
                const double *product = products.data() + c / width_ * of_block;
                for (int k = 0; k < of_block; ++k) axis[k] += x / squared * product[k];
            });
        }
        axes_.swap(next);
        orthogonalise();
    }

    // Gram and Schmidt's, twice over; what depends on those before becomes zero.
    void orthogonalise() {
        for_each_block([&](std::int64_t first, std::int64_t end) {
            for (int k = 0; k < of_block; ++k) {
                const double before = dot(first, end, k, k);
                for (int twice = 0; twice < 2; ++twice)
                    for (int j = 0; j < k; ++j) add(first, end, k, -dot(first, end, j, k), j);
                const double after = dot(first, end, k, k);
                const bool sound = after > 1e-26 * before && before > 1e-200 && before < 1e200;
                scale(first, end, k, sound ? 1 / std::sqrt(after) : 0);
            }
        });
    }

    void measure_skew() {
        double most = 0;
        for_each_block([&](std::int64_t first, std::int64_t end) {
            for (int k = 0; k < of_block; ++k) {
                const double squared = dot(first, end, k, k);
                if (squared != 0) most = std::max(most, std::fabs(squared - 1));
                for (int j = 0; j < k; ++j) most = std::max(most, std::fabs(dot(first, end, j, k)));
            }
        });
        skew_ = of_block * (most + 2 * Drift::gamma_of(width_));
    }

    template <class Do>
    void for_each_block(Do work) const {
        const auto n = static_cast<std::int64_t>(axes_.size()) / of_block;
        for (std::int64_t g = 0; g < n_blocks_; ++g)
            work(g * width_, std::min((g + 1) * width_, n));
    }

    double &cell(std::int64_t c, int k) {
        return axes_[static_cast<std::size_t>(c * of_block + k)];
    }
    double dot(std::int64_t first, std::int64_t end, int j, int k) {
        double sum = 0;
        for (std::int64_t c = first; c < end; ++c) sum += cell(c, j) * cell(c, k);
        return sum;
    }
    void add(std::int64_t first, std::int64_t end, int k, double factor, int j) {
        for (std::int64_t c = first; c < end; ++c) cell(c, k) += factor * cell(c, j);
    }
    void scale(std::int64_t first, std::int64_t end, int k, double factor) {
        for (std::int64_t c = first; c < end; ++c)
            cell(c, k) = factor == 0 ? 0 : cell(c, k) * factor;
    }

    std::int64_t n_blocks_ = 0, width_ = 1;
    double skew_ = 0;
    std::vector<double> axes_;  // column by column, its place along each direction of its block
};

}  // namespace hardlimit
