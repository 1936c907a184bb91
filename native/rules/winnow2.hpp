#pragma once
#include "rules/rule.hpp"

namespace hardlimit {

struct Winnow2 {
    static constexpr bool equality_violates = true;
    static constexpr Needs needs{.kind = Kind::multiplicative};
    double alpha;

    explicit Winnow2(const Parameters &parameters) : alpha(parameters.at("alpha")) {}
    double required(const Scalars &) const { return 0; }
    double tau(const Scalars &s) const { return s.y > 0 ? alpha : 1 / alpha; }
};

}  // namespace hardlimit
