#pragma once
#include "rules/rule.hpp"

namespace hardlimit {

struct DynamicMargin {
    static constexpr bool equality_violates = true;
    static constexpr Needs needs{
        .sqnorm = true, .wsq = true, .changing_required = true, .steady = true};
    double epsilon;

    explicit DynamicMargin(const Parameters &parameters) : epsilon(parameters.at("epsilon")) {}
    double required(const Scalars &s) const {
        return s.step > 1 ? (1 - epsilon) * s.wsq / static_cast<double>(s.step - 1) : 0;
    }
    double tau(const Scalars &) const { return 1; }
};

}  // namespace hardlimit
