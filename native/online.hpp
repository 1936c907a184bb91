// The one online loop: rows are presented in order, a rule is asked, violators move the weights.
//
// Three schemes say what a presentation is:
//   Single       one output, targets -1 and +1
//   Independent  an output per class, each against the rest, with counters of its own
//   Coupled      an output per class, one correction shared by the right class and its best rival
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "rows.hpp"
#include "rules/rule.hpp"
#include "state.hpp"

namespace hardlimit {

// What is presented: `order` names the rows (null: as they lie), `weights` may be null.
struct Round {
    const std::int32_t *targets = nullptr;
    const double *weights = nullptr;
    const std::int64_t *order = nullptr;
    std::int64_t length = 0;
    double tol = 0;
    // Per example (and neuron, where each learns by itself), for rules that ask.
    std::vector<std::int64_t> n_i;
    std::vector<double> alpha_i;
};

// `margin < required` as a comparison with <=, so that the loop asks one question for all rules.
inline double threshold(const Rule &rule, const Scalars &scalars) {
    const double required = rule.required(scalars);
    if (rule.equality_violates()) return required;
    return std::nextafter(required, -std::numeric_limits<double>::infinity());
}

// Asks the rule and carries out its answer; shared by the three schemes.
template <class Rows>
class Learner {
  public:
    // One share of a correction: the output that moves, and in which direction.
    struct Move {
        std::int64_t output;
        double sign;
    };

    Learner(const Rows &rows, Round &round, State &state, const Rule &rule)
        : rows_(rows), round_(round), state_(state), rule_(rule), needs_(rule.needs()) {
        if (!needs_.changing_required) threshold_ = threshold(rule, Scalars{});
    }

    const Rows &rows() const { return rows_; }
    const Round &round() const { return round_; }
    State &state() { return state_; }

    // `moves` is one Move, or the two of a coupled correction, whose difference vector has twice
    // the squared length of the row.
    template <std::size_t n>
    void judge(std::int64_t i, double margin, std::int64_t counter, double y,
               const Move (&moves)[n]) {
        Counter &count = state_.counters[static_cast<std::size_t>(counter)];
        if (margin <= 0) ++count.round_mistakes;
        if (!needs_.changing_required) {
            if (margin > threshold_) return;
        } else {
            if (margin > threshold(rule_, scalars(i, margin, count, counter, y, n))) return;
        }
        correct(i, scalars(i, margin, count, counter, y, n), count, counter, moves);
    }

    Scalars scalars(std::int64_t i, double margin, const Counter &count, std::int64_t counter,
                    double y, std::size_t moves) const {
        Scalars s;
        s.margin = margin;
        s.step = count.corrections + 1;
        s.wsq = count.wsq;
        s.y = y;
        if (needs_.sqnorm) s.sqnorm = static_cast<double>(moves) * rows_.sqnorm(i);
        if (round_.weights) s.weight = round_.weights[i];
        if (needs_.example) {
            s.n_i = round_.n_i[place(i, counter)];
            s.alpha_i = round_.alpha_i[place(i, counter)];
        }
        return s;
    }

  private:
    std::size_t place(std::int64_t i, std::int64_t counter) const {
        return static_cast<std::size_t>(i * static_cast<std::int64_t>(state_.counters.size()) +
                                        counter);
    }

    template <std::size_t n>
    void correct(std::int64_t i, const Scalars &s, Counter &count, std::int64_t counter,
                 const Move (&moves)[n]) {
        if (s.margin < rule_.required(s) - round_.tol) ++count.round_unmet;
        if (needs_.sqnorm && s.sqnorm == 0) return;
        if (!std::isfinite(s.sqnorm)) {
            state_.overflowed = true;
            return;
        }
        const double tau = rule_.tau(s);
        const double now = static_cast<double>(state_.presentations + 1);
        for (const Move &move : moves) {
            rows_.add_scaled(i, tau * move.sign, state_.w.data() + move.output, state_.n_outputs);
            if (state_.averaged)
                rows_.add_scaled(i, now * tau * move.sign, state_.u.data() + move.output,
                                 state_.n_outputs);
        }
        ++count.corrections;
        ++count.round_corrections;
        if (needs_.example) {
            ++round_.n_i[place(i, counter)];
            round_.alpha_i[place(i, counter)] += tau;
        }
        if (needs_.wsq) follow_wsq(count, counter, s, tau);
    }

    // ||w + tau z||^2 = ||w||^2 + 2 tau margin + tau^2 ||z||^2, computed anew before the roundings
    // of the short form can matter.
    void follow_wsq(Counter &count, std::int64_t counter, const Scalars &s, double tau) {
        const double added = tau * tau * s.sqnorm;
        count.wsq = std::max(0.0, count.wsq + 2 * tau * s.margin + added);
        count.added += added;
        if (++count.since_recomputed < 4096 && count.wsq > 1e-8 * count.added) return;
        count.wsq = state_.squared_length(counter);
        count.added = count.wsq;
        count.since_recomputed = 0;
    }

    const Rows &rows_;
    Round &round_;
    State &state_;
    const Rule &rule_;
    Needs needs_;
    double threshold_ = 0;
};

template <class Rows>
struct Single {
    Learner<Rows> &learner;

    void present(std::int64_t i, std::int64_t coming) {
        const double y = learner.round().targets[i] ? 1.0 : -1.0;
        const double margin = y * learner.rows().dot(i, learner.state().w.data(), coming);
        learner.judge(i, margin, 0, y, {{0, y}});
    }
};

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

  private:
    std::vector<double> sums_, out_;
};

template <class Rows>
struct Independent {
    Learner<Rows> &learner;
    Scores scores;

    void present(std::int64_t i, std::int64_t coming) {
        State &state = learner.state();
        learner.rows().prefetch_row(coming);
        const auto &s = scores.of(learner.rows(), i, state.w.data(), state.outputs());
        for (std::int64_t k = 0; k < state.n_outputs; ++k) {
            if (state.counters[static_cast<std::size_t>(k)].resting) continue;
            const double y = learner.round().targets[i] == k ? 1.0 : -1.0;
            learner.judge(i, y * s[static_cast<std::size_t>(k)], k, y, {{k, y}});
        }
    }
};

// The best rival of the right class; ties go to the lowest number.
inline std::int64_t best_rival(const std::vector<double> &scores, std::int64_t right) {
    std::int64_t rival = right == 0 ? 1 : 0;
    for (std::int64_t k = rival + 1; k < static_cast<std::int64_t>(scores.size()); ++k)
        if (k != right &&
            scores[static_cast<std::size_t>(k)] > scores[static_cast<std::size_t>(rival)])
            rival = k;
    return rival;
}

template <class Rows>
struct Coupled {
    Learner<Rows> &learner;
    Scores scores;

    void present(std::int64_t i, std::int64_t coming) {
        State &state = learner.state();
        learner.rows().prefetch_row(coming);
        if (state.n_outputs < 2) return;  // a class without a rival has nothing to learn
        const auto &s = scores.of(learner.rows(), i, state.w.data(), state.outputs());
        const std::int64_t right = learner.round().targets[i];
        const std::int64_t rival = best_rival(s, right);
        const double margin =
            s[static_cast<std::size_t>(right)] - s[static_cast<std::size_t>(rival)];
        learner.judge(i, margin, 0, 1.0, {{right, 1.0}, {rival, -1.0}});
    }
};

// Weights larger than this lie outside the processor's caches and are worth fetching ahead.
constexpr std::size_t beyond_cache = std::size_t{8} << 20;

// Presents the rows at positions begin, begin + 1, ... of the round until its end, or until about
// `budget` non-zeros have been seen, so that the caller can look at signals; returns the position
// reached.
template <class Rows, class Scheme>
std::int64_t present(Learner<Rows> &learner, Scheme scheme, std::int64_t begin,
                     std::int64_t budget) {
    constexpr std::int64_t rows_ahead = 8, weights_ahead = 2;
    const Rows &rows = learner.rows();
    const std::int64_t *order = learner.round().order;
    const std::int64_t length = learner.round().length;
    State &state = learner.state();
    const bool far = state.w.size() * sizeof(double) > beyond_cache;
    const auto row_at = [&](std::int64_t position) {
        const std::int64_t within = std::min(position, length - 1);
        return order ? order[within] : within;
    };
    std::int64_t position = begin;
    for (; position < length && budget > 0; ++position) {
        const std::int64_t i = row_at(position);
        if (far)
            rows.prefetch_weights(row_at(position + weights_ahead), state.w.data(),
                                  state.n_outputs);
        const std::int64_t coming = row_at(position + rows_ahead);
        prefetch(learner.round().targets + coming);
        scheme.present(i, coming);
        ++state.presentations;
        budget -= rows.work(i) * state.n_outputs + 16;
    }
    return position;
}

}  // namespace hardlimit
