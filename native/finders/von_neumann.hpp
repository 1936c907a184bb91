// von Neumann's algorithm: a point u = sum p_i z_i of the hull of unit rows moves to the point of
// the segment towards the furthest row that lies nearest to the origin.
#pragma once
#include "finders/search.hpp"

namespace hardlimit {

template <class Rows>
class VonNeumann : public Search {
  public:
    explicit VonNeumann(const Rows &rows)
        : z_(rows), u_(z_.blank()), p_(z_.scores.size(), 1.0 / static_cast<double>(rows.n_rows)) {
        z_.combine(p_, u_);
    }

    void advance(std::int64_t work_limit) override {
        while (work_limit > 0 && !done) {
            work_limit -= z_.non_zeros;
            step();
        }
    }

    std::vector<double> weighting() const override {
        std::vector<double> p = p_;
        for (double &share : p) share *= scale_;
        return p;
    }

  private:
    void step() {
        if (iterations % 4096 == 4095) refresh();
        const std::int64_t j = z_.look(u_);
        const double least = z_.score(j), uu = product(u_, u_);
        length = std::sqrt(uu);
        measured(least, length, u_);
        // (u - z).u and |u - z|^2; at the nearest point the first is 0.
        const double fall = uu - least, apart = uu - 2 * least + z_.rows.sqnorm(j);
        const double share = apart > 0 ? std::min(1.0, std::max(0.0, fall / apart)) : 0.0;
        done = uu == 0 || share == 0;
        if (done) return;
        move(j, share);
        ++iterations;
    }

    void move(std::int64_t j, double share) {
        for (double &value : u_) value *= 1 - share;
        z_.rows.add_scaled(j, share, u_.data(), 1);
        if (share == 1 || scale_ * (1 - share) < 1e-100) {
            fold();
            for (double &value : p_) value *= 1 - share;
            p_[static_cast<std::size_t>(j)] += share;
            return;
        }
        scale_ *= 1 - share;
        p_[static_cast<std::size_t>(j)] += share / scale_;
    }

    void fold() {
        for (double &value : p_) value *= scale_;
        scale_ = 1;
    }

    // So that roundings of u do not add up.
    void refresh() {
        fold();
        const double sum = sum_of(p_);
        for (double &value : p_) value /= sum;
        z_.combine(p_, u_);
    }

    SignedRows<Rows> z_;
    std::vector<double> u_, p_;  // p = scale p_
    double scale_ = 1;
};

}  // namespace hardlimit
