// Corrections of the rules that keep a covariance S for each output:
//   w <- w + tau * y * S x;   S <- S - beta * S x x' S
//
// A coupled correction has the variance x' S x of both of its outputs, added: each keeps its own S,
// and what the two share is dropped. A rule whose corrections stand `apart` is asked for each part
// of S that is kept (an output; with the diagonal, an output's column) by itself, as if the rest of
// the row were not there.
//
// A variance of zero stands for the one at the start, so that columns never seen cost nothing.
#pragma once
#include <limits>
#include <vector>

#include "loops/evaluate_rule.hpp"

namespace hardlimit {

// A variance as it is stored: rounding does not make it zero or less.
inline double clamp_variance(double variance) {
    constexpr double least = std::numeric_limits<double>::min();
    return variance > least ? variance : least;
}

// The variances alone, column by column like the weights.
template <class Rows>
class Diagonal {
  public:
    Diagonal(const Rows &rows, State &state, double start)
        : rows_(rows), state_(state), start_(start) {}

    // Of the variance at the start: below, a step may overflow.
    static constexpr double least_share = 1e-250;

    // x' S x of one output; `share` tells the two of a coupled correction apart.
    double variance(std::int64_t i, const Move &move, int) const {
        return sum_over(rows_, i, [&](std::int64_t c, double x) { return at(c, move) * x * x; });
    }

    // answer(margin, variance) is the change for a part of S.
    template <class Answer>
    void correct(std::int64_t i, const Move &move, int, double clock, Answer answer) {
        rows_.visit(i, [&](std::int64_t c, double x) {
            const std::size_t j = place(c, move);
            const double s = at(c, move), g = s * x;
            const Change change = answer(move.sign * state_.w[j] * x, g * x);
            const double delta = change.tau * move.sign * g;
            state_.w[j] += delta;
            if (state_.averaged) state_.u[j] += clock * delta;
            state_.sigma[j] = clamp_variance(s - change.beta * (g * g));
        });
    }

  private:
    std::size_t place(std::int64_t c, const Move &move) const {
        return static_cast<std::size_t>(c * state_.n_outputs + move.output);
    }
    double at(std::int64_t c, const Move &move) const {
        const double variance = state_.sigma[place(c, move)];
        return variance == 0 ? start_ : variance;
    }

    const Rows &rows_;
    State &state_;
    double start_;
};

// The matrix, one block an output. Costs O(columns * non-zeros) a variance, O(columns^2) a
// correction.
template <class Rows>
class Full {
  public:
    Full(const Rows &rows, State &state, double start)
        : rows_(rows), state_(state), start_(start), size_(rows.n_columns + 1) {}

    // Of the variance at the start: what is left below is rounding.
    static constexpr double least_share = 0x1p-46;

    // Keeps g = S x for the correction that may follow.
    double variance(std::int64_t i, const Move &move, int share) {
        std::vector<double> &g = g_[share];
        g.assign(static_cast<std::size_t>(size_), 0.0);
        rows_.visit(i, [&](std::int64_t c, double x) {
            const double *row = row_of(c, move);
            dense_add_scaled(row, x, g.data(), size_);
            if (row[c] == 0) g[static_cast<std::size_t>(c)] += start_ * x;
        });
        variances_[share] = sum_over(
            rows_, i, [&](std::int64_t c, double x) { return g[static_cast<std::size_t>(c)] * x; });
        return variances_[share];
    }

    template <class Answer>
    void correct(std::int64_t i, const Move &move, int share, double clock, Answer answer) {
        const std::vector<double> &g = g_[share];
        const double score = sum_over(rows_, i, [&](std::int64_t c, double x) {
            return state_.w[static_cast<std::size_t>(c * state_.n_outputs + move.output)] * x;
        });
        const Change change = answer(move.sign * score, variances_[share]);
        for (std::int64_t c = 0; c < size_; ++c) {
            const double of_column = g[static_cast<std::size_t>(c)];
            if (of_column == 0) continue;
            const auto j = static_cast<std::size_t>(c * state_.n_outputs + move.output);
            const double delta = change.tau * move.sign * of_column;
            state_.w[j] += delta;
            if (state_.averaged) state_.u[j] += clock * delta;
            shrink(row_of(c, move), c, change.beta, g);
        }
    }

  private:
    // beta * (a * b) is the same number for (a, b) and (b, a): S stays symmetric to the bit.
    void shrink(double *row, std::int64_t c, double beta, const std::vector<double> &g) const {
        if (row[c] == 0) row[c] = start_;
        const double of_column = g[static_cast<std::size_t>(c)];
        for (std::int64_t other = 0; other < size_; ++other)
            row[other] -= beta * (of_column * g[static_cast<std::size_t>(other)]);
        row[c] = clamp_variance(row[c]);
    }
    double *row_of(std::int64_t c, const Move &move) const {
        return state_.sigma.data() + (move.output * size_ + c) * size_;
    }

    const Rows &rows_;
    State &state_;
    double start_;
    std::int64_t size_;
    std::vector<double> g_[2];
    double variances_[2] = {};
};

template <class Rows, class Shape>
class Covariance : public RuleEvaluation<Rows> {
  public:
    Covariance(const Rows &rows, Examples &examples, State &state, const Rule &rule)
        : RuleEvaluation<Rows>(rows, examples, state, rule),
          shape_(rows, state, rule.needs().start) {}

    void judge(std::int64_t i, double margin, std::int64_t counter, double y, const Moves &moves) {
        const auto measure = [&](Scalars &s) {
            if (!needs_.variance) return true;
            if (quiet(s)) return false;
            s.variance = variance(i, moves);
            return true;
        };
        this->judge_margin(i, margin, counter, y, moves.count, measure, [&](Scalars &s) {
            if (!needs_.variance) s.variance = variance(i, moves);
            if (s.variance > 0 && !collapsed(i, s)) correct(i, s, counter, moves);
        });
    }

    // The scalars that `required` asks for.
    Scalars seen(std::int64_t i, double margin, std::int64_t counter, double y,
                 const Moves &moves) {
        Scalars s = this->scalars(i, margin, counter, y, moves.count);
        if (needs_.variance) s.variance = variance(i, moves);
        return s;
    }

  private:
    // Whether the margin would do even with the variance at the start, which is never exceeded but
    // for roundings.
    bool quiet(Scalars s) const {
        s.variance = needs_.start * s.sqnorm * (1 + 1e-9);
        return s.margin > threshold(rule_, s);
    }

    // Whether a rule that is to be ever more certain is so certain of this row already that no step
    // can be computed: it comes to that where rows contradict each other and nothing limits steps.
    bool collapsed(std::int64_t i, const Scalars &s) {
        if (!needs_.variance || s.variance > Shape::least_share * needs_.start * s.sqnorm)
            return false;
        if (state_.collapsed_row < 0) {
            state_.collapsed_row = i;
            state_.collapsed_at = state_.presentations;
        }
        return true;
    }

    double variance(std::int64_t i, const Moves &moves) {
        double total = 0;
        for (int m = 0; m < moves.count; ++m) total += shape_.variance(i, moves.share[m], m);
        return total;
    }

    void correct(std::int64_t i, const Scalars &s, std::int64_t counter, const Moves &moves) {
        const double clock = state_.clock_now(state_.counter(counter));
        if (state_.hypotheses) this->end_life(counter);
        const double tau =
            needs_.apart ? correct_apart(i, s, clock, moves) : correct_together(i, s, clock, moves);
        this->count_correction(i, counter, tau);
    }

    double correct_together(std::int64_t i, const Scalars &s, double clock, const Moves &moves) {
        const Change change = rule_.change(s);
        for (int m = 0; m < moves.count; ++m)
            shape_.correct(i, moves.share[m], m, clock, [&](double, double) { return change; });
        return change.tau;
    }

    double correct_apart(std::int64_t i, const Scalars &s, double clock, const Moves &moves) {
        Scalars part = s;
        for (int m = 0; m < moves.count; ++m)
            shape_.correct(i, moves.share[m], m, clock, [&](double margin, double variance) {
                part.margin = margin;
                part.variance = variance;
                return rule_.change(part);
            });
        return s.weight;
    }

    using RuleEvaluation<Rows>::state_;
    using RuleEvaluation<Rows>::rule_;
    using RuleEvaluation<Rows>::needs_;
    Shape shape_;
};

}  // namespace hardlimit
