// A growing and shrinking matrix A of columns, as A = Q' R with Q orthogonal: least squares by
// rotations, without the squared condition of the normal equations.
//
// Q is (size, size), a base vector a row; the first `rank` span the columns that A holds. Adding or
// removing a column costs O(size^2).
#pragma once
#include <cmath>
#include <cstdint>
#include <vector>

#include "rows/inner_loops.hpp"

namespace hardlimit {

class Orthogonal {
  public:
    // target: the vector that combinations of columns shall come close to.
    explicit Orthogonal(std::vector<double> target) : size(target.size()), target_(target) {
        clear();
    }

    std::size_t size;
    std::size_t rank() const { return columns_.size(); }

    void clear() {
        q_.assign(size * size, 0.0);
        for (std::size_t i = 0; i < size; ++i) q_[i * size + i] = 1.0;
        seen_ = target_;
        columns_.clear();
    }

    // Adds a column; false where it lies, up to roundings, in the span of those already there.
    bool add(const double *column) {
        if (rank() == size) return false;
        std::vector<double> turned(size);
        double all = 0, beyond = 0;
        for (std::size_t i = 0; i < size; ++i) {
            turned[i] = dot(row(i), column);
            all += turned[i] * turned[i];
            if (i >= rank()) beyond += turned[i] * turned[i];
        }
        if (!(beyond > 1e-26 * all)) return false;
        reflect(turned, std::sqrt(beyond));
        turned.resize(rank() + 1);
        columns_.push_back(std::move(turned));
        return true;
    }

    // Takes the column at this place away; those behind it move up.
    void remove(std::size_t place) {
        columns_.erase(columns_.begin() + static_cast<std::ptrdiff_t>(place));
        for (std::size_t i = place; i < rank(); ++i) {
            const double a = columns_[i][i], b = columns_[i][i + 1], length = std::hypot(a, b);
            rotate(i, a / length, b / length);
        }
        for (std::size_t i = place; i < rank(); ++i) columns_[i].resize(i + 1);
    }

    // The coefficients of the columns whose combination lies nearest to the target.
    std::vector<double> nearest() const {
        std::vector<double> s(seen_.begin(), seen_.begin() + static_cast<std::ptrdiff_t>(rank()));
        for (std::size_t i = rank(); i-- > 0;) {
            s[i] /= columns_[i][i];
            for (std::size_t j = 0; j < i; ++j) s[j] -= columns_[i][j] * s[i];
        }
        return s;
    }

    // What the nearest combination leaves of the target.
    std::vector<double> rest() const {
        std::vector<double> found(size);
        for (std::size_t i = rank(); i < size; ++i)
            dense_add_scaled(row(i), seen_[i], found.data(), static_cast<std::int64_t>(size));
        return found;
    }

  private:
    const double *row(std::size_t i) const { return q_.data() + i * size; }
    double *row(std::size_t i) { return q_.data() + i * size; }
    double dot(const double *a, const double *b) const {
        return dense_dot(a, b, static_cast<std::int64_t>(size), a);
    }

    // Householder's reflection that leaves of turned[rank..] only its first place.
    void reflect(std::vector<double> &turned, double length) {
        const std::size_t k = rank();
        const double first = turned[k], wanted = first > 0 ? -length : length;
        std::vector<double> v(turned.begin() + static_cast<std::ptrdiff_t>(k), turned.end());
        v[0] -= wanted;
        double vv = 0;
        for (const double value : v) vv += value * value;
        if (vv > 0) {
            std::vector<double> sum(size);
            double of_target = 0;
            for (std::size_t i = 0; i < v.size(); ++i) {
                dense_add_scaled(row(k + i), v[i], sum.data(), static_cast<std::int64_t>(size));
                of_target += v[i] * seen_[k + i];
            }
            for (std::size_t i = 0; i < v.size(); ++i) {
                const double share = -2 * v[i] / vv;
                dense_add_scaled(sum.data(), share, row(k + i), static_cast<std::int64_t>(size));
                seen_[k + i] += share * of_target;
            }
        }
        turned[k] = wanted;
    }

    // Givens' rotation of rows i and i + 1.
    void rotate(std::size_t i, double c, double s) {
        const auto turn = [c, s](double &a, double &b) {
            const double before = a;
            a = c * before + s * b;
            b = c * b - s * before;
        };
        for (std::size_t j = i; j < rank(); ++j) turn(columns_[j][i], columns_[j][i + 1]);
        double *upper = row(i), *lower = row(i + 1);
        for (std::size_t c_ = 0; c_ < size; ++c_) turn(upper[c_], lower[c_]);
        turn(seen_[i], seen_[i + 1]);
    }

    std::vector<double> target_, q_, seen_;     // seen = Q target
    std::vector<std::vector<double>> columns_;  // of R; column j has places 0 .. j
};

}  // namespace hardlimit
