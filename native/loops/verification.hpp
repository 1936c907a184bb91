// A look at all examples at fixed weights: nothing moves.
#pragma once
#include <cmath>
#include <cstdint>
#include <tuple>
#include <vector>

#include "loops/schemes.hpp"

namespace hardlimit {

// For each counter: rows whose margin is at most 0, and rows short of what the rule requires.
template <class Learner>
std::vector<std::tuple<std::int64_t, std::int64_t>> verify_all(Learner &learner, const Rule &rule) {
    State &state = learner.state();
    const Examples &examples = learner.examples();
    std::vector<std::tuple<std::int64_t, std::int64_t>> found(state.counters.size(), {0, 0});
    Scores scores(state.n_outputs);
    for (std::int64_t p = 0; p < examples.n_present; ++p) {
        const std::int64_t i = examples.present_row(p);
        const auto &s = scores.of(learner.rows(), i, state);
        margins_of(s.data(), examples, i, state,
                   [&](std::int64_t k, double margin, double y, const Moves &moves) {
                       auto &[mistakes, unmet] = found[static_cast<std::size_t>(k)];
                       const Scalars seen = learner.seen(i, margin, k, y, moves);
                       mistakes += is_mistake(margin);
                       state.overflowed |= std::isnan(margin);
                       unmet += margin < rule.required(seen) - examples.tol;
                   });
    }
    return found;
}

}  // namespace hardlimit
