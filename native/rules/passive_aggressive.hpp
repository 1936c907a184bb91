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
    double tau(const Scalars &s) const { return std::min(C * s.weight, (1 - s.margin) / s.sqnorm); }
};

}  // namespace hardlimit
