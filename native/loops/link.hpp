// The link of Balanced Winnow: w = 2 sinh(theta), divided by e^common while theta is large.
//
// Only the signs of scores matter to a rule that requires a margin of 0, and a common factor leaves
// them. `common` goes up when a theta leaves the range in which e^theta is a number with room for
// sums, and down again when all have come back; weights e^700 times smaller than the largest count
// as 0.
#pragma once
#include <cmath>
#include <cstdint>

#include "numeric/exponential.hpp"
#include "state/state.hpp"

namespace hardlimit {

inline double link_weight(double theta, double common) {
    if (common == 0) return std::copysign(twice_sinh(std::abs(theta)), theta);
    return exponential(theta - common) - exponential(-theta - common);
}

inline void relink_all(State &state) {
    for (std::size_t j = 0; j < state.w.size(); ++j)
        if (state.theta[j] != 0) state.w[j] = link_weight(state.theta[j], state.common);
}

// Brings `common` up to date: before and after are the largest |theta| among those that moved.
inline void follow_largest(State &state, double before, double after) {
    constexpr double room = 600;
    if (after - state.common > room) {
        state.common = after;
        return relink_all(state);
    }
    // The largest theta of all is never further than half the room below `common`.
    const double line = state.common - room / 2;
    if (state.common == 0 || before < line || after >= line) return;
    double largest = 0;
    for (std::size_t j = 0; j < state.theta.size(); ++j)
        largest = std::max(largest, std::abs(state.theta[j]));
    if (largest >= line) return;
    state.common = largest > room ? largest : 0;
    relink_all(state);
}

// w = 2 sinh(theta) of so many: the bits of link_weight where `common` is 0.
void link_weights(const double *theta, std::int64_t count, double *w);

// Weights that follow their thetas, a block of them at a time.
class LinkedBlock {
  public:
    explicit LinkedBlock(State &state) : state_(state) {}

    void add(std::size_t place) {
        places_[count_] = place;
        thetas_[count_] = state_.theta[place];
        if (++count_ == size) flush();
    }

    void flush() {
        double weights[size];
        if (state_.common == 0)
            link_weights(thetas_, count_, weights);
        else
            for (std::int64_t k = 0; k < count_; ++k)
                weights[k] = link_weight(thetas_[k], state_.common);
        for (std::int64_t k = 0; k < count_; ++k) state_.w[places_[k]] = weights[k];
        count_ = 0;
    }

  private:
    static constexpr std::int64_t size = 64;
    State &state_;
    std::int64_t count_ = 0;
    std::size_t places_[size];
    double thetas_[size];
};

// theta <- theta + tau x for one output, and w with it.
template <class Rows>
void add_linked_to(const Rows &rows, std::int64_t i, double tau, State &state,
                   std::int64_t output) {
    double before = 0, after = 0;
    LinkedBlock block(state);
    rows.prefetch_weights(i, state.theta.data() + output, state.n_outputs);
    rows.visit(i, [&](std::int64_t column, double value) {
        const auto j = static_cast<std::size_t>(column * state.n_outputs + output);
        double &theta = state.theta[j];
        before = std::max(before, std::abs(theta));
        theta += tau * value;
        after = std::max(after, std::abs(theta));
        block.add(j);
    });
    block.flush();
    follow_largest(state, before, after);
}

}  // namespace hardlimit
