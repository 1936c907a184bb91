#pragma once
#include "rules/rule.hpp"

namespace hardlimit {

struct SecondOrderPerceptron {
    static constexpr bool equality_violates = true;
    Needs needs{.sqnorm = true, .kind = Kind::covariance, .apart = true};

    explicit SecondOrderPerceptron(const Parameters &parameters) {
        needs.full = parameters.at("covariance") != 0;
        needs.start = 1 / parameters.at("a");
    }
    double required(const Scalars &) const { return 0; }
    Change tau(const Scalars &s) const {
        const double beta = s.weight / (1 + s.weight * s.variance);
        return {(1 - s.margin) * beta, 1, beta};
    }
};

}  // namespace hardlimit
