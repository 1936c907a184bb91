#pragma once
#include "rules/passive_aggressive.hpp"

namespace hardlimit {

struct PassiveAggressive2 {
    static constexpr bool equality_violates = false;
    static constexpr Needs needs{.sqnorm = true};
    double C;

    explicit PassiveAggressive2(const Parameters &parameters) : C(parameters.at("C")) {}
    double required(const Scalars &) const { return 1; }
    double tau(const Scalars &s) const {
        return PassiveAggressive::weighted_loss(s) / (s.sqnorm + 1 / (2 * C));
    }
};

}  // namespace hardlimit
