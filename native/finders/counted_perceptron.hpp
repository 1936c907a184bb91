// Perceptrons that count how often each row was added, w = sum N_i z_i: rows come one after the
// other, w <- w + z_i where `adds` says so. Then gamma <= ||w|| / k at all times.
#pragma once
#include "finders/search.hpp"

namespace hardlimit {

// z.w <= 0: the perceptron itself, of unit rows. What roundings alone may have made positive is a
// mistake too.
struct Mistake {
    bool operator()(double score, double wsq, double) const {
        return score <= 0 || score * score <= 1e-26 * wsq;
    }
};

// z.w <= (1 - eps) |w|^2 / k: dynamic margin. A round without an addition proves
// min z.w / ||w|| > (1 - eps) ||w|| / k >= (1 - eps) gamma.
struct ShortOfDynamicMargin {
    double eps;
    bool operator()(double score, double wsq, double k) const {
        return score * k <= (1 - eps) * wsq;
    }
};

template <class Rows, class Adds>
class CountedPerceptron : public Search {
  public:
    CountedPerceptron(const Rows &rows, Adds adds)
        : z_(rows), adds_(adds), w_(z_.blank()), counts_(z_.scores.size()) {}

    void advance(std::int64_t work_limit) override {
        while (work_limit > 0 && !done) {
            const std::int64_t next = z_.next(at_);
            const double score = z_.rows.dot(at_, w_.data(), next);
            work_limit -= z_.rows.work(at_) + 4;
            if (k_ == 0 || adds_(score, wsq_, k_)) {
                add(score);
                quiet_ = 0;
                work_limit -= z_.rows.work(at_);
            } else {
                ++quiet_;
            }
            at_ = next;
            done = quiet_ == z_.rows.n_rows || wsq_ <= 0;
        }
        look();
    }

    std::vector<double> weighting() const override { return counts_; }

  private:
    void add(double score) {
        ++counts_[static_cast<std::size_t>(at_)];
        ++k_;
        ++iterations;
        z_.rows.add_scaled(at_, 1.0, w_.data(), 1);
        wsq_ += 2 * score + z_.rows.sqnorm(at_);
        if (iterations % 4096 == 0 || wsq_ <= 0) {
            z_.combine(counts_, w_);
            wsq_ = product(w_, w_);
        }
    }

    void look() {
        const std::int64_t j = z_.look(w_);
        wsq_ = product(w_, w_);
        length = std::sqrt(wsq_) / k_;
        measured(z_.score(j), std::sqrt(wsq_), w_);
    }

    SignedRows<Rows> z_;
    Adds adds_;
    std::vector<double> w_, counts_;
    double wsq_ = 0, k_ = 0;
    std::int64_t at_ = 0, quiet_ = 0;
};

}  // namespace hardlimit
