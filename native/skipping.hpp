// Rows that provably would not be corrected are not visited: the same bits from fewer products.
//
// A row with z.w > required calls for nothing but the clock. With z.c stored at a checkpoint c, and
// the length of delta = w - c bounded (drift.hpp), that is certain where
//   (z.c - required) / ||z|| > ||delta||
// The idea is Elkan's for k-means (ICML 2003). Every bound carries its roundings; where one is not
// a number, or beyond what can be promised, the row is visited.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "checkpoint.hpp"
#include "online.hpp"
#include "paying.hpp"

namespace hardlimit {

// Whether rows may be skipped: one output, and a rule that requires the same of all and only adds.
inline bool may_skip(const Rule &rule, const State &state) {
    const Needs needs = rule.needs();
    return state.scheme == SchemeName::single && needs.kind == Kind::additive && !needs.linked &&
           !needs.shrinks && !needs.changing_required && !std::isnan(rule.required(Scalars{}));
}

class Skipping {
  public:
    explicit Skipping(bool always) : paying_(always) {}

    bool on() const { return on_; }

    // Products with weights since it was asked last, those of checkpoints included.
    std::int64_t take_products() { return std::exchange(products_, 0); }
    void visited(std::int64_t rows) { of_epoch_ += rows, products_ += rows; }

    // A round begins: a checkpoint is set where one is due. False: the budget was used up before
    // all rows were looked at.
    template <class Learner>
    bool begin(Learner &learner, std::int64_t &budget) {
        if (!setting_ && due(learner)) start(learner);
        return !setting_ || set(learner, budget);
    }

    // Those of the positions begin .. end - 1 whose rows are to be visited, as things stand.
    const std::vector<std::int64_t> &awake(const Round &round, std::int64_t begin,
                                           std::int64_t end) {
        found_.resize(static_cast<std::size_t>(end - begin));
        std::size_t n = 0;
        for (std::int64_t p = begin; p < end; ++p) {
            found_[n] = p;
            n += !checkpoint_.asleep(round.order ? round.order[p] : p);
        }
        found_.resize(n);
        looks_ += end - begin;
        return found_;
    }

    void moved(std::int64_t i, double margin, double tau) { checkpoint_.moved(i, margin, tau); }

  private:
    // What a look at a bound and a visit cost besides the products of the row's values.
    static constexpr double of_look = 2, of_visit = 16;

    template <class Learner>
    bool due(Learner &learner) {
        const double visits = static_cast<double>(std::exchange(of_epoch_, 0));
        const double looks = static_cast<double>(std::exchange(looks_, 0));
        const double pass = static_cast<double>(learner.round().length) * visit_cost(learner);
        if (!on_) return paying_.may_try(1);
        const Advice advice =
            paying_.after((visits * visit_cost(learner) + looks * of_look) / pass);
        on_ = advice == Advice::go_on;
        return advice == Advice::renew;
    }

    template <class Learner>
    double visit_cost(Learner &learner) {
        const auto &rows = learner.rows();
        if (cost_ == 0) {
            for (std::int64_t i = 0; i < rows.n_rows; ++i)
                cost_ += static_cast<double>(rows.work(i));
            cost_ = of_visit + cost_ / static_cast<double>(rows.n_rows);
        }
        return cost_;
    }

    template <class Learner>
    void start(Learner &learner) {
        paying_.paid(1);
        checkpoint_.begin(learner.rows(), learner.state(), learner.fixed_threshold());
        setting_ = true;
        next_ = 0;
    }

    template <class Learner>
    bool set(Learner &learner, std::int64_t &budget) {
        const auto &rows = learner.rows();
        const Round &round = learner.round();
        for (; next_ < round.n_present && budget > 0; ++next_) {
            const std::int64_t i = round.present_row(next_);
            const std::int64_t coming = round.present_row(std::min(next_ + 1, round.n_present - 1));
            const double score = rows.dot(i, learner.state().w.data(), coming);
            checkpoint_.set(rows, i, round.targets[i] ? score : -score);
            ++products_;
            budget -= rows.work(i) + 16;
        }
        setting_ = next_ < round.n_present;
        on_ = !setting_;
        return on_;
    }

    Checkpoint checkpoint_;
    Paying paying_;
    bool on_ = false, setting_ = false;
    std::int64_t next_ = 0;  // to be set
    std::int64_t products_ = 0, of_epoch_ = 0, looks_ = 0;
    double cost_ = 0;  // of a visit, on average
    std::vector<std::int64_t> found_;
};

// As the loop of online.hpp, without the rows that sleep: only the clock goes on over them.
template <class Learner>
std::int64_t present_awake(Learner &learner, Skipping &skipping, std::int64_t begin,
                           std::int64_t budget) {
    constexpr std::int64_t block = 128;
    const Round &round = learner.round();
    const auto row_at = [&](std::int64_t p) { return round.order ? round.order[p] : p; };
    State &state = learner.state();
    Single<Learner> scheme{learner};
    std::int64_t shown = begin;  // all positions before this were presented
    while (shown < round.length && budget > 0) {
        const std::int64_t end = std::min(shown + block, round.length);
        const auto &awake = skipping.awake(round, shown, end);
        budget -= end - shown;
        bool still = true;
        for (std::size_t k = 0; k < awake.size() && still; ++k) {
            const std::int64_t i = row_at(awake[k]);
            const std::int64_t coming = k + 1 < awake.size() ? row_at(awake[k + 1]) : i;
            state.presentations += awake[k] - shown;
            const std::int64_t before = state.counters[0].corrections;
            const double margin = scheme.present(i, coming);
            learner.presented();
            shown = awake[k] + 1;
            skipping.visited(1);
            budget -= learner.rows().work(i) + 16;
            still = state.counters[0].corrections == before;
            if (!still) skipping.moved(i, margin, learner.applied());
        }
        if (!still) continue;  // others may be awake now
        state.presentations += end - shown;
        shown = end;
    }
    return shown;
}

template <class Learner>
std::int64_t present(Learner &learner, Skipping &skipping, std::int64_t begin,
                     std::int64_t budget) {
    if (begin == 0 && !skipping.begin(learner, budget)) return 0;
    budget = std::max<std::int64_t>(budget, 1);
    if (skipping.on()) return present_awake(learner, skipping, begin, budget);
    const std::int64_t reached = present(learner, begin, budget);
    skipping.visited(reached - begin);
    return reached;
}

}  // namespace hardlimit
