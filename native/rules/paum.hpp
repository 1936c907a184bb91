#pragma once
#include "rules/rule.hpp"

namespace hardlimit {

struct PAUM {
    static constexpr bool equality_violates = true;
    static constexpr Needs needs{.changing_required = true, .by_target = true};
    double tau_plus, tau_minus;

    explicit PAUM(const Parameters &parameters)
        : tau_plus(parameters.at("tau_plus")), tau_minus(parameters.at("tau_minus")) {}
    double required(const Scalars &s) const { return s.y > 0 ? tau_plus : tau_minus; }
    double tau(const Scalars &s) const { return s.weight; }
};

}  // namespace hardlimit
