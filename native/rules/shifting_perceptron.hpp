#pragma once
#include "rules/rule.hpp"

namespace hardlimit {

struct ShiftingPerceptron {
    static constexpr bool equality_violates = true;
    static constexpr Needs needs{.shrinks = true};
    double lam;

    explicit ShiftingPerceptron(const Parameters &parameters) : lam(parameters.at("lam")) {}
    double required(const Scalars &) const { return 0; }
    Change tau(const Scalars &s) const {
        const auto corrections = static_cast<double>(s.step - 1);
        return {.tau = s.weight, .shrink = corrections / (lam + corrections)};
    }
};

}  // namespace hardlimit
