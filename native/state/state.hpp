// The training state of a linear classifier: what partial_fit continues.
//
// Arrays have n_columns + 1 rows (the bias last) of n_outputs numbers. The weights are
// w = shrinkage * v; `shrinkage` is 1 except for rules that shrink, and the array is called w all
// the same. u gathers clock_j * delta_j over the corrections of v, with clock_j the sum of the
// shrinkages of all hypotheses before correction j (their number, where nothing shrinks), so that
// sums over all hypotheses need nothing at a presentation without correction:
//   w_0 + ... + w_{n-1} = clock * v - u
// theta is what corrections add to where w is a function of it; sigma the covariances of rules that
// keep one, a zero standing for the value at the start: variances like the weights, or a block of
// (n_columns + 1)^2 numbers for each output.
//
// Where w and u would be large and mostly 0, they lie in cells (cells.hpp) and the arrays are
// empty: in `touched`, of coupled classes whose rule only adds. What needs the arrays spreads them
// first.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <vector>

#include "readouts/hypotheses.hpp"
#include "rows/inner_loops.hpp"
#include "state/cells.hpp"
#include "zeroed.hpp"

namespace hardlimit {

// See schemes.hpp.
enum class SchemeName { single, independent, coupled };

// What happened since it was read last: mistakes, corrections, and rows short of what was required.
struct Tally {
    std::int64_t mistakes = 0, corrections = 0, unmet = 0;
};

// One per output that learns by itself; one for all outputs where they share their corrections.
struct Counter {
    std::int64_t corrections = 0;  // since the first fit: step is this plus one
    Tally tally;
    // <w, w>, and the sum of what was added to it since it was recomputed, shrunk as w was.
    double wsq = 0, added = 0;
    std::int64_t since_recomputed = 0;
    double shrinkage = 1;
    double clock = 0;  // sum of the shrinkages of hypotheses 0 .. clock_at - 1
    std::int64_t clock_at = 0;
    std::int64_t since_folded = 0;
    bool resting = false;  // a neuron that is finished

    // Whether there are weights to shrink: those of a correction, or those given at the start,
    // whose length is kept.
    bool has_weights() const { return corrections > 0 || added > 0; }
};

struct State {
    State(SchemeName scheme, std::int64_t n_columns, std::int64_t n_outputs, bool averaged,
          bool may_lie_in_cells = false)
        : scheme(scheme),
          n_columns(n_columns),
          n_outputs(n_outputs),
          averaged(averaged),
          may_lie_in_cells(may_lie_in_cells) {
        counters.resize(scheme == SchemeName::independent ? static_cast<std::size_t>(n_outputs)
                                                          : 1);
        if (lies_in_cells()) {
            touched = std::make_unique<Cells>(n_columns, n_outputs, averaged);
            return;
        }
        w.resize(cells(n_columns, n_outputs));
        if (averaged) u.resize(w.size());
    }

    SchemeName scheme;
    std::int64_t n_columns, n_outputs;
    bool averaged;
    bool may_lie_in_cells;  // whether the rule and the loops allow it
    std::int64_t presentations = 0;
    bool overflowed = false;  // a row was too long for its squared length to be a number
    // The first row whose variance was too small to correct by, and the presentations before it.
    std::int64_t collapsed_row = -1, collapsed_at = 0;
    std::vector<Counter> counters;
    Zeroed<double> w, u, theta, sigma;
    std::unique_ptr<Cells> touched;
    double common = 0;     // of the link: see link.hpp
    double of_column = 0;  // every column's weight at the start, where the bias's never moves
    std::unique_ptr<Hypotheses> hypotheses;
    // The rows that were corrected, where somebody asks for them: see mixing.hpp.
    std::unique_ptr<std::vector<std::int64_t>> corrected;

    void note_corrected(std::int64_t row) {
        // All counters meet a row before the next one comes.
        if (corrected->empty() || corrected->back() != row) corrected->push_back(row);
    }

    Outputs outputs() const { return {n_outputs, n_outputs}; }
    std::int64_t n_counters() const { return static_cast<std::int64_t>(counters.size()); }
    Counter &counter(std::int64_t k) { return counters[static_cast<std::size_t>(k)]; }
    const Counter &counter(std::int64_t k) const { return counters[static_cast<std::size_t>(k)]; }
    const Counter &counter_of(std::int64_t output) const {
        return counters.size() == 1 ? counters[0] : counter(output);
    }

    void set_initial_weights(double column, double bias) {
        of_column = column;
        for (std::size_t j = 0; j < w.size(); ++j) w[j] = j < bias_cell() ? column : bias;
    }
    std::size_t bias_cell() const { return static_cast<std::size_t>(n_columns * n_outputs); }
    double at_start(std::size_t j) const { return j < bias_cell() ? of_column : w[j]; }

    // The outputs that share a counter: first, and one behind the last.
    std::int64_t first_of(std::int64_t k) const { return counters.size() == 1 ? 0 : k; }
    std::int64_t end_of(std::int64_t k) const { return counters.size() == 1 ? n_outputs : k + 1; }

    // The sum of the shrinkages of the hypotheses so far, the one that now answers included.
    double clock_now(Counter &count) const {
        count.clock += count.shrinkage * static_cast<double>(presentations + 1 - count.clock_at);
        count.clock_at = presentations + 1;
        return count.clock;
    }
    // The same without it: of w_0 .. w_{n-1} after n presentations.
    double clock_before(const Counter &count) const {
        return count.clock + count.shrinkage * static_cast<double>(presentations - count.clock_at);
    }

    // Corrections between two passes over all weights: of shrinkages, and of lengths kept in short
    // form. The same whatever the number of columns, so that columns without values change no
    // result.
    static constexpr std::int64_t patience = 1 << 14;

    // While the shrinkage falls, v grows, and clock * v - u loses as many digits as it has lost.
    void shrink(std::int64_t k, double factor) {
        constexpr double least = 1e-6, most = 1e100;
        Counter &count = counter(k);
        count.shrinkage *= factor;
        if (++count.since_folded < patience && count.shrinkage > least && count.shrinkage < most)
            return;
        fold(k);
    }

    // v <- shrinkage * v and u <- u - clock * v, so that shrinkage is 1 and clock 0 again.
    void fold(std::int64_t k) {
        Counter &count = counter(k);
        if (counters.size() == 1) {
            fold_cells(count, 0, w.size());
        } else {
            for (std::int64_t c = 0; c <= n_columns; ++c)
                fold_cells(count, static_cast<std::size_t>(c * n_outputs + k), 1);
        }
        count.shrinkage = 1;
        count.clock = 0;
        count.since_folded = 0;
    }

    // Cells take the memory of what is touched, and arrays are faster: up to 64 MB a vector they
    // are two to three times as fast, for a row of scores is one place of memory and no search.
    // Few outputs are mostly touched.
    static constexpr std::int64_t many_outputs = 8, many_weights = std::int64_t{1} << 23;
    // Files are smaller long before that.
    static constexpr std::int64_t many_stored_weights = std::int64_t{1} << 20;

    static bool has_many(SchemeName scheme, std::int64_t n_columns, std::int64_t n_outputs,
                         std::int64_t weights) {
        return scheme == SchemeName::coupled && n_outputs >= many_outputs &&
               (n_columns + 1) * n_outputs >= weights;
    }
    static bool is_worth_cells(SchemeName scheme, std::int64_t n_columns, std::int64_t n_outputs) {
        return has_many(scheme, n_columns, n_outputs, many_weights);
    }
    // Whether files hold the weights packed.
    bool is_worth_packing() const {
        return touched ||
               (may_lie_in_cells && has_many(scheme, n_columns, n_outputs, many_stored_weights));
    }
    bool lies_in_cells() const {
        return may_lie_in_cells && is_worth_cells(scheme, n_columns, n_outputs);
    }
    // After any change of size: into cells where that is worth it, and never back. Without memory
    // for the cells the arrays serve as well.
    void settle() noexcept {
        if (touched || !lies_in_cells()) return;
        try {
            gather_cells();
        } catch (const std::bad_alloc &) {
        }
    }

    // Weights in an array become cells.
    void gather_cells() {
        auto cells = std::make_unique<Cells>(n_columns, n_outputs, averaged);
        for (std::size_t j = 0, end = bias_cell(); j < end; ++j) {
            const double sum = averaged ? u[j] : 0;
            if (w[j] != 0 || sum != 0)
                cells->add(static_cast<std::int64_t>(j) / n_outputs,
                           static_cast<std::uint32_t>(static_cast<std::int64_t>(j) % n_outputs),
                           w[j], sum);
        }
        for (std::int64_t k = 0; k < n_outputs; ++k) {
            const std::size_t j = bias_cell() + static_cast<std::size_t>(k);
            cells->bias_w()[k] = w[j];
            if (averaged) cells->bias_u()[k] = u[j];
        }
        touched = std::move(cells);
        w = Zeroed<double>();
        u = Zeroed<double>();
    }

    // Cells become arrays, for good: for loops that walk over all weights anyway.
    void spread_cells() {
        may_lie_in_cells = false;
        if (!touched) return;
        Zeroed<double> wide_w(cells(n_columns, n_outputs)), wide_u(averaged ? wide_w.size() : 0);
        for (std::int64_t c = 0; c <= n_columns; ++c)
            visit_column(c, [&](std::int64_t k, double of_w, double of_u) {
                const auto j = static_cast<std::size_t>(c * n_outputs + k);
                wide_w[j] = of_w;
                if (averaged) wide_u[j] = of_u;
            });
        w.swap(wide_w);
        u.swap(wide_u);
        touched.reset();
    }

    // see(output, w, u) for the weights of a column other than 0, and some that are; n_columns is
    // the bias.
    template <class See>
    void visit_column(std::int64_t c, See see) const {
        if (touched && c < n_columns) return touched->visit(c, see);
        for (std::int64_t k = 0; k < n_outputs; ++k) {
            const auto j = static_cast<std::size_t>(c * n_outputs + k);
            if (touched)
                see(k, touched->bias_w()[k], touched->bias_u()[k]);
            else
                see(k, w[j], averaged ? u[j] : 0.0);
        }
    }

    // Of a state that holds nothing there yet.
    void set_weight(std::int64_t c, std::int64_t k, double of_w, double of_u) {
        const auto j = static_cast<std::size_t>(c * n_outputs + k);
        if (!touched) {
            w[j] = of_w;
            if (averaged) u[j] = of_u;
        } else if (c < n_columns) {
            touched->add(c, static_cast<std::uint32_t>(k), of_w, of_u);
        } else {
            touched->bias_w()[k] = of_w;
            touched->bias_u()[k] = of_u;
        }
    }

    // Whatever was there before.
    void assign_weight(std::int64_t c, std::int64_t k, double of_w, double of_u) {
        if (touched && c < n_columns)
            touched->assign(c, static_cast<std::uint32_t>(k), of_w, of_u);
        else
            set_weight(c, k, of_w, of_u);
    }

    // New columns hold zeros; the bias stays behind the last of them.
    void grow_columns(std::int64_t columns) {
        if (columns <= n_columns) return;
        if (touched)
            touched->grow_columns(columns);
        else
            for (Zeroed<double> *array : arrays_with_room(cells(columns, n_outputs)))
                grow_columns(*array, columns);
        n_columns = columns;
        settle();
    }

    // Columns are added at the end or taken away there, of a state without a bias.
    void resize_columns(std::int64_t columns) {
        const std::size_t size = cells(columns, n_outputs);
        const std::size_t before = w.size();
        // Not by `arrays`, whose list takes memory: a state that shrinks must not fail.
        for (Zeroed<double> *array : {&w, &u, &theta, &sigma})
            if (array->size() == before) array->make_room(size);
        for (Zeroed<double> *array : {&w, &u, &theta, &sigma})
            if (array->size() == before) array->resize(size);
        n_columns = columns;
    }

    // Every output moves to its place in rows of the new length, multiplied by `factors[old]`;
    // `sources[new]` names the old output, or -1 for zeros. Covariances move as they are.
    void rearrange_outputs(const std::vector<std::int64_t> &sources,
                           const std::vector<double> &factors) {
        const auto outputs = static_cast<std::int64_t>(sources.size());
        if (touched) return rearrange_cells(sources, factors);
        const std::vector<double> ones(factors.size(), 1.0);
        Zeroed<double> blocks = has_blocks() ? rearranged_blocks(sources) : Zeroed<double>();
        const std::vector<Zeroed<double> *> used = arrays();
        std::vector<Zeroed<double>> moved;
        moved.reserve(used.size());
        for (const Zeroed<double> *array : used)
            moved.push_back(rearranged(*array, sources, array == &sigma ? ones : factors));
        // From here on nothing fails.
        if (has_blocks()) sigma.swap(blocks);
        for (std::size_t i = 0; i < used.size(); ++i) used[i]->swap(moved[i]);
        n_outputs = outputs;
    }

    // ||w||^2 of the outputs that share a counter, in the order of summation of everything else.
    double squared_length(std::int64_t k) const {
        std::vector<double> scratch(touched ? static_cast<std::size_t>(8 * n_outputs) : 0);
        return squared_length(k, scratch);
    }
    double squared_length(std::int64_t k, std::vector<double> &scratch) const {
        const double shrinkage = counter(k).shrinkage;
        if (n_outputs == 1) {
            const double bias = w[bias_cell()];
            const double total = dense_dot(w.data(), w.data(), n_columns, w.data()) + bias * bias;
            return total * shrinkage * shrinkage;
        }
        if (touched) return squared_length_of_cells(scratch) * shrinkage * shrinkage;
        double total = 0;
        for (std::int64_t output = first_of(k); output < end_of(k); ++output) {
            double sums[8] = {};
            for (std::int64_t c = 0; c < n_columns; ++c) {
                const double weight = w[static_cast<std::size_t>(c * n_outputs + output)];
                sums[c & 7] += weight * weight;
            }
            const double bias = w[static_cast<std::size_t>(n_columns * n_outputs + output)];
            total += tree(sums) + bias * bias;
        }
        return total * shrinkage * shrinkage;
    }

    // `scratch` has 8 numbers for each output.
    void recompute_lengths(std::vector<double> &scratch) {
        for (std::size_t k = 0; k < counters.size(); ++k) {
            counters[k].wsq = counters[k].added =
                squared_length(static_cast<std::int64_t>(k), scratch);
            counters[k].since_recomputed = 0;
        }
    }

    bool finite() const {
        if (overflowed) return false;
        if (touched) return touched->finite();
        for (std::size_t i = 0; i < w.size(); ++i)
            if (!std::isfinite(w[i])) return false;
        return true;
    }

    static std::size_t cells(std::int64_t columns, std::int64_t outputs) {
        return static_cast<std::size_t>((columns + 1) * outputs);
    }

    // One variance a weight, or a block of (n_columns + 1)^2 numbers an output.
    void keep_covariance(bool full) {
        if (!full) return sigma.resize(w.size());
        if (n_columns > 1 << 20)
            throw std::invalid_argument("a covariance of that size is not possible");
        const auto size = static_cast<std::size_t>(n_columns + 1);
        sigma.resize(size * size * static_cast<std::size_t>(n_outputs));
    }
    bool has_blocks() const { return sigma.size() > w.size(); }

    // The arrays in use that lie column by column.
    std::vector<Zeroed<double> *> arrays() {
        std::vector<Zeroed<double> *> used;
        for (Zeroed<double> *array : {&w, &u, &theta, &sigma})
            if (array->size() == w.size()) used.push_back(array);
        return used;
    }

  private:
    // All of them or none: what grows must not be left of two sizes.
    std::vector<Zeroed<double> *> arrays_with_room(std::size_t size) {
        std::vector<Zeroed<double> *> used = arrays();
        for (Zeroed<double> *array : used) array->make_room(size);
        return used;
    }

    // The outputs of all columns in their new places, as in arrays.
    void rearrange_cells(const std::vector<std::int64_t> &sources,
                         const std::vector<double> &factors) {
        const auto outputs = static_cast<std::int64_t>(sources.size());
        std::vector<std::vector<std::uint32_t>> places(static_cast<std::size_t>(n_outputs));
        for (std::size_t k = 0; k < sources.size(); ++k)
            if (sources[k] >= 0)
                places[static_cast<std::size_t>(sources[k])].push_back(
                    static_cast<std::uint32_t>(k));
        auto moved = std::make_unique<Cells>(n_columns, outputs, averaged);
        for (std::int64_t c = 0; c <= n_columns; ++c)
            visit_column(c, [&](std::int64_t old, double of_w, double of_u) {
                for (const std::uint32_t k : places[static_cast<std::size_t>(old)]) {
                    if (c < n_columns) {
                        moved->add(c, k, of_w * factors[k], of_u * factors[k]);
                    } else {
                        moved->bias_w()[k] = of_w * factors[k];
                        moved->bias_u()[k] = of_u * factors[k];
                    }
                }
            });
        touched = std::move(moved);
        n_outputs = outputs;
    }

    // All outputs side by side: each has its own eight sums, over ascending columns.
    double squared_length_of_cells(std::vector<double> &sums) const {
        const auto outputs = static_cast<std::size_t>(n_outputs);
        std::fill(sums.begin(), sums.end(), 0.0);
        for (std::int64_t c = 0; c < n_columns; ++c)
            touched->visit(c, [&](std::uint32_t k, double weight, double) {
                sums[static_cast<std::size_t>(c & 7) * outputs + k] += weight * weight;
            });
        double total = 0;
        for (std::size_t k = 0; k < outputs; ++k) {
            const double bias = touched->bias_w()[k];
            total += tree(sums.data() + k, n_outputs) + bias * bias;
        }
        return total;
    }

    void fold_cells(const Counter &count, std::size_t first, std::size_t length) {
        const double shrinkage = count.shrinkage, clock = count.clock;
        double *v = w.data() + first;
        if (averaged) {
            double *sum = u.data() + first;
            for (std::size_t j = 0; j < length; ++j) sum[j] -= clock * v[j];
        }
        for (std::size_t j = 0; j < length; ++j) v[j] *= shrinkage;
    }

    Zeroed<double> rearranged_blocks(const std::vector<std::int64_t> &sources) const {
        const std::size_t block = sigma.size() / static_cast<std::size_t>(n_outputs);
        Zeroed<double> moved(block * sources.size());
        for (std::size_t k = 0; k < sources.size(); ++k)
            if (sources[k] >= 0)
                std::memcpy(moved.data() + k * block,
                            sigma.data() + static_cast<std::size_t>(sources[k]) * block,
                            block * sizeof(double));
        return moved;
    }

    void grow_columns(Zeroed<double> &array, std::int64_t columns) {
        array.resize(cells(columns, n_outputs));
        for (std::int64_t k = 0; k < n_outputs; ++k)
            std::swap(array[static_cast<std::size_t>(n_columns * n_outputs + k)],
                      array[static_cast<std::size_t>(columns * n_outputs + k)]);
    }

    Zeroed<double> rearranged(const Zeroed<double> &array, const std::vector<std::int64_t> &sources,
                              const std::vector<double> &factors) const {
        Zeroed<double> wider(cells(n_columns, static_cast<std::int64_t>(sources.size())));
        std::size_t target = 0;
        for (std::int64_t c = 0; c <= n_columns; ++c)
            for (std::size_t k = 0; k < sources.size(); ++k, ++target)
                if (sources[k] >= 0)
                    wider[target] =
                        array[static_cast<std::size_t>(c * n_outputs + sources[k])] * factors[k];
        return wider;
    }
};

}  // namespace hardlimit
