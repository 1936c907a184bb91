// What both soft confidence-weighted rules share: the required margin, and the beta that belongs to
// a tau.
#pragma once
#include <cmath>

#include "rules/rule.hpp"

namespace hardlimit {

struct Confidence {
    static constexpr bool equality_violates = false;
    Needs needs{
        .sqnorm = true, .changing_required = true, .kind = Kind::covariance, .variance = true};
    double C, phi;

    explicit Confidence(const Parameters &parameters)
        : C(parameters.at("C")), phi(parameters.at("phi")) {
        needs.full = parameters.at("covariance") != 0;
    }
    double required(const Scalars &s) const { return phi * std::sqrt(s.variance); }

  protected:
    Change with_beta(double tau, double variance) const {
        const double moved = tau * variance * phi;
        const double deviation = (std::sqrt(moved * moved + 4 * variance) - moved) / 2;
        return {tau, 1, tau * phi / (deviation + moved)};
    }
};

}  // namespace hardlimit
