// Puts the first question, "is this a violator?", and gathers the scalars for both.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "readouts/training_errors.hpp"
#include "rows/examples.hpp"
#include "state/state.hpp"

namespace hardlimit {

// ||w||^2 of the outputs that share a counter, where w is a vector of the columns.
template <class Rows>
double squared_length_of(const Rows &, const State &state, std::int64_t counter) {
    return state.squared_length(counter);
}

template <class Rows>
class RuleEvaluation {
  public:
    RuleEvaluation(const Rows &rows, Examples &examples, State &state, const Rule &rule)
        : rows_(rows),
          examples_(examples),
          state_(state),
          rule_(rule),
          needs_(rule.needs()),
          equality_(rule.equality_violates()) {
        if (!needs_.changing_required) threshold_ = threshold(rule, Scalars{});
        if (needs_.steady) steady_.assign(state.counters.size(), unknown);
    }

    const Rows &rows() const { return rows_; }
    Examples &examples() { return examples_; }
    State &state() { return state_; }
    const Needs &needs() const { return needs_; }
    // Where the same is required of all rows with this target.
    double fixed_threshold(double y) const {
        Scalars s;
        s.y = y;
        return threshold(rule_, s);
    }

    Scalars scalars(std::int64_t i, double margin, std::int64_t counter, double y,
                    int moves) const {
        const Counter &count = state_.counter(counter);
        Scalars s;
        s.margin = margin;
        s.step = count.corrections + 1;
        s.wsq = count.wsq;
        s.y = y;
        if (needs_.sqnorm) s.sqnorm = moves * rows_.sqnorm(i);
        if (examples_.weights) s.weight = examples_.weights[i];
        if (needs_.example) {
            s.n_i = examples_.n_i[place(i, counter)];
            s.alpha_i = examples_.alpha_i[place(i, counter)];
        }
        return s;
    }

    // The scalars that `required` asks for, at fixed weights.
    Scalars seen(std::int64_t i, double margin, std::int64_t counter, double y,
                 const Moves &moves) const {
        return scalars(i, margin, counter, y, moves.count);
    }

    // What became of this example before will be asked soon.
    HARDLIMIT_INLINE void prefetch_example(std::int64_t i) const {
        prefetch(examples_.n_i.data() + place(i, 0));
        prefetch(examples_.alpha_i.data() + place(i, 0));
    }

    // A row was shown, and what it called for is done.
    void presented() { ++state_.presentations; }

  protected:
    // Judges a row by its margin: counts a mistake, asks the rule, and calls correct(scalars) for a
    // violator that can be corrected. measure(scalars) comes before the rule is asked about this
    // row; where it answers false, the row calls for nothing.
    template <class Measure, class Correct>
    void judge_margin(std::int64_t i, double margin, std::int64_t counter, double y, int moves,
                      Measure measure, Correct correct) {
        Counter &count = state_.counter(counter);
        count.tally.mistakes += is_mistake(margin);
        if (is_satisfied(margin, counter)) return;
        Scalars s = scalars(i, margin, counter, y, moves);
        if (!measure(s) || !violates(s)) return;
        if (correctable(s, count)) correct(s);
    }
    template <class Correct>
    void judge_margin(std::int64_t i, double margin, std::int64_t counter, double y, int moves,
                      Correct correct) {
        judge_margin(i, margin, counter, y, moves, [](Scalars &) { return true; }, correct);
    }

    // Whether the margin will do, whatever the row: then nothing is asked of it.
    bool is_satisfied(double margin, std::int64_t counter) {
        if (!needs_.changing_required) return !(margin <= threshold_);
        if (!needs_.steady) return false;
        double &known = steady_[static_cast<std::size_t>(counter)];
        if (std::isnan(known)) {
            Scalars s;
            s.step = state_.counter(counter).corrections + 1;
            s.wsq = state_.counter(counter).wsq;
            known = threshold(rule_, s);
        }
        return !(margin <= known);
    }

    // Whether a row whose margin might not do is a violator.
    bool violates(const Scalars &s) const {
        if (!needs_.changing_required || needs_.steady) return true;
        const double required = rule_.required(s);
        return equality_ ? s.margin <= required : s.margin < required;
    }

    // Whether this violator can be corrected; counts those that are further from the aim than tol.
    bool correctable(const Scalars &s, Counter &count) {
        if (s.margin < rule_.required(s) - examples_.tol) ++count.tally.unmet;
        if (needs_.sqnorm && s.sqnorm == 0) return false;
        if (std::isfinite(s.sqnorm)) return true;
        state_.overflowed = true;
        return false;
    }

    void count_correction(std::int64_t i, std::int64_t counter, double tau) {
        Counter &count = state_.counter(counter);
        ++count.corrections;
        ++count.tally.corrections;
        if (needs_.steady) steady_[static_cast<std::size_t>(counter)] = unknown;
        if (state_.corrected) state_.note_corrected(i);
        remember(i, counter, tau);
    }

    void remember(std::int64_t i, std::int64_t counter, double tau) {
        if (!needs_.example) return;
        ++examples_.n_i[place(i, counter)];
        examples_.alpha_i[place(i, counter)] += tau;
    }

    // The present hypothesis of this counter is about to be corrected.
    void end_life(std::int64_t counter) {
        const ErrorsOfRows<Rows> errors(rows_, examples_, state_);
        state_.hypotheses->end_life(state_, counter, state_.presentations + 1, errors);
    }

    std::size_t place(std::int64_t i, std::int64_t counter) const {
        return static_cast<std::size_t>(i * state_.n_counters() + counter);
    }

    const Rows &rows_;
    Examples &examples_;
    State &state_;
    const Rule &rule_;
    Needs needs_;
    bool equality_;
    double threshold_ = 0;

  private:
    static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    std::vector<double> steady_;  // per counter, until its next correction
};

}  // namespace hardlimit
