#pragma once
#include <algorithm>

#include "rules/confidence.hpp"

namespace hardlimit {

struct SCW1 : Confidence {
    using Confidence::Confidence;
    Change tau(const Scalars &s) const {
        const double square = phi * phi;
        const double psi = 1 + square / 2, xi = 1 + square;
        const double root =
            std::sqrt(s.margin * s.margin * square * square / 4 + s.variance * square * xi);
        const double hard = std::max(0.0, (root - s.margin * psi) / (s.variance * xi));
        return with_beta(std::min(C * s.weight, hard), s.variance);
    }
};

}  // namespace hardlimit
