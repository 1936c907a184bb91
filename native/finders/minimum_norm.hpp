// Wolfe's algorithm: the point of the hull of the rows that lies nearest to the origin.
//
// Written as non-negative least squares (Lawson and Hanson): minimise
//   |sum p_i z_i|^2 + M^2 (sum p_i - 1)^2   over p >= 0,
// which the nearest point p* solves up to its scale, whatever M. The corral is the set of rows with
// a weight; its points (z_i, M) stay linearly independent, so that it never holds more than
// rank + 1 rows, and each step makes the distance smaller: finite.
#pragma once
#include <algorithm>

#include "finders/orthogonal.hpp"
#include "finders/search.hpp"

namespace hardlimit {

template <class Rows>
class MinimumNorm : public Search {
  public:
    explicit MinimumNorm(const Rows &rows)
        : z_(rows),
          w_(z_.blank()),
          lifted_(longest()),
          base_(target()),
          refused_(z_.scores.size()) {
        start();
    }

    void advance(std::int64_t work_limit) override {
        const auto size = static_cast<std::int64_t>(base_.size);
        while (work_limit > 0 && !done) {
            ++iterations;
            work_limit -= z_.non_zeros + 6 * size * size;
            step(work_limit);
        }
    }

    std::vector<double> weighting() const override {
        std::vector<double> all(z_.scores.size());
        for (std::size_t m = 0; m < corral_.size(); ++m)
            all[static_cast<std::size_t>(corral_[m])] = p_[m];
        return all;
    }

  private:
    double longest() const {
        double most = 0;
        for (std::int64_t i = 0; i < z_.rows.n_rows; ++i) most = std::max(most, z_.rows.sqnorm(i));
        return most > 0 ? std::sqrt(most) : 1.0;
    }

    std::vector<double> target() const {
        std::vector<double> b(static_cast<std::size_t>(z_.rows.n_columns) + 1);
        b.back() = lifted_;
        return b;
    }

    std::vector<double> point(std::int64_t i) const {
        std::vector<double> lifted(base_.size);
        z_.rows.visit(i,
                      [&](std::int64_t c, double x) { lifted[static_cast<std::size_t>(c)] = x; });
        lifted.back() = lifted_;
        return lifted;
    }

    // The shortest row.
    void start() {
        std::int64_t first = 0;
        for (std::int64_t i = 1; i < z_.rows.n_rows; ++i)
            if (z_.rows.sqnorm(i) < z_.rows.sqnorm(first)) first = i;
        enter(first);
        p_ = base_.nearest();
        settle();
    }

    bool enter(std::int64_t i) {
        if (!base_.add(point(i).data())) return false;
        corral_.push_back(i);
        p_.push_back(0.0);
        return true;
    }

    // A major cycle: the row that is furthest behind w joins; then weights that would fall below 0
    // leave, until none does.
    void step(std::int64_t &work_limit) {
        if (n_refused_ == 0) z_.look(w_);
        const std::int64_t j = candidate();
        done = j < 0 || n_refused_ > 64;
        if (done) return;
        if (!enter(j)) return refuse(j);
        std::vector<double> s = base_.nearest();
        if (!(s.back() > 0)) {
            leave(corral_.size() - 1);
            return refuse(j);
        }
        while (lowest(s) <= 0) {
            work_limit -= 3 * static_cast<std::int64_t>(base_.size * base_.size);
            shorten(s);
            s = base_.nearest();
        }
        p_ = std::move(s);
        std::fill(refused_.begin(), refused_.end(), false);
        n_refused_ = 0;
        if (++changes_ % 512 == 0 && base_.size <= 256) rebuild();  // else it would take seconds
        settle();
    }

    // Roundings alone had it join.
    void refuse(std::int64_t j) {
        refused_[static_cast<std::size_t>(j)] = true;
        ++n_refused_;
    }

    static double lowest(const std::vector<double> &s) {
        return *std::min_element(s.begin(), s.end());
    }

    // The row of the smallest score, of those that would bring the corral nearer; or -1.
    std::int64_t candidate() {
        const std::int64_t first = z_.lowest();
        measured(z_.score(first), norm(w_), w_);
        const double ww = product(w_, w_);
        const double required = (1 - 1e-9) * ww;
        std::int64_t best = -1;
        for (std::int64_t i = 0; i < z_.rows.n_rows; ++i)
            if (!refused_[static_cast<std::size_t>(i)] && z_.score(i) < required &&
                (best < 0 || z_.score(i) < z_.score(best)) &&
                std::find(corral_.begin(), corral_.end(), i) == corral_.end())
                best = i;
        return best;
    }

    // p moves towards s until a weight is 0; all that are 0 leave.
    void shorten(const std::vector<double> &s) {
        double share = 1;
        for (std::size_t m = 0; m < s.size(); ++m)
            if (s[m] <= 0) share = std::min(share, p_[m] / (p_[m] - s[m]));
        std::vector<std::size_t> leaving;
        for (std::size_t m = 0; m < s.size(); ++m) {
            const bool limits = s[m] <= 0 && p_[m] / (p_[m] - s[m]) <= share;
            p_[m] += share * (s[m] - p_[m]);
            if (limits || p_[m] <= 0) leaving.push_back(m);
        }
        for (std::size_t m = leaving.size(); m-- > 0;) leave(leaving[m]);
    }

    void leave(std::size_t place) {
        base_.remove(place);
        corral_.erase(corral_.begin() + static_cast<std::ptrdiff_t>(place));
        p_.erase(p_.begin() + static_cast<std::ptrdiff_t>(place));
    }

    // Roundings of many rotations are dropped.
    void rebuild() {
        base_.clear();
        std::vector<std::int64_t> before;
        before.swap(corral_);
        p_.clear();
        for (const std::int64_t i : before) enter(i);
        const std::vector<double> s = base_.nearest();
        for (std::size_t m = 0; m < s.size(); ++m) p_[m] = std::max(s[m], 0.0);
    }

    // w is what the corral leaves of the target, at the scale of the nearest point.
    void settle() {
        const std::vector<double> rest = base_.rest();
        const double sum = sum_of(p_);
        for (std::size_t c = 0; c + 1 < rest.size(); ++c) w_[c] = -rest[c] / sum;
        w_.back() = 0;
        length = norm(w_);
        done = base_.rank() == base_.size || length <= 1e-13 * lifted_;
    }

    SignedRows<Rows> z_;
    std::vector<double> w_;
    double lifted_;  // M
    Orthogonal base_;
    std::vector<char> refused_;
    std::vector<std::int64_t> corral_;
    std::vector<double> p_;
    std::int64_t changes_ = 0, n_refused_ = 0;
};

}  // namespace hardlimit
