// What is presented, and the counts of a rule that asks what became of each example.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "rules/rule.hpp"

namespace hardlimit {

// `order` names the rows of one epoch (null: as they lie), which may come twice or not at all;
// `present` those that take part in the fit (null: all of them). `weights` may be null.
// `targets` holds the class of each row; or, for neurons with targets of their own, `n_labels` ones
// and zeros a row: whether it is a positive example of each.
struct Examples {
    const std::int32_t *targets = nullptr;
    std::int64_t n_labels = 0;
    const double *weights = nullptr;
    const std::int64_t *order = nullptr;
    std::int64_t length = 0;
    const std::int64_t *present = nullptr;
    std::int64_t n_present = 0;
    double tol = 0;
    // Per example (and neuron, where each learns by itself), for rules that ask.
    std::vector<std::int64_t> n_i;
    std::vector<double> alpha_i;

    std::int64_t present_row(std::int64_t position) const {
        return present ? present[position] : position;
    }
    const std::int32_t *targets_of(std::int64_t i) const {
        return targets + i * (n_labels ? n_labels : 1);
    }
};

// `margin < required` as a comparison with <=, so that the loop asks one question for all rules.
inline double threshold(const Rule &rule, const Scalars &scalars) {
    const double required = rule.required(scalars);
    if (rule.equality_violates()) return required;
    return std::nextafter(required, -std::numeric_limits<double>::infinity());
}

// One share of a correction: the output that moves, and in which direction.
struct Move {
    std::int64_t output;
    double sign;
};

// A correction moves one output, or the two of a coupled one, whose difference vector has twice
// the squared length of the row.
struct Moves {
    Move share[2];
    int count;
};

}  // namespace hardlimit
