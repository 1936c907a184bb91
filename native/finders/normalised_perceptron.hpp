// The perceptron that is always given the row of the smallest margin: w <- w + z_j, of unit rows.
#pragma once
#include "finders/search.hpp"

namespace hardlimit {

template <class Rows>
class NormalisedPerceptron : public Search {
  public:
    explicit NormalisedPerceptron(const Rows &rows)
        : z_(rows), w_(z_.blank()), counts_(z_.scores.size()) {}

    void advance(std::int64_t work_limit) override {
        while (work_limit > 0 && !done) {
            work_limit -= z_.non_zeros;
            step();
        }
    }

    std::vector<double> weighting() const override { return counts_; }

  private:
    void step() {
        if (iterations % 4096 == 4095) z_.combine(counts_, w_);
        const std::int64_t j = z_.look(w_);
        const double length_of_w = norm(w_);
        if (iterations > 0) {
            length = length_of_w / static_cast<double>(iterations);
            measured(z_.score(j), length_of_w, w_);
            done = length == 0;
            if (done) return;
        }
        ++iterations;
        ++counts_[static_cast<std::size_t>(j)];
        z_.rows.add_scaled(j, 1.0, w_.data(), 1);
    }

    SignedRows<Rows> z_;
    std::vector<double> w_, counts_;
};

}  // namespace hardlimit
