// Corrections of the rules that multiply: w_j <- w_j * factor^(x_j), the bias's weight excepted,
// which is a threshold that stays.
//
// A correction moves one output: coupled classes are refused before they come here.
#pragma once
#include <cmath>

#include "loops/evaluate_rule.hpp"
#include "numeric/power.hpp"

namespace hardlimit {

// base^x for x >= 0; whole exponents by multiplications, which are exact for powers of two.
inline double power(PowersOf &base, double x) {
    constexpr double most = 64;
    if (x > most || x != std::floor(x)) return base(x);
    double power = base.base();
    for (double k = 1; k < x; ++k) power *= base.base();
    return power;
}

template <class Rows>
class Multiplicative : public RuleEvaluation<Rows> {
  public:
    using RuleEvaluation<Rows>::RuleEvaluation;

    void judge(std::int64_t i, double margin, std::int64_t counter, double y, const Moves &moves) {
        this->judge_margin(i, margin, counter, y, moves.count, [&](const Scalars &s) {
            correct(i, s, counter, moves.share[0].output);
        });
    }

  private:
    void correct(std::int64_t i, const Scalars &s, std::int64_t counter, std::int64_t output) {
        bool moves = false;
        visit_weights(i, output, [&](std::size_t j, double) { moves |= state_.w[j] != 0; });
        if (!moves) return;  // a row of zeros, or of eliminated columns
        const double clock = state_.clock_now(state_.counter(counter));
        if (state_.hypotheses) this->end_life(counter);
        PowersOf factor(rule_.change(s).tau);
        visit_weights(i, output, [&](std::size_t j, double x) {
            const double before = state_.w[j];
            state_.w[j] = before * power(factor, x);
            if (state_.averaged) state_.u[j] += clock * (state_.w[j] - before);
        });
        this->count_correction(i, counter, 1);
    }

    template <class See>
    void visit_weights(std::int64_t i, std::int64_t output, See see) const {
        rows_.visit(i, [&](std::int64_t c, double x) {
            if (c < rows_.n_columns)
                see(static_cast<std::size_t>(c * state_.n_outputs + output), x);
        });
    }

    using RuleEvaluation<Rows>::rows_;
    using RuleEvaluation<Rows>::state_;
    using RuleEvaluation<Rows>::rule_;
};

}  // namespace hardlimit
