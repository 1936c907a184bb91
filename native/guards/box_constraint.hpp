#pragma once
#include <limits>

#include "guards/guard.hpp"

namespace hardlimit {

// An example whose steps add up to C is left alone.
class BoxConstraint final : public Guard {
  public:
    explicit BoxConstraint(const Parameters &parameters) : bound_(parameters.at("C")) {}
    double required(double of_rule, const Scalars &s) const override {
        return s.alpha_i < bound_ ? of_rule : -std::numeric_limits<double>::infinity();
    }
    bool by_example() const override { return true; }

  private:
    double bound_;
};

}  // namespace hardlimit
