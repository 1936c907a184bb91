// The dual form: the loop of the online rules over kernel_rows.hpp.
//
// Judged by scores that are computed one row at a time, it is slow and exact. Ahead of it, Python
// may compute the scores of many rows by a matrix product, with bounds of their rounding errors.
// A row is judged by those wherever its bounds leave no doubt of what they decide; where they leave
// one, or where the rule asks for the margin itself, the row's scores are computed here, in the one
// order of summation. The corrections are therefore the same to the last bit, whoever multiplies.
#pragma once
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "dual/budgets/numbers.hpp"
#include "dual/kernel_rows.hpp"
#include "loops/additive.hpp"

namespace hardlimit {

// Scores of some rows as if nothing more were corrected, moved at each correction.
struct Ahead {
    std::int64_t length = 0;
    double *scores = nullptr;           // (length, n_outputs), of v: the shrinkage comes on top
    const double *products = nullptr;   // (length, length): K between the rows
    const double *deviation = nullptr;  // of each row: what its K may be off by, whatever the other
    const double *magnitude = nullptr;  // of each row: what its K cannot exceed
    bool by_row = false;  // row i stands at i for ever; else the rows stand as they are presented
    std::vector<double> moved;  // of each output: the sum of all |coefficients| that were added
    std::int64_t n_moves = 0;   // how many of them, those in the scores at the start included
    bool stale = false;         // the weights have changed otherwise: compute the scores anew
};

// Who holds the supports. Without one each corrected example is held for ever. A holding is asked
// at each correction and answers with the verbs of the learner: hold, add_at, remove, shrink,
// scores_of, gram().at. Averages and votes are of those who never remove.
class DualLearner;
class Holding {
  public:
    virtual ~Holding() = default;
    // Whether this violator is to be corrected at all; may change tau, the rule's.
    virtual bool takes(DualLearner &, std::int64_t, std::int64_t, const Scalars &, const Moves &,
                       double &) {
        return true;
    }
    // The example is to be added with coefficient tau (of v) at the moves; do so, or otherwise.
    virtual void add(DualLearner &learner, std::int64_t example, std::int64_t counter, double tau,
                     const Moves &moves) = 0;
    // Example examples[i] is from now on called i.
    virtual void renumber(const std::vector<std::int64_t> &examples) = 0;
    // What it remembers, for copies and model files: budgets/numbers.hpp.
    virtual void write(Written &to) const = 0;
    virtual void read(Reader &from) = 0;
};

class DualLearner : public Additive<KernelRows> {
  public:
    DualLearner(const KernelRows &rows, Examples &examples, State &state, const Rule &rule,
                Supports &supports, Gram &gram, Ahead *ahead, bool exact_margins,
                Holding *holding = nullptr)
        : Additive<KernelRows>(rows, examples, state, rule),
          supports_(supports),
          gram_(gram),
          ahead_(ahead),
          exact_margins_(exact_margins),
          holding_(holding),
          scores_(state.n_outputs),
          asked_(state.n_outputs) {}

    // Presents the rows at positions begin .. end - 1 of the epoch; the position reached, which is
    // short of the end where the scores ahead have become stale.
    std::int64_t present(std::int64_t begin, std::int64_t end) {
        for (std::int64_t position = begin; position < end; ++position) {
            const std::int64_t i = row_at(position);
            slot_ = ahead_ && !ahead_->by_row ? position - begin : i;
            current_ = i;
            margins(i, exact_margins_,
                    [&](std::int64_t counter, double margin, double y, const Moves &moves) {
                        if (!state_.counter(counter).resting) judge(i, margin, counter, y, moves);
                    });
            presented();
            if (ahead_ && ahead_->stale) return position + 1;
        }
        return end;
    }

    // Looks at the rows at positions begin .. end - 1 among those that take part: see(counter,
    // margin, required) for each.
    template <class See>
    void look(std::int64_t begin, std::int64_t end, See see) {
        for (std::int64_t position = begin; position < end; ++position) {
            const std::int64_t i = examples_.present_row(position);
            slot_ = ahead_ && !ahead_->by_row ? position - begin : i;
            margins(i, false,
                    [&](std::int64_t counter, double margin, double y, const Moves &moves) {
                        see(counter, margin, rule_.required(seen(i, margin, counter, y, moves)));
                    });
        }
    }

    // What a Holding works with. Coefficients are those of v: w = shrinkage * v.
    const Supports &supports() const { return supports_; }
    Supports &supports() { return supports_; }
    Gram &gram() { return gram_; }

    double coefficient(std::int64_t place, std::int64_t output) const {
        return state_.w[cell(place, output)];
    }

    // In the one order of summation, of v.
    const std::vector<double> &scores_of(std::int64_t example) {
        return asked_.of(rows_, example, state_.w.data(), state_.outputs());
    }

    // The coefficient of a support grows; averages and the scores ahead follow.
    void add_at(std::int64_t example, std::int64_t counter, std::int64_t output, double amount) {
        const std::size_t at = cell(supports_.place(example), output);
        state_.w[at] += amount;
        if (state_.averaged) state_.u[at] += state_.counter(counter).clock * amount;
        if (ahead_) follow(example, output, amount);
    }

    // The example counts no more, for any output, and its place is free.
    void remove(std::int64_t example) {
        for (std::int64_t counter = 0; counter < state_.n_counters(); ++counter)
            clear(example, counter);
        supports_.remove(example);
    }

    // The example counts exactly nothing for the outputs of this counter.
    void clear(std::int64_t example, std::int64_t counter) {
        for (std::int64_t k = state_.first_of(counter); k < state_.end_of(counter); ++k) {
            const double left = coefficient(supports_.place(example), k);
            if (left != 0) add_at(example, counter, k, -left);
        }
    }

    // It counts no more; its place is free unless what was learnt before still needs it.
    void release(std::int64_t example) {
        if (!state_.averaged && !state_.hypotheses) remove(example);
    }

    // All coefficients of a counter are multiplied, at no cost; `applied` are then of another
    // shrinkage.
    void shrink(std::int64_t counter, double factor) {
        state_.shrink(counter, factor);
        if (ahead_ && state_.counter(counter).since_folded == 0) ahead_->stale = true;
    }

  private:
    std::size_t cell(std::int64_t place, std::int64_t output) const {
        return static_cast<std::size_t>(place * state_.n_outputs + output);
    }

    std::int64_t row_at(std::int64_t position) const {
        return examples_.order ? examples_.order[position] : position;
    }

    template <class See>
    void margins(std::int64_t i, bool exact, See see) {
        if (state_.scheme == SchemeName::coupled && state_.n_outputs < 2) return;
        const double *scores = ahead_ ? ahead_->scores + slot_ * state_.n_outputs : nullptr;
        if (!ahead_ || in_doubt(i, scores, exact))
            scores = scores_.of(rows_, i, state_.w.data(), state_.outputs()).data();
        margins_of(scores, examples_, i, state_, see);
    }

    // Whether the bounds of these scores leave open what happens; of violators, where the rule
    // asks for the margin itself, they always do.
    bool in_doubt(std::int64_t i, const double *scores, bool exact) const {
        bool doubt = false;
        margins_of(
            scores, examples_, i, state_,
            [&](std::int64_t counter, double margin, double y, const Moves &moves) {
                const double required =
                    rule_.required(this->scalars(i, margin, counter, y, moves.count));
                const double shrinkage = std::abs(state_.counter(counter).shrinkage);
                double error = 0;
                for (int m = 0; m < moves.count; ++m)
                    error += shrinkage * error_of(moves.share[m].output);
                // So that what is not a number is in doubt too.
                const bool sure =
                    std::abs(margin) > error && std::abs(margin - required) > error &&
                    (examples_.tol == 0 || std::abs(margin - (required - examples_.tol)) > error);
                doubt |= !sure || (margin <= required && (exact || rivals_in_doubt(scores, moves)));
            });
        return doubt;
    }

    // Whether another class might be the best rival of the right one.
    bool rivals_in_doubt(const double *scores, const Moves &moves) const {
        if (moves.count < 2) return false;
        const std::int64_t right = moves.share[0].output, rival = moves.share[1].output;
        const double best = scores[rival] - error_of(rival);
        for (std::int64_t k = 0; k < state_.n_outputs; ++k)
            if (k != right && k != rival && !(scores[k] + error_of(k) < best)) return true;
        return false;
    }

    // What the score of this output may be off by: K itself, and the rounding of so many sums.
    double error_of(std::int64_t output) const {
        constexpr double unit = std::numeric_limits<double>::epsilon();
        const auto steps = static_cast<double>(ahead_->n_moves + supports_.size() + 16);
        return ahead_->moved[static_cast<std::size_t>(output)] *
               (ahead_->deviation[slot_] + unit * steps * ahead_->magnitude[slot_]) * (1 + 1e-6);
    }

    void judge(std::int64_t i, double margin, std::int64_t counter, double y, const Moves &moves) {
        judge_margin(i, margin, counter, y, moves.count,
                     [&](const Scalars &s) { correct(i, s, counter, moves); });
    }

    void correct(std::int64_t i, const Scalars &s, std::int64_t counter, const Moves &moves) {
        supports_.make_room();
        Change change = rule_.change(s);
        if (holding_ && !holding_->takes(*this, i, counter, s, moves, change.tau)) return;
        Counter &count = state_.counter(counter);
        state_.clock_now(count);
        if (state_.hypotheses) {
            end_life(counter);
            note(i, counter, moves, change);
        }
        if (needs_.shrinks && count.corrections > 0) {
            state_.shrink(counter, change.shrink);
            if (ahead_ && count.since_folded == 0) ahead_->stale = true;
        }
        applied_ = change.tau / count.shrinkage;
        if (holding_)
            holding_->add(*this, i, counter, applied_, moves);
        else
            hold(i, counter, applied_, moves);
        count_correction(i, counter, change.tau);
        if (needs_.wsq) follow_wsq(counter, s, change);
    }

  public:
    // The example becomes a support, where it is none yet, with this coefficient.
    void hold(std::int64_t i, std::int64_t counter, double tau, const Moves &moves) {
        supports_.add(i);
        for (int m = 0; m < moves.count; ++m)
            add_at(i, counter, moves.share[m].output, tau * moves.share[m].sign);
    }

  private:
    // The scores ahead after a coefficient has grown.
    void follow(std::int64_t example, std::int64_t output, double amount) {
        Ahead &a = *ahead_;
        a.moved[static_cast<std::size_t>(output)] += std::abs(amount);
        ++a.n_moves;
        if (!a.by_row && example != current_) {  // its products with these rows are not at hand
            a.stale = true;
            return;
        }
        const double *products = a.products + (a.by_row ? example : slot_) * a.length;
        const std::int64_t outputs = state_.n_outputs;
        double *scores = a.scores + output;
        for (std::int64_t j = a.by_row ? 0 : slot_ + 1; j < a.length; ++j)
            scores[j * outputs] += amount * products[j];
    }

    Supports &supports_;
    Gram &gram_;
    Ahead *ahead_;
    bool exact_margins_;
    Holding *holding_;
    Scores scores_, asked_;  // of the row that is judged; of any other
    std::int64_t slot_ = 0, current_ = -1;
};

}  // namespace hardlimit
