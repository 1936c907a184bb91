#pragma once
#include <limits>

#include "guards/guard.hpp"

namespace hardlimit {

// An example that was corrected so often is left alone.
class AlphaBound final : public Guard {
  public:
    explicit AlphaBound(const Parameters &parameters) : alpha_(parameters.at("alpha")) {}
    double required(double of_rule, const Scalars &s) const override {
        if (static_cast<double>(s.n_i) < alpha_) return of_rule;
        return -std::numeric_limits<double>::infinity();
    }
    bool by_example() const override { return true; }

  private:
    double alpha_;
};

}  // namespace hardlimit
