// What a presentation is:
//   Single       one output, targets -1 and +1
//   Independent  an output per class, each against the rest, or per label, each with targets of
//                its own; with counters of its own
//   Coupled      an output per class, one correction shared by the right class and its best rival
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "rows/examples.hpp"
#include "rows/rows.hpp"
#include "state/state.hpp"

namespace hardlimit {

// Scores of all outputs for one row, in memory that is kept from row to row.
class Scores {
  public:
    explicit Scores(std::int64_t outputs)
        : sums_(static_cast<std::size_t>(8 * outputs)), out_(static_cast<std::size_t>(outputs)) {}

    template <class Rows>
    const std::vector<double> &of(const Rows &rows, std::int64_t i, const double *w,
                                  Outputs outputs) {
        std::fill(sums_.begin(), sums_.end(), 0.0);
        rows.dots(i, w, outputs, sums_.data(), out_.data());
        return out_;
    }

    // By the weights of a state, however they lie.
    template <class Rows>
    const std::vector<double> &of(const Rows &rows, std::int64_t i, const State &state) {
        if constexpr (lie_in_columns<Rows>)
            if (state.touched) return of_touched(rows, i, *state.touched, 0);
        return of(rows, i, state.w.data(), state.outputs());
    }
    // The same by the sums that averages are made of.
    template <class Rows>
    const std::vector<double> &of_sums(const Rows &rows, std::int64_t i, const State &state) {
        if constexpr (lie_in_columns<Rows>)
            if (state.touched) return of_touched(rows, i, *state.touched, 1);
        return of(rows, i, state.u.data(), state.outputs());
    }

  private:
    // Rows of kernel values meet arrays only.
    template <class Rows>
    static constexpr bool lie_in_columns =
        requires(const Rows &rows, const Cells::View &view) { rows.prefetch_columns(0, view); };

    template <class Rows>
    const std::vector<double> &of_touched(const Rows &rows, std::int64_t i, const Cells &cells,
                                          int vector) {
        std::fill(sums_.begin(), sums_.end(), 0.0);
        dots(rows, i, cells, vector, sums_.data(), out_.data());
        return out_;
    }

    std::vector<double> sums_, out_;
};

// A margin of 0 is a mistake, and so is one that is not a number.
inline bool is_mistake(double margin) { return !(margin > 0); }

// The best rival of the right class; ties go to the lowest number.
inline std::int64_t best_rival(const double *scores, std::int64_t outputs, std::int64_t right) {
    std::int64_t rival = right == 0 ? 1 : 0;
    for (std::int64_t k = rival + 1; k < outputs; ++k)
        if (k != right && scores[k] > scores[rival]) rival = k;
    return rival;
}

// The margins that one row's scores give: see(counter, margin, y, moves) for each counter.
template <class See>
void margins_of(const double *scores, const Examples &examples, std::int64_t i, const State &state,
                See see) {
    const std::int64_t outputs = state.n_outputs;
    const std::int32_t *targets = examples.targets_of(i), target = targets[0];
    if (state.scheme == SchemeName::coupled) {
        if (outputs < 2) return;  // a class without a rival has nothing to learn
        const std::int64_t rival = best_rival(scores, outputs, target);
        see(0, (scores[target] - scores[rival]) * state.counters[0].shrinkage, 1.0,
            Moves{{{target, 1.0}, {rival, -1.0}}, 2});
        return;
    }
    for (std::int64_t k = 0; k < outputs; ++k) {
        const bool positive = examples.n_labels                    ? targets[k] == 1
                              : state.scheme == SchemeName::single ? target == 1
                                                                   : target == k;
        const double y = positive ? 1.0 : -1.0;
        const double shrinkage = state.counters[static_cast<std::size_t>(k)].shrinkage;
        see(k, y * scores[k] * shrinkage, y, Moves{{{k, y}, {}}, 1});
    }
}

template <class Learner>
struct Single {
    Learner &learner;

    // The margin, before what it called for.
    double present(std::int64_t i, std::int64_t coming) {
        State &state = learner.state();
        const double y = learner.examples().targets[i] ? 1.0 : -1.0;
        const double score = learner.rows().dot(i, state.w.data(), coming);
        const double margin = y * score * state.counters[0].shrinkage;
        learner.judge(i, margin, 0, y, Moves{{{0, y}, {}}, 1});
        return margin;
    }
};

// Independent and Coupled: the scores of all outputs first.
template <class Learner>
struct Many {
    Learner &learner;
    Scores scores;

    void present(std::int64_t i, std::int64_t coming) {
        State &state = learner.state();
        learner.rows().prefetch_row(coming);
        if (state.scheme == SchemeName::coupled && state.n_outputs < 2) return;
        const auto &s = scores.of(learner.rows(), i, state);
        margins_of(s.data(), learner.examples(), i, state,
                   [&](std::int64_t counter, double margin, double y, const Moves &moves) {
                       if (!state.counter(counter).resting)
                           learner.judge(i, margin, counter, y, moves);
                   });
    }
};

}  // namespace hardlimit
