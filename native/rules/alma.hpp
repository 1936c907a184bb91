#pragma once
#include <cmath>

#include "rules/rule.hpp"

namespace hardlimit {

struct ALMA {
    static constexpr bool equality_violates = true;
    static constexpr Needs needs{
        .sqnorm = true, .wsq = true, .changing_required = true, .shrinks = true};
    double alpha, B, C;

    explicit ALMA(const Parameters &parameters)
        : alpha(parameters.at("alpha")), B(parameters.at("B")), C(parameters.at("C")) {}
    double required(const Scalars &s) const {
        return (1 - alpha) * B * std::sqrt(s.sqnorm) / std::sqrt(static_cast<double>(s.step));
    }
    Change tau(const Scalars &s) const {
        const double tau = C / (std::sqrt(s.sqnorm) * std::sqrt(static_cast<double>(s.step)));
        const double length = s.wsq + 2 * tau * s.margin + tau * tau * s.sqnorm;
        const double shrink = length > 1 ? 1 / std::sqrt(length) : 1;
        return {.tau = shrink * tau, .shrink = shrink};
    }
};

}  // namespace hardlimit
