#pragma once
#include "rules/rule.hpp"

namespace hardlimit {

struct Perceptron {
    static constexpr bool equality_violates = true;
    static constexpr Needs needs{};

    explicit Perceptron(const Parameters &) {}
    double required(const Scalars &) const { return 0; }
    double tau(const Scalars &s) const { return s.weight; }
};

}  // namespace hardlimit
