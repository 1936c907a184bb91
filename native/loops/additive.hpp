// Corrections of the additive rules: theta <- shrink * theta + tau * y * x, w = theta or a link.
//
// A shrink touches no weight: the state holds v with w = shrinkage * v, and the sum of all
// hypotheses as clock * v - u. Both are folded into v and u again after so many shrinks, so that
// the result depends on the corrections alone, not on who looked at it and when.
#pragma once
#include <span>

#include "loops/evaluate_rule.hpp"
#include "loops/link.hpp"

namespace hardlimit {

template <class Rows>
class Additive : public RuleEvaluation<Rows> {
  public:
    using RuleEvaluation<Rows>::RuleEvaluation;

    double applied() const { return applied_; }  // of the last correction

    void judge(std::int64_t i, double margin, std::int64_t counter, double y, const Moves &moves) {
        this->judge_margin(i, margin, counter, y, moves.count,
                           [&](const Scalars &s) { correct(i, s, counter, moves); });
    }

  protected:
    void correct(std::int64_t i, const Scalars &s, std::int64_t counter, const Moves &moves) {
        const Change change = rule_.change(s);
        Counter &count = state_.counter(counter);
        state_.clock_now(count);
        if (state_.hypotheses) {
            this->end_life(counter);
            note(i, counter, moves, change);
        }
        if (needs_.shrinks && count.has_weights()) state_.shrink(counter, change.shrink);
        applied_ = change.tau / count.shrinkage;
        add(i, applied_, count.clock, moves);  // of now: a shrink may have set the clock back
        this->count_correction(i, counter, change.tau);
        if (needs_.wsq) follow_wsq(counter, s, change);
    }

    void add(std::int64_t i, double tau, double clock, const Moves &moves) {
        if (needs_.linked) return add_linked(i, tau, moves);
        if (state_.touched) return add_touched(i, tau, clock, moves);
        for (int m = 0; m < moves.count; ++m) {
            const Move &move = moves.share[m];
            rows_.add_scaled(i, tau * move.sign, state_.w.data() + move.output, state_.n_outputs);
            if (state_.averaged)
                rows_.add_scaled(i, clock * tau * move.sign, state_.u.data() + move.output,
                                 state_.n_outputs);
        }
    }

    void add_touched(std::int64_t i, double tau, double clock, const Moves &moves) {
        // Cells are of coupled outputs, which move in pairs.
        CellMove pair[2];
        for (int m = 0; m < moves.count; ++m) {
            const Move &move = moves.share[m];
            pair[m] = {static_cast<std::uint32_t>(move.output), tau * move.sign,
                       clock * tau * move.sign};
        }
        add_scaled(rows_, i, std::span(pair, static_cast<std::size_t>(moves.count)),
                   *state_.touched);
    }

    void add_linked(std::int64_t i, double tau, const Moves &moves) {
        for (int m = 0; m < moves.count; ++m) {
            const Move &move = moves.share[m];
            add_linked_to(rows_, i, tau * move.sign, state_, move.output);
        }
    }

    // ||a w + tau z||^2 = a^2 ||w||^2 + 2 a tau margin + tau^2 ||z||^2, computed anew before the
    // roundings of the short form can matter. A shrink multiplies what they have added up to: where
    // it is above 1, w keeps its length only since what is added cancels, and the error stays.
    void follow_wsq(std::int64_t counter, const Scalars &s, const Change &change) {
        Counter &count = state_.counter(counter);
        const double added = change.tau * change.tau * s.sqnorm;
        const double a = needs_.shrinks ? change.shrink : 1;
        count.wsq = std::max(0.0, a * a * count.wsq + 2 * a * change.tau * s.margin + added);
        count.added = a * a * count.added + added;
        if (++count.since_recomputed < State::patience && count.wsq > trusted() * count.added)
            return;
        count.wsq = squared_length_of(rows_, state_, counter);
        count.added = count.wsq;
        count.since_recomputed = 0;
    }

    // The share of what was added that must be left. Where ||w|| steers how w shrinks, a wrong one
    // makes the next step wrong, and that the next norm: six bits may be lost, no more.
    double trusted() const { return needs_.shrinks ? 0x1p-6 : 1e-7; }

    void note(std::int64_t i, std::int64_t counter, const Moves &moves, const Change &change) {
        std::vector<LoggedCorrection> *log = state_.hypotheses->correction_log();
        if (!log) return;
        const Move &plus = moves.share[0];
        const auto minus = moves.count == 2 ? static_cast<std::int32_t>(moves.share[1].output) : -1;
        log->push_back(
            {i, state_.presentations + 1, static_cast<std::int32_t>(counter),
             static_cast<std::int32_t>(plus.output), minus, change.tau * plus.sign,
             needs_.shrinks && state_.counter(counter).has_weights() ? change.shrink : 1});
    }

    double applied_ = 0;  // of the last correction, to v

    using RuleEvaluation<Rows>::rows_;
    using RuleEvaluation<Rows>::examples_;
    using RuleEvaluation<Rows>::state_;
    using RuleEvaluation<Rows>::rule_;
    using RuleEvaluation<Rows>::needs_;
};

}  // namespace hardlimit
