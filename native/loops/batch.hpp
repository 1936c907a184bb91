// The batch loop: at fixed weights all violators are gathered, then their corrections are added at
// once. `step` counts iterations, and so does the clock of the averages.
#pragma once
#include <vector>

#include "loops/additive.hpp"

namespace hardlimit {

// How the corrections of one iteration are combined.
enum class Combine { sum, average, line_search };

struct Pending {
    std::int64_t row;
    Moves moves;
    double tau, sqnorm, loss;
};

// Kept from call to call while one iteration is under way.
struct Batch {
    std::vector<std::vector<Pending>> violators;  // per counter
    std::vector<double> direction;                // n_columns + 1 rows of n_outputs
};

// Judges like the online loop, and moves nothing.
template <class Rows>
class ViolatorGathering : public RuleEvaluation<Rows> {
  public:
    ViolatorGathering(const Rows &rows, Examples &examples, State &state, const Rule &rule,
                      Batch &batch)
        : RuleEvaluation<Rows>(rows, examples, state, rule), batch_(batch) {}

    void judge(std::int64_t i, double margin, std::int64_t counter, double y, const Moves &moves) {
        this->judge_margin(i, margin, counter, y, moves.count, [&](const Scalars &s) {
            batch_.violators[static_cast<std::size_t>(counter)].push_back(
                {i, moves, this->rule_.change(s).tau, s.sqnorm,
                 loss(i, margin, counter, y, moves.count)});
        });
    }
    void presented() {}

    // Adds what was gathered for this counter; false where the corrections cancel each other.
    bool apply(std::int64_t counter, Combine combine) {
        const auto &violators = batch_.violators[static_cast<std::size_t>(counter)];
        add_up(violators);
        const double clock = this->state_.clock_now(this->state_.counter(counter));
        double factor = 1;
        if (combine == Combine::average) factor = 1 / static_cast<double>(violators.size());
        if (combine == Combine::line_search) factor = line_search(counter, violators);
        // Where single examples are remembered, what cancels in the weights does not cancel in
        // them.
        if (!move(factor, clock) && !this->needs_.example) return false;
        Counter &count = this->state_.counter(counter);
        ++count.corrections;
        ++count.tally.corrections;
        for (const Pending &pending : violators)
            this->remember(pending.row, counter, factor * pending.tau);
        if (this->needs_.wsq) {
            count.wsq = count.added = this->state_.squared_length(counter);
            count.since_recomputed = 0;
        }
        return true;
    }

  private:
    void add_up(const std::vector<Pending> &violators) {
        State &state = this->state_;
        batch_.direction.assign(state.w.size(), 0.0);
        for (const Pending &pending : violators)
            for (int m = 0; m < pending.moves.count; ++m) {
                const Move &move = pending.moves.share[m];
                this->rows_.add_scaled(pending.row, pending.tau * move.sign,
                                       batch_.direction.data() + move.output, state.n_outputs);
            }
    }

    bool move(double factor, double clock) {
        State &state = this->state_;
        bool moved = false;
        for (std::size_t j = 0; j < batch_.direction.size(); ++j) {
            const double change = factor * batch_.direction[j];
            if (change == 0) continue;
            moved = true;
            state.w[j] += change;
            if (state.averaged) state.u[j] += clock * change;
        }
        return moved;
    }

    // The step to the minimum along the direction of the sum over the violators of
    // (required - margin)^2 / (2 sqnorm), as if nobody joined or left them; halved until the
    // criterion really does not grow.
    double line_search(std::int64_t counter, const std::vector<Pending> &violators) {
        double slope = 0, curvature = 0, before = 0;
        Scores scores(this->state_.n_outputs);
        for (const Pending &pending : violators) {
            const double product = along(pending, scores);
            slope += pending.tau * product;
            curvature += product * product / pending.sqnorm;
            before += pending.loss;
        }
        double factor = curvature > 0 ? slope / curvature : 0;
        for (int halvings = 0; halvings < 64 && after(factor, counter) > before; ++halvings)
            factor /= 2;
        return factor;
    }

    // <z, direction>
    double along(const Pending &pending, Scores &scores) const {
        const auto &s =
            scores.of(this->rows_, pending.row, batch_.direction.data(), this->state_.outputs());
        double product = 0;
        for (int m = 0; m < pending.moves.count; ++m) {
            const Move &move = pending.moves.share[m];
            product += move.sign * s[static_cast<std::size_t>(move.output)];
        }
        return product;
    }

    // The criterion of this counter at w + factor * direction.
    double after(double factor, std::int64_t counter) const {
        const State &state = this->state_;
        std::vector<double> w(state.w.size());
        for (std::size_t j = 0; j < w.size(); ++j) w[j] = state.w[j] + factor * batch_.direction[j];
        double total = 0;
        Scores scores(state.n_outputs);
        for (std::int64_t p = 0; p < this->examples_.n_present; ++p) {
            const std::int64_t i = this->examples_.present_row(p);
            const auto &s = scores.of(this->rows_, i, w.data(), state.outputs());
            margins_of(s.data(), this->examples_, i, state,
                       [&](std::int64_t k, double margin, double y, const Moves &moves) {
                           if (k == counter) total += loss(i, margin, k, y, moves.count);
                       });
        }
        return total;
    }

    double loss(std::int64_t i, double margin, std::int64_t counter, double y, int moves) const {
        const Scalars s = this->scalars(i, margin, counter, y, moves);
        const double short_of = this->rule_.required(s) - margin;
        return short_of < 0 || s.sqnorm == 0 ? 0 : short_of * short_of / (2 * s.sqnorm);
    }

    Batch &batch_;
};

}  // namespace hardlimit
