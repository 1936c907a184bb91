#pragma once
#include "guards/guard.hpp"

namespace hardlimit {

// The example's own margin grows by lam * alpha_i, as if it had a coordinate of its own of squared
// length lam.
class LambdaTrick final : public Guard {
  public:
    explicit LambdaTrick(const Parameters &parameters) : lam_(parameters.at("lam")) {}
    double required(double of_rule, const Scalars &s) const override {
        return of_rule - lam_ * s.alpha_i;
    }
    Scalars extend(const Scalars &s) const override {
        Scalars extended = s;
        extended.margin += lam_ * s.alpha_i;
        extended.sqnorm += lam_;
        return extended;
    }
    bool by_example() const override { return true; }

  private:
    double lam_;
};

}  // namespace hardlimit
