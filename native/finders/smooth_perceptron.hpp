// The smooth perceptron of Soheili and Pena: the smallest margin gives way to a smooth minimum over
// the simplex, whose smoothing mu is let go while y is moved with Nesterov's momentum.
#pragma once
#include <algorithm>

#include "finders/search.hpp"
#include "numeric/exponential.hpp"

namespace hardlimit {

// argmin over the simplex of p.s + mu sum p_i ln p_i: softmax(-s / mu).
struct Entropy {
    static constexpr double first_mu = 1;

    static void minimise(const std::vector<double> &s, double mu, std::vector<double> &p) {
        const double least = *std::min_element(s.begin(), s.end());
        double sum = 0;
        for (std::size_t i = 0; i < s.size(); ++i) sum += p[i] = exponential((least - s[i]) / mu);
        for (double &share : p) share /= sum;
    }
};

// argmin over the simplex of p.s + mu/2 |p - 1/n|^2: the projection of 1/n - s / mu.
// Michelot (1986): cut off what falls below 0, until nothing does.
struct Euclidean {
    static constexpr double first_mu = 2;

    static void minimise(const std::vector<double> &s, double mu, std::vector<double> &p) {
        const double even = 1 / static_cast<double>(s.size());
        const double least = *std::min_element(s.begin(), s.end());
        for (std::size_t i = 0; i < s.size(); ++i) p[i] = even - (s[i] - least) / mu;
        double sum = sum_of(p), threshold = (sum - 1) * even;
        for (std::size_t left = s.size();;) {
            std::size_t staying = 0;
            sum = 0;
            for (const double value : p)
                if (value > threshold) sum += value, ++staying;
            if (staying == left || staying == 0) break;
            left = staying;
            threshold = (sum - 1) / static_cast<double>(staying);
        }
        for (double &value : p) value = std::max(0.0, value - threshold);
    }
};

template <class Rows, class Smoothing>
class SmoothPerceptron : public Search {
  public:
    explicit SmoothPerceptron(const Rows &rows)
        : z_(rows),
          y_(z_.blank()),
          sum_(z_.blank()),
          corner_(z_.blank()),
          p_(z_.scores.size(), 1.0 / static_cast<double>(rows.n_rows)),
          x_(p_.size()) {
        z_.combine(p_, y_);
    }

    void advance(std::int64_t work_limit) override {
        while (work_limit > 0 && !done) {
            work_limit -= 2 * z_.non_zeros + 8 * z_.rows.n_rows;
            step();
        }
    }

    std::vector<double> weighting() const override { return x_; }

  private:
    // Invariants here: p = smin_mu(y), x the mean of all p so far, sum = Z'x.
    void step() {
        if (started_) move();
        const std::int64_t j = z_.look(y_);
        measured(z_.score(j), norm(y_), y_);
        Smoothing::minimise(z_.scores, mu_, p_);
        z_.combine(p_, corner_);
        const double share = started_ ? share_of(iterations - 1) : 1.0;
        for (std::size_t i = 0; i < x_.size(); ++i) x_[i] += share * (p_[i] - x_[i]);
        for (std::size_t c = 0; c < sum_.size(); ++c) sum_[c] += share * (corner_[c] - sum_[c]);
        started_ = true;
        length = norm(sum_);
        done = length == 0 || mu_ < 1e-250;
    }

    static double share_of(std::int64_t k) { return 2.0 / static_cast<double>(k + 3); }

    void move() {
        if (iterations % 4096 == 4095) z_.combine(x_, sum_);
        const double share = share_of(iterations++);
        for (std::size_t c = 0; c < y_.size(); ++c)
            y_[c] = (1 - share) * (y_[c] + share * sum_[c]) + share * share * corner_[c];
        mu_ *= 1 - share;
    }

    SignedRows<Rows> z_;
    std::vector<double> y_, sum_, corner_, p_, x_;
    double mu_ = Smoothing::first_mu;
    bool started_ = false;
};

}  // namespace hardlimit
