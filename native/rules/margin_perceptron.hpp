#pragma once
#include "rules/rule.hpp"

namespace hardlimit {

struct MarginPerceptron {
    static constexpr bool equality_violates = true;
    static constexpr Needs needs{};
    double b;

    explicit MarginPerceptron(const Parameters &parameters) : b(parameters.at("b")) {}
    double required(const Scalars &) const { return b; }
    double tau(const Scalars &s) const { return s.weight; }
};

}  // namespace hardlimit
