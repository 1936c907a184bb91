// What a training state is to Python, whichever loop moves it: a rule, a state, and a lock.
//
// One mutex a state serialises learning and asking; it is never waited for under the interpreter's
// lock. Whoever reads what may change does so under it, sizes included.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "bind/containers.hpp"
#include "bind/examples_handle.hpp"
#include "bind/names.hpp"
#include "bind/shared_pointer.hpp"
#include "bind/unlocked.hpp"
#include "rules/rule.hpp"
#include "state/state.hpp"

namespace hardlimit {

using CounterTally = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

class TrainingState {
  public:
    // `in_cells`: whether the weights may lie in cells, see state.hpp.
    TrainingState(std::shared_ptr<Rule> rule, const std::string &scheme, std::int64_t n_columns,
                  std::int64_t n_outputs, bool averaged, bool in_cells = false)
        : rule_(std::move(rule)),
          state_(parse_scheme(scheme), check_size(n_columns, std::int64_t{1} << 40),
                 check_size(n_outputs, std::int64_t{1} << 20), averaged,
                 in_cells && rule_->needs().only_adds()) {
        if (n_outputs < 1 || (state_.scheme == SchemeName::single && n_outputs != 1))
            throw nb::value_error("that many columns and outputs do not fit the scheme");
        if (rule_->needs().linked) state_.theta.resize(state_.w.size());
        if (rule_->needs().kind == Kind::covariance) state_.keep_covariance(rule_->needs().full);
    }

    // Weights at the start, for a rule that multiplies; the bias's stays what it is here.
    void set_initial_weights(double of_column, double of_bias) {
        if (rule_->needs().kind != Kind::multiplicative)
            throw nb::value_error("the weights of this rule start at 0");
        with_lock([&] { state_.set_initial_weights(of_column, of_bias); });
    }

    virtual ~TrainingState() = default;

    State &state() { return state_; }
    const State &state() const { return state_; }
    Rule *rule() const { return rule_.get(); }
    // Of each counter something, for Python.
    template <class Get>
    auto of_counters(Get get) const {
        return look([&] {
            std::vector<std::decay_t<decltype(get(state_.counters[0]))>> found;
            for (const Counter &counter : state_.counters) found.push_back(get(counter));
            return found;
        });
    }

    std::vector<std::int64_t> corrections() const {
        return of_counters([](const Counter &counter) { return counter.corrections; });
    }

    std::vector<bool> resting() const {
        return of_counters([](const Counter &counter) { return counter.resting; });
    }

    std::vector<CounterTally> take_tally() {
        return look([&] {
            std::vector<CounterTally> tally;
            for (Counter &counter : state_.counters) {
                tally.emplace_back(counter.tally.mistakes, counter.tally.corrections,
                                   counter.tally.unmet);
                counter.tally = {};
            }
            return tally;
        });
    }

    void set_rule(std::shared_ptr<Rule> rule) {
        look([&] { std::swap(rule_, rule); });
    }
    void rest(std::int64_t counter) {
        look([&] { state_.counters.at(static_cast<std::size_t>(counter)).resting = true; });
    }
    void wake() {
        look([&] {
            for (Counter &counter : state_.counters) counter.resting = false;
        });
    }
    void grow_columns(std::int64_t n) {
        with_lock([&] {
            if (n > state_.n_columns && state_.has_blocks())
                throw nb::value_error("a full covariance cannot take further columns");
            state_.grow_columns(n);
        });
    }

    virtual void rearrange_outputs(const std::vector<std::int64_t> &sources,
                                   const std::vector<double> &factors, const std::string &scheme) {
        const SchemeName named = parse_scheme(scheme);
        if (sources.empty() || sources.size() != factors.size())
            throw nb::value_error("a factor is needed for each output");
        if (named == SchemeName::independent || (named == SchemeName::single && sources.size() > 1))
            throw nb::value_error("outputs cannot be rearranged into that scheme");
        with_lock([&] {
            for (const std::int64_t source : sources)
                if (source < -1 || source >= state_.n_outputs)
                    throw nb::value_error("there is no such output");
            std::vector<double> scratch(8 * sources.size());
            state_.rearrange_outputs(sources, factors);
            // From here on nothing fails.
            state_.scheme = named;
            state_.settle();
            if (rule_->needs().wsq) state_.recompute_lengths(scratch);
        });
    }

    // Without the interpreter's lock and with ours. Never waits for ours while holding the other.
    template <class Do>
    auto with_lock(Do work) -> decltype(work()) {
        if (busy_) throw busy_error();
        Unlocked release;
        const std::lock_guard guard(mutex_);
        return work();
    }

    // For work on several states; without the interpreter's lock.
    std::unique_lock<std::mutex> lock() {
        if (busy_) throw std::invalid_argument("the model is busy");
        return std::unique_lock(mutex_);
    }

    // With both locks, for what takes no time. While a rule written in Python is asked, the
    // interpreter's lock is enough: the loop stands still.
    template <class Do>
    auto look(Do work) const -> decltype(work()) {
        if (busy_) return work();
        const std::unique_lock guard = lock_both();
        return work();
    }

    // Learning. A rule written in Python is asked under the interpreter's lock; meanwhile whoever
    // else comes, and the rule itself, are told that the model is busy.
    template <class Do>
    auto learn_with_lock(Do work) -> decltype(work()) {
        if (busy_) throw busy_error();
        const std::shared_ptr<Rule> kept = look([&] { return rule_; });
        if (!kept->is_python()) return with_lock(work);
        const Stretch stretch;
        const std::unique_lock guard = lock_both();
        if (busy_) throw busy_error();
        struct Mark {
            bool &flag;
            explicit Mark(bool &flag) : flag(flag) { flag = true; }
            ~Mark() { flag = false; }
        } mark(busy_);
        return work();
    }

    static nb::builtin_exception busy_error() {
        return nb::value_error("the model is learning with a rule written in Python: it is busy");
    }

    // Room for what a rule asks about single examples.
    void make_room(ExamplesHandle &handle) const {
        if (!rule_->needs().example) return;
        const auto places =
            static_cast<std::size_t>(handle.rows.set().n_rows * state_.n_counters());
        if (handle.examples.n_i.size() >= places) return;
        handle.examples.n_i.assign(places, 0);
        handle.examples.alpha_i.assign(places, 0.0);
    }

  protected:
    std::shared_ptr<Rule> rule_;
    State state_;

  private:
    std::unique_lock<std::mutex> lock_both() const {
        std::unique_lock guard(mutex_, std::try_to_lock);
        if (guard) return guard;
        const Unlocked release;
        guard.lock();
        return guard;
    }

    mutable std::mutex mutex_;
    bool busy_ = false;  // read and written under the interpreter's lock
};

}  // namespace hardlimit
