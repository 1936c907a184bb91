#pragma once
#include "guards/guard.hpp"

namespace hardlimit {

// A required margin b, for rules that require 0.
class MarginGuard final : public Guard {
  public:
    explicit MarginGuard(const Parameters &parameters) : b_(parameters.at("b")) {}
    double required(double of_rule, const Scalars &) const override { return of_rule + b_; }

  private:
    double b_;
};

}  // namespace hardlimit
