#pragma once
#include "rules/rule.hpp"

namespace hardlimit {

struct Relaxation {
    static constexpr bool equality_violates = true;
    static constexpr Needs needs{.sqnorm = true};
    double eta, b;

    explicit Relaxation(const Parameters &parameters)
        : eta(parameters.at("eta")), b(parameters.at("b")) {}
    double required(const Scalars &) const { return b; }
    double tau(const Scalars &s) const { return eta * (b - s.margin) / s.sqnorm; }
};

}  // namespace hardlimit
