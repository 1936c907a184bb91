// Rows that provably would not be corrected are not visited: the same bits from fewer products.
//
// A row with z.w > required calls for nothing but the clock. With z.c stored at an anchor c, and
// the length of delta = w - c bounded (drift.hpp), that is certain where
//   (z.c - required) / ||z|| > ||delta||
// and, with finer bounds (blocks.hpp), in many more cases. The idea is Elkan's for k-means (ICML
// 2003). Every bound carries its roundings; where one is not a number, or beyond what can be
// promised, the row is visited.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "loops/online.hpp"
#include "skipping/anchor.hpp"
#include "skipping/skip_policy.hpp"

namespace hardlimit {

// Whether rows may be skipped: one output, and a rule that only adds, and requires the same of all
// rows of a class.
inline bool may_skip(const Rule &rule, const State &state) {
    const Needs needs = rule.needs();
    if (state.scheme != SchemeName::single || needs.kind != Kind::additive) return false;
    if (needs.linked || needs.shrinks) return false;
    return !needs.changing_required || needs.by_target;
}

class Skipping {
  public:
    Skipping(bool always, std::int64_t planned_epochs) : policy_(always, planned_epochs) {}

    bool on() const { return on_; }

    // Products with weights or directions since it was asked last, those of anchors included.
    std::int64_t take_products() { return std::exchange(products_, 0); }
    void visited(std::int64_t rows) { visits_ += rows, products_ += rows; }

    // An epoch begins: an anchor is set where one is due. False: the work limit was reached
    // before all rows were looked at.
    template <class Learner>
    bool begin(Learner &learner, std::int64_t &work_limit) {
        if (!setting_ && due(learner)) start(learner);
        return !setting_ || set(learner, work_limit);
    }

    // Those of the positions begin .. end - 1 whose rows are to be visited, as things stand.
    const std::vector<std::int64_t> &find_awake(const Examples &examples, std::int64_t begin,
                                                std::int64_t end) {
        const auto row_at = [&](std::int64_t p) { return examples.order ? examples.order[p] : p; };
        awake_.resize(static_cast<std::size_t>(end - begin));
        std::size_t n = 0;
        for (std::int64_t p = begin; p < end; ++p) {
            awake_[n] = p;
            n += !anchor_.is_asleep(row_at(p));
        }
        looks_ += end - begin;
        if (anchor_.finer()) {
            const std::size_t looked = n;
            n = 0;
            for (std::size_t k = 0; k < looked; ++k) {
                awake_[n] = awake_[k];
                n += !anchor_.is_asleep_finer(row_at(awake_[k]));
            }
            finer_looks_ += looked;
            spared_ += looked - n;
        }
        awake_.resize(n);
        return awake_;
    }

    void note_correction(const State &state, std::int64_t i, double margin, double tau) {
        anchor_.note_correction(state, i, margin, tau);
        ++moves_;
    }

  private:
    // What a look at a bound, a visit and a correction cost besides the products of the row's
    // values; a product of floats side by side costs half as much as one of the row.
    static constexpr double look_price = 2, visit_price = 16, number_price = 0.5, move_price = 40;

    // Whether an anchor is due, by what the last epoch cost.
    template <class Learner>
    bool due(Learner &learner) {
        const auto visits = static_cast<double>(std::exchange(visits_, 0));
        const auto looks = static_cast<double>(std::exchange(looks_, 0));
        const auto finer_looks = static_cast<double>(std::exchange(finer_looks_, 0));
        const auto moves = static_cast<double>(std::exchange(moves_, 0));
        const auto spared = static_cast<double>(std::exchange(spared_, 0));
        if (visit_cost_ == 0) {
            visit_cost_ = visit_price + mean_work(learner);
            return policy_.may_try(price_of_set(learner));
        }
        if (!on_) {
            policy_.count_full_epoch();
            return policy_.may_try(price_of_set(learner));
        }
        const double finer_cost = finer_looks * look_cost();
        if (spared * visit_cost_ < finer_cost) anchor_.disable_finer();
        const double cost =
            visits * visit_cost_ + looks * look_price + finer_cost + moves * move_cost(learner);
        const Advice advice =
            policy_.after(cost / (static_cast<double>(learner.examples().length) * visit_cost_));
        on_ = advice == Advice::go_on;
        return advice == Advice::renew;
    }

    double look_cost() const {
        return look_price + number_price * static_cast<double>(anchor_.numbers());
    }

    template <class Learner>
    double move_cost(Learner &learner) const {
        if (!anchor_.finer()) return move_price;
        const auto columns = static_cast<double>(learner.rows().n_columns);
        return 2 * move_price + columns + static_cast<double>(anchor_.numbers());
    }

    template <class Learner>
    static double mean_work(Learner &learner) {
        const auto &rows = learner.rows();
        double all = 0;
        for (std::int64_t i = 0; i < rows.n_rows; ++i) all += static_cast<double>(rows.work(i));
        return all / static_cast<double>(rows.n_rows);
    }

    // Of an anchor, in passes: the margins, and the first time the lengths where the rule did
    // not ask for them before.
    template <class Learner>
    double price_of_set(Learner &learner) const {
        return anchor_.has_lengths() || learner.needs().sqnorm ? 1 : 2;
    }

    template <class Learner>
    void start(Learner &learner) {
        const std::int64_t n = learner.examples().n_present;
        const double price = price_of_set(learner), finer = Directions::price(n);
        // Rows with few values make corrections that are cheaper than a look at all columns.
        const bool dense = static_cast<double>(learner.rows().n_columns) < 4 * visit_cost_;
        const bool refine = !anchor_.has_blocks() && dense && policy_.may_refine(price + finer);
        policy_.paid(refine ? price + finer : price);
        products_ += static_cast<std::int64_t>(price - 1) * n + anchor_.begin(learner, refine);
        products_of_set_ = refine ? 1 + Directions::of_block : 1;
        setting_ = true;
        next_ = 0;
    }

    template <class Learner>
    bool set(Learner &learner, std::int64_t &work_limit) {
        const auto &rows = learner.rows();
        const Examples &examples = learner.examples();
        for (; next_ < examples.n_present && work_limit > 0; ++next_) {
            const std::int64_t i = examples.present_row(next_);
            const std::int64_t coming =
                examples.present_row(std::min(next_ + 1, examples.n_present - 1));
            const double sign = examples.targets[i] ? 1.0 : -1.0;
            const double score = rows.dot(i, learner.state().w.data(), coming);
            anchor_.set(rows, i, sign, sign * score);
            products_ += products_of_set_;
            work_limit -= (rows.work(i) + 16) * products_of_set_;
        }
        setting_ = next_ < examples.n_present;
        on_ = !setting_;
        return on_;
    }

    Anchor anchor_;
    SkipPolicy policy_;
    bool on_ = false, setting_ = false;
    std::int64_t next_ = 0, products_of_set_ = 1;  // the row to be set
    std::int64_t products_ = 0;
    std::int64_t visits_ = 0, looks_ = 0, moves_ = 0;  // of this epoch
    std::size_t finer_looks_ = 0, spared_ = 0;
    double visit_cost_ = 0;  // in products of values, on average
    std::vector<std::int64_t> awake_;
};

// As the loop of online.hpp, without the rows that sleep: only the clock goes on over them.
template <class Learner>
std::int64_t present_awake(Learner &learner, Skipping &skipping, std::int64_t begin,
                           std::int64_t work_limit) {
    constexpr std::int64_t least = 8, most = 256;
    std::int64_t block = most;  // rows looked at ahead: a correction makes the look void
    const Examples &examples = learner.examples();
    const auto row_at = [&](std::int64_t p) { return examples.order ? examples.order[p] : p; };
    State &state = learner.state();
    Single<Learner> scheme{learner};
    std::int64_t shown = begin;  // all positions before this were presented
    while (shown < examples.length && work_limit > 0) {
        const std::int64_t end = std::min(shown + block, examples.length);
        const auto &awake = skipping.find_awake(examples, shown, end);
        work_limit -= end - shown;
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
            work_limit -= learner.rows().work(i) + 16;
            still = state.counters[0].corrections == before;
            if (!still) skipping.note_correction(state, i, margin, learner.applied());
        }
        block = still ? std::min(2 * block, most) : std::max(block / 2, least);
        if (!still) continue;  // others may be awake now
        state.presentations += end - shown;
        shown = end;
    }
    return shown;
}

template <class Learner>
std::int64_t present(Learner &learner, Skipping &skipping, std::int64_t begin,
                     std::int64_t work_limit) {
    if (begin == 0 && !skipping.begin(learner, work_limit)) return 0;
    work_limit = std::max<std::int64_t>(work_limit, 1);
    if (skipping.on()) return present_awake(learner, skipping, begin, work_limit);
    const std::int64_t reached = present(learner, begin, work_limit);
    skipping.visited(reached - begin);
    return reached;
}

}  // namespace hardlimit
