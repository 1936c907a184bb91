#pragma once
#include <algorithm>

#include "rules/confidence.hpp"

namespace hardlimit {

struct SCW2 : Confidence {
    using Confidence::Confidence;
    Change tau(const Scalars &s) const {
        const double m = s.margin, v = s.variance, square = phi * phi;
        const double n = v + 1 / (2 * C * s.weight);
        const double root = phi * std::sqrt(square * m * m * v * v + 4 * n * v * (n + v * square));
        const double tau = (root - (2 * m * n + square * m * v)) / (2 * (n * n + n * v * square));
        return with_beta(std::max(0.0, tau), v);
    }
};

}  // namespace hardlimit
