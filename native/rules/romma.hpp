#pragma once
#include "rules/rule.hpp"

namespace hardlimit {

struct ROMMA {
    static constexpr bool equality_violates = true;
    static constexpr Needs needs{.sqnorm = true, .wsq = true, .shrinks = true};

    explicit ROMMA(const Parameters &) {}
    double required(const Scalars &) const { return 0; }
    Change tau(const Scalars &s) const {
        const double lengths = s.sqnorm * s.wsq;
        if (s.margin >= lengths) return {.tau = 1 / s.sqnorm, .shrink = 0};
        const double determinant = lengths - s.margin * s.margin;
        if (determinant * 0x1p40 <= lengths) return {.tau = 0, .shrink = 1};
        return {.tau = s.wsq * (1 - s.margin) / determinant,
                .shrink = (lengths - s.margin) / determinant};
    }
};

struct AggressiveROMMA : ROMMA {
    static constexpr bool equality_violates = false;

    using ROMMA::ROMMA;
    double required(const Scalars &) const { return 1; }
};

}  // namespace hardlimit
