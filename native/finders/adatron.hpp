// The AdaTron on signed rows: coordinate ascent on the dual of the hard margin,
//   alpha_i <- max(0, alpha_i + (1 - z_i.w) / |z_i|^2),   w = sum alpha_i z_i,
// over a working set: rows that have no weight and are well beyond the margin rest, until a look at
// all rows, made when the working set is done with, calls back those that fall short.
//
// Where nothing separates alpha grows without end while w stays bounded, so that what alpha grew by
// since the last look adds up to less and less: the multipliers that are shown then.
#pragma once
#include <algorithm>
#include <numeric>

#include "finders/search.hpp"
#include "numeric/generator.hpp"

namespace hardlimit {

template <class Rows>
class AdaTron : public Search {
  public:
    AdaTron(const Rows &rows, std::uint64_t seed)
        : z_(rows), w_(z_.blank()), alpha_(z_.scores.size()), seed_(seed) {
        for (std::int64_t i = 0; i < rows.n_rows; ++i) norms_.push_back(rows.sqnorm(i));
        order_.resize(alpha_.size());
        std::iota(order_.begin(), order_.end(), std::int64_t{0});
        working_ = order_;
    }

    void advance(std::int64_t work_limit) override {
        while (work_limit > 0 && !done) {
            work_limit -= sweep();
            ++iterations;
            if (settled_ || iterations % 32 == 0) {
                work_limit -= z_.non_zeros;
                look();
            }
        }
    }

    std::vector<double> weighting() const override { return shown_; }

  private:
    // One pass over the working set; what it cost.
    std::int64_t sweep() {
        double most = 0;  // the largest shortfall of a margin, or surplus of one that has weight
        std::int64_t cost = 0;
        std::size_t kept = 0;
        for (std::size_t at = 0; at < working_.size(); ++at) {
            const std::int64_t i = working_[at],
                               coming = working_[std::min(at + 1, working_.size() - 1)];
            const double short_of = 1 - z_.rows.dot(i, w_.data(), coming);
            double &alpha = alpha_[static_cast<std::size_t>(i)];
            cost += z_.rows.work(i) + 4;
            if (alpha == 0 && short_of < -slack_) continue;  // it rests
            working_[kept++] = i;
            const double next =
                std::max(0.0, alpha + short_of / norms_[static_cast<std::size_t>(i)]);
            if (alpha > 0 || short_of > 0) most = std::max(most, std::abs(short_of));
            if (next == alpha) continue;
            z_.rows.add_scaled(i, next - alpha, w_.data(), 1);
            cost += z_.rows.work(i);
            alpha = next;
        }
        working_.resize(kept);
        slack_ = std::max(1e-3, most);
        settled_ = working_.empty() || most < tolerance_;
        return cost + 16;
    }

    void look() {
        z_.combine(alpha_, w_);
        const std::int64_t j = z_.look(w_);
        const double norm_of_w = norm(w_);
        show(alpha_, norm_of_w);
        measured(z_.score(j), norm_of_w, w_);
        if (smallest <= 0) look_at_growth();
        done = norm_of_w == 0 || (settled_ && tolerance_ < 1e-9);
        if (settled_ && z_.score(j) > 1 - 2 * tolerance_) tolerance_ /= 10;
        // A new order now and then: in the same order all the time w comes to a fixed point,
        // without which alpha would not grow by the same amounts again and again.
        if (iterations < 256 || iterations >= 2 * shuffled_at_) {
            Generator(seed_, static_cast<std::uint64_t>(iterations)).shuffle(order_);
            shuffled_at_ = iterations;
        }
        working_ = order_;
    }

    void show(const std::vector<double> &multipliers, double norm_of_sum) {
        const double sum = sum_of(multipliers);
        if (!(sum > 0) || norm_of_sum / sum >= length) return;
        length = norm_of_sum / sum;
        shown_ = multipliers;
    }

    void look_at_growth() {
        if (!earlier_.empty()) {
            std::vector<double> growth(alpha_.size()), sum = z_.blank();
            for (std::size_t i = 0; i < alpha_.size(); ++i)
                growth[i] = std::max(0.0, alpha_[i] - earlier_[i]);
            z_.combine(growth, sum);
            show(growth, norm(sum));
        }
        earlier_ = alpha_;
    }

    SignedRows<Rows> z_;
    std::vector<double> w_, alpha_, norms_, shown_, earlier_;
    std::vector<std::int64_t> order_, working_;
    std::int64_t shuffled_at_ = 0;
    std::uint64_t seed_;
    double slack_ = std::numeric_limits<double>::infinity(), tolerance_ = 0.1;
    bool settled_ = false;
};

}  // namespace hardlimit
