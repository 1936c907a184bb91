// Finer bounds: the rows' coordinates along a few directions in each block of neighbouring columns.
//
// In a block g with nearly orthonormal directions V_g, a row z = length * (V_g p_g + r_g) and the
// drift delta = V_g a_g + e_g give
//   z.delta >= length * sum_g (p_g.a_g - ||r_g|| ||e_g||)
// p and ||r|| are floats, eight a block; a is added up with the corrections, and ||e_g||^2 =
// ||delta_g||^2 - ||a_g||^2 is computed at each of them. The directions are nearly the first
// singular vectors of some rows: any others would do, only less well. Splitting columns and lengths
// into blocks makes the coordinates cheap, and the inequality of Cauchy and Schwarz sharper.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "skipping/directions.hpp"
#include "skipping/drift.hpp"
#include "state/state.hpp"

namespace hardlimit {

class Blocks {
  public:
    static constexpr int of_block = Directions::of_block + 1;  // numbers of a row

    bool has_records() const { return !records_.empty(); }
    std::int64_t numbers() const { return directions_.n_blocks() * of_block; }  // of a row

    // The number of products that this took, of a row and a direction.
    template <class Rows>
    std::int64_t find(const Rows &rows, const Examples &examples) {
        const std::int64_t products = directions_.find(rows, examples);
        const auto n_blocks = static_cast<std::size_t>(directions_.n_blocks());
        exactness_ = 8 * Drift::gamma_of(rows.n_columns + 16) + directions_.skew();
        records_.resize(static_cast<std::size_t>(rows.n_rows * numbers()));
        query_.resize(n_blocks * of_block);
        along_.resize(n_blocks * Directions::of_block);
        products_.resize(along_.size());
        squares_.resize(n_blocks);
        return products;
    }

    // Row i, of at most this length, and with this sign.
    template <class Rows>
    void record(const Rows &rows, std::int64_t i, double sign, double length) {
        directions_.project(rows, i, products_, squares_);
        float *cell = records_.data() + i * numbers();
        const double *product = products_.data();
        for (const double square : squares_) {
            double squared = 0, lost = exactness_;
            for (int k = 0; k < Directions::of_block; ++k, ++product, ++cell) {
                const double exact = sign * *product / length;
                *cell = static_cast<float>(exact);
                squared += exact * exact;
                lost += std::fabs(exact - static_cast<double>(*cell));
            }
            const double rest = square / length / length - squared;
            *cell++ = float_above(std::sqrt(std::max(0.0, rest) + exactness_) + 2 * lost);
        }
    }

    void begin(const State &state, const Drift &drift) {
        anchor_.assign(state.w.data(), state.w.data() + state.w.size());
        std::fill(along_.begin(), along_.end(), 0.0);
        std::fill(query_.begin(), query_.end(), 0.0f);
        lost_ = 0;
        slack_ = float_above(2 * drift.slack() + Drift::least);
    }

    // Row i was corrected: w <- w + tau z.
    void note_correction(const State &state, std::int64_t i, double length, double tau,
                         const Drift &drift) {
        const double by = tau * length;
        const double along = add(i, by);
        lost_ = (lost_ + 8 * Drift::unit * (along + std::fabs(by))) * (1 + 4 * Drift::unit);
        // What the coordinates of delta may be wrong by, and what the bound.
        const double wrong = 1.01 * (single * drift.path() + drift.slack()) + lost_ + Drift::least;
        const double beside = look(state, wrong);
        const double terms = static_cast<double>(directions_.n_blocks() + 16);
        slack_ = drift.sound() ? float_above(2 * drift.slack() + 1.01 * wrong +
                                             (3 * directions_.skew() + 2 * single) * along +
                                             2 * single * terms * (along + beside) + Drift::least)
                               : float_above(Drift::unknown);
    }

    // A row whose bound at the anchor was `far`.
    bool is_asleep(std::int64_t i, float far) const {
        const float *record = records_.data() + i * numbers();
        const auto n = query_.size();
        float sums[of_block] = {};
        for (std::size_t g = 0; g < n; g += of_block)
            for (std::size_t k = 0; k < of_block; ++k) sums[k] += record[g + k] * query_[g + k];
        const float found = ((sums[0] + sums[1]) + (sums[2] + sums[3])) +
                            ((sums[4] + sums[5]) + (sums[6] + sums[7]));
        return far + found > slack_;
    }

  private:
    static constexpr double single = 0x1.1p-24;  // rounding to a float

    double add(std::int64_t i, double by) {
        const float *cell = records_.data() + i * numbers();
        double squared = 0;
        for (std::size_t a = 0, q = 0; a < along_.size(); ++q) {
            for (int k = 0; k < Directions::of_block; ++k, ++a, ++q) {
                along_[a] += by * static_cast<double>(cell[q]);
                query_[q] = static_cast<float>(along_[a]);
                squared += along_[a] * along_[a];
            }
        }
        return std::sqrt(squared) * (1 + Drift::gamma_of(numbers())) + Drift::least;
    }

    // The lengths of delta beside the directions, of each block and together.
    double look(const State &state, double wrong) {
        const auto n = static_cast<std::int64_t>(anchor_.size());
        const std::int64_t width = directions_.width();
        const double more = 1 + 4 * Drift::gamma_of(width);
        double all = 0;
        for (std::int64_t g = 0; g < directions_.n_blocks(); ++g) {
            const std::int64_t first = g * width;
            const double moved = squared_distance(state.w.data() + first, anchor_.data() + first,
                                                  std::min(width, n - first));
            double along = 0;
            const double *a = along_.data() + g * Directions::of_block;
            for (int k = 0; k < Directions::of_block; ++k) along += a[k] * a[k];
            const double rest = moved * more - along + along * (directions_.skew() + more - 1) +
                                2 * std::sqrt(along) * wrong;
            const double beside = std::sqrt(std::max(0.0, rest)) * more + 2 * wrong;
            query_[static_cast<std::size_t>(g * of_block + of_block - 1)] = -float_above(beside);
            all += beside * beside;
        }
        return std::sqrt(all);
    }

    Directions directions_;
    double exactness_ = 0;        // of coordinates, of a row of length 1
    std::vector<float> records_;  // of each row, block by block: p_g and ||r_g||
    std::vector<double> anchor_;  // c
    std::vector<double> along_;   // a
    std::vector<float> query_;    // block by block: a_g and -||e_g||
    double lost_ = 0;             // a bound of the roundings in a
    float slack_ = 0;
    std::vector<double> products_, squares_;  // of one row
};

}  // namespace hardlimit
