#pragma once
#include <algorithm>
#include <limits>

#include "rules/rule.hpp"

namespace hardlimit {

struct AdaTron {
    static constexpr bool equality_violates = false;
    static constexpr Needs needs{.sqnorm = true, .example = true, .changing_required = true};
    double eta, C;

    explicit AdaTron(const Parameters &parameters)
        : eta(parameters.at("eta")), C(parameters.at("C")) {}

    double required(const Scalars &s) const {
        if (s.margin > 1 && s.alpha_i > 0) return 2 * s.margin - 1;
        return s.alpha_i < C * s.weight ? 1 : -std::numeric_limits<double>::infinity();
    }

    double tau(const Scalars &s) const {
        const double step = eta * (1 - s.margin) / s.sqnorm;
        return std::max(-s.alpha_i, std::min(C * s.weight - s.alpha_i, step));
    }
};

}  // namespace hardlimit
