#pragma once
#include <algorithm>

#include "rules/rule.hpp"

namespace hardlimit {

struct PassiveAggressive {
    static constexpr bool equality_violates = false;
    static constexpr Needs needs{.sqnorm = true};
    double C;

    explicit PassiveAggressive(const Parameters &parameters) : C(parameters.at("C")) {}
    double required(const Scalars &) const { return 1; }
    double tau(const Scalars &s) const {
        return std::min(C * s.weight, weighted_loss(s) / s.sqnorm);
    }

    // What the correction makes up for: a heavy example aims at the margin `weight`, a light one
    // goes the fraction `weight` of the way to 1.
    static double weighted_loss(const Scalars &s) {
        return s.weight >= 1 ? s.weight - s.margin : s.weight * (1 - s.margin);
    }
};

}  // namespace hardlimit
