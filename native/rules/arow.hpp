#pragma once
#include "rules/rule.hpp"

namespace hardlimit {

struct AROW {
    static constexpr bool equality_violates = false;
    Needs needs{.sqnorm = true, .kind = Kind::covariance};
    double r;

    explicit AROW(const Parameters &parameters) : r(parameters.at("r")) {
        needs.full = parameters.at("covariance") != 0;
    }
    double required(const Scalars &) const { return 1; }
    Change tau(const Scalars &s) const {
        const double beta = 1 / (s.variance + r / s.weight);
        return {(1 - s.margin) * beta, 1, beta};
    }
};

}  // namespace hardlimit
