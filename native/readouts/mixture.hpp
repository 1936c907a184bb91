// A read-out that is made of the last weights and of the sum of all before, without making either.
#pragma once
#include <vector>

#include "loops/schemes.hpp"

namespace hardlimit {

// (of_last * w_n + of_sum * (w_0 + ... + w_{n-1})) / divisor.
struct Mixture {
    double of_last, of_sum, divisor;
};

// The same in terms of the arrays of the state: of_w * w - of_u * u, of_w for each output. Where
// w_0 is not 0, also of_start * w_0: a read-out is a mean, so that what its parts exceed 1 by is
// w_0, which the sum holds and the mean leaves out.
struct Factors {
    std::vector<double> of_w;
    double of_u, of_start = 0;

    Factors(const State &state, const Mixture &mixture) : of_u(mixture.of_sum / mixture.divisor) {
        for (std::int64_t k = 0; k < state.n_outputs; ++k) {
            const Counter &count = state.counter_of(k);
            of_w.push_back(
                (mixture.of_sum * state.clock_before(count) + mixture.of_last * count.shrinkage) /
                mixture.divisor);
        }
        const auto n = static_cast<double>(state.presentations);
        if (state.of_column != 0)
            of_start = 1 - (mixture.of_last + mixture.of_sum * n) / mixture.divisor;
    }

    // Of a cell of an output that has both numbers; the weights at the start are 0.
    double of_cell(std::size_t k, double w, double u) const {
        const double mixed = of_w[k] * w;
        return of_u == 0 ? mixed : mixed - of_u * u;
    }

    double at(const State &state, std::size_t j) const {
        double mixed = of_w[j % of_w.size()] * state.w[j];
        if (state.averaged && of_u != 0) mixed -= of_u * state.u[j];
        return of_start == 0 ? mixed : mixed + of_start * state.at_start(j);
    }
};

// The scores of all rows, (n_rows, n_outputs).
template <class Rows>
void mix_scores(const Rows &rows, const State &state, const Mixture &mixture, double *out) {
    const Factors of(state, mixture);
    Scores of_last(state.n_outputs), of_sum(state.n_outputs);
    const bool both = of.of_u != 0 && state.averaged;
    const auto outputs = static_cast<std::size_t>(state.n_outputs);
    for (std::int64_t i = 0; i < rows.n_rows; ++i, out += outputs) {
        const auto &last = of_last.of(rows, i, state);
        for (std::size_t k = 0; k < outputs; ++k) out[k] = of.of_w[k] * last[k];
        if (!both) continue;
        const auto &sum = of_sum.of_sums(rows, i, state);
        for (std::size_t k = 0; k < outputs; ++k) out[k] -= of.of_u * sum[k];
        if (of.of_start == 0) continue;
        for (std::size_t k = 0; k < outputs; ++k)
            out[k] += of.of_start * sum_over(rows, i, [&](std::int64_t c, double x) {
                          return x * state.at_start(static_cast<std::size_t>(c) * outputs + k);
                      });
    }
}

}  // namespace hardlimit
