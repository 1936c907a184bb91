#pragma once
#include "rules/rule.hpp"

namespace hardlimit {

struct BalancedWinnow {
    static constexpr bool equality_violates = true;
    static constexpr Needs needs{.linked = true};
    double eta;  // ln(alpha)

    explicit BalancedWinnow(const Parameters &parameters) : eta(parameters.at("eta")) {}
    double required(const Scalars &) const { return 0; }
    double tau(const Scalars &s) const { return eta * s.weight; }
};

}  // namespace hardlimit
