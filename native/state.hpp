// The training state of a linear classifier: what partial_fit continues.
//
// w and u have n_columns + 1 rows (the bias last) of `stride` numbers, one per output. u gathers
// t_j * delta_j over the corrections, t_j the presentation at which correction j was made, so that
// the average over n presentations needs nothing at a presentation without correction:
//   post  sum_{t=1..n} w_t = (n + 1) w - u        pre  sum_{t=0..n-1} w_t = n w - u
#pragma once
#include <cmath>
#include <cstdint>
#include <vector>

#include "kernels.hpp"
#include "zeroed.hpp"

namespace hardlimit {

// One per output that learns by itself; one for all outputs where they share their corrections.
struct Counter {
    std::int64_t corrections = 0;  // since the first fit: step is this plus one
    std::int64_t round_mistakes = 0, round_corrections = 0, round_unmet = 0;
    double wsq = 0, added = 0;  // <w, w>, and the sum of what was added since it was recomputed
    std::int64_t since_recomputed = 0;
    bool resting = false;  // a neuron that is finished
};

struct State {
    State(std::int64_t n_columns, std::int64_t n_outputs, std::int64_t n_counters, bool averaged)
        : n_columns(n_columns), n_outputs(n_outputs), averaged(averaged) {
        counters.resize(static_cast<std::size_t>(n_counters));
        w.resize(cells(n_columns, n_outputs));
        if (averaged) u.resize(w.size());
    }

    std::int64_t n_columns, n_outputs;
    bool averaged;
    std::int64_t presentations = 0;
    bool overflowed = false;  // a row was too long for its squared length to be a number
    std::vector<Counter> counters;
    Zeroed w, u;

    Outputs outputs() const { return {n_outputs, n_outputs}; }

    // New columns hold zeros; the bias stays behind the last of them.
    void grow_columns(std::int64_t columns) {
        if (columns <= n_columns) return;
        grow_columns(w, columns);
        if (averaged) grow_columns(u, columns);
        n_columns = columns;
    }

    // Every output moves to its place in rows of the new length, multiplied by `factors[old]`;
    // `sources[new]` names the old output, or -1 for zeros.
    void rearrange_outputs(const std::vector<std::int64_t> &sources,
                           const std::vector<double> &factors) {
        const auto outputs = static_cast<std::int64_t>(sources.size());
        rearrange(w, sources, factors);
        if (averaged) rearrange(u, sources, factors);
        n_outputs = outputs;
    }

    // ||w||^2 of the outputs that share a counter, in the order of summation of everything else.
    double squared_length(std::int64_t counter) const {
        const bool shared = counters.size() == 1;
        const std::int64_t first = shared ? 0 : counter;
        const std::int64_t last = shared ? n_outputs : counter + 1;
        double total = 0;
        for (std::int64_t k = first; k < last; ++k) {
            double sums[8] = {};
            for (std::int64_t c = 0; c < n_columns; ++c) {
                const double weight = w[static_cast<std::size_t>(c * n_outputs + k)];
                sums[c & 7] += weight * weight;
            }
            const double bias = w[static_cast<std::size_t>(n_columns * n_outputs + k)];
            total += tree(sums) + bias * bias;
        }
        return total;
    }

    void recompute_lengths() {
        for (std::size_t k = 0; k < counters.size(); ++k) {
            counters[k].wsq = counters[k].added = squared_length(static_cast<std::int64_t>(k));
            counters[k].since_recomputed = 0;
        }
    }

    bool finite() const {
        if (overflowed) return false;
        for (std::size_t i = 0; i < w.size(); ++i)
            if (!std::isfinite(w[i])) return false;
        return true;
    }

    static std::size_t cells(std::int64_t columns, std::int64_t outputs) {
        return static_cast<std::size_t>((columns + 1) * outputs);
    }

  private:
    void grow_columns(Zeroed &array, std::int64_t columns) {
        array.resize(cells(columns, n_outputs));
        for (std::int64_t k = 0; k < n_outputs; ++k)
            std::swap(array[static_cast<std::size_t>(n_columns * n_outputs + k)],
                      array[static_cast<std::size_t>(columns * n_outputs + k)]);
    }

    void rearrange(Zeroed &array, const std::vector<std::int64_t> &sources,
                   const std::vector<double> &factors) const {
        Zeroed wider(cells(n_columns, static_cast<std::int64_t>(sources.size())));
        std::size_t target = 0;
        for (std::int64_t c = 0; c <= n_columns; ++c)
            for (std::size_t k = 0; k < sources.size(); ++k, ++target)
                if (sources[k] >= 0)
                    wider[target] =
                        array[static_cast<std::size_t>(c * n_outputs + sources[k])] * factors[k];
        array = std::move(wider);
    }
};

}  // namespace hardlimit
