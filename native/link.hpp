// The link of Balanced Winnow: w = 2 sinh(theta), divided by e^common while theta is large.
//
// Only the signs of scores matter to a rule that requires a margin of 0, and a common factor leaves
// them. `common` moves, and all weights with it, when a theta leaves the range in which e^theta is
// a number with room for sums.
#pragma once
#include <cmath>
#include <cstdint>

#include "state.hpp"

namespace hardlimit {

inline double linked(double theta, double common) {
    if (common == 0) return 2 * std::sinh(theta);
    return std::exp(theta - common) - std::exp(-theta - common);
}

inline void relink_all(State &state) {
    for (std::size_t j = 0; j < state.w.size(); ++j)
        if (state.theta[j] != 0) state.w[j] = linked(state.theta[j], state.common);
}

// Brings the weights of one output up to date after a correction by row i.
template <class Rows>
void relink(const Rows &rows, std::int64_t i, State &state, std::int64_t output) {
    constexpr double room = 600;
    double largest = 0;
    rows.visit(i, [&](std::int64_t column, double) {
        const auto j = static_cast<std::size_t>(column * state.n_outputs + output);
        state.w[j] = linked(state.theta[j], state.common);
        largest = std::max(largest, std::abs(state.theta[j]));
    });
    if (largest - state.common <= room) return;
    state.common = largest;
    relink_all(state);
}

}  // namespace hardlimit
