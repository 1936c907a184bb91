// The training state as Python holds it: examples are presented to it, scores are read from it.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <mutex>
#include <optional>
#include <tuple>

#include "bind/examples_handle.hpp"
#include "bind/names.hpp"
#include "bind/rows_handle.hpp"
#include "loops/additive.hpp"
#include "loops/batch.hpp"
#include "loops/covariance.hpp"
#include "loops/multiplicative.hpp"
#include "loops/online.hpp"
#include "loops/spectrum.hpp"
#include "loops/verification.hpp"
#include "loops/worst.hpp"
#include "readouts/mixture.hpp"
#include "readouts/votes.hpp"
#include "skipping/skipping.hpp"

namespace hardlimit {

using CounterTally = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

class Online {
    // Calls work with the learner that a rule of this kind needs, over the rows of the examples.
    template <class Work>
    auto with_learner(ExamplesHandle &handle, const Rule &rule, Work work) {
        return on_rows(handle.rows, [&](const auto &rows) {
            using Rows = std::decay_t<decltype(rows)>;
            const Needs needs = rule.needs();
            const auto with = [&](auto learner) { return work(learner); };
            if (needs.kind == Kind::multiplicative)
                return with(Multiplicative<Rows>(rows, handle.examples, state_, rule));
            if (needs.kind == Kind::additive)
                return with(Additive<Rows>(rows, handle.examples, state_, rule));
            if (needs.full)
                return with(Covariance<Rows, Full<Rows>>(rows, handle.examples, state_, rule));
            return with(Covariance<Rows, Diagonal<Rows>>(rows, handle.examples, state_, rule));
        });
    }

    template <class Work>
    static auto on_rows(const RowsHandle &handle, Work work) {
        return std::visit(work, handle.storage);
    }

  public:
    Online(std::shared_ptr<Rule> rule, const std::string &scheme, std::int64_t n_columns,
           std::int64_t n_outputs, bool averaged)
        : rule_(std::move(rule)),
          state_(parse_scheme(scheme), check_size(n_columns, std::int64_t{1} << 40),
                 check_size(n_outputs, std::int64_t{1} << 20), averaged) {
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

    std::int64_t present(ExamplesHandle &handle, std::int64_t begin, std::int64_t work_limit) {
        if (begin < 0) throw nb::value_error("an epoch begins at 0");
        return learn_with_lock([&] {
            prepare(handle);
            return with_learner(handle, *rule_, [&](auto &learner) {
                if constexpr (requires { learner.applied(); })
                    if (skipping_ && skipped_ == &handle)
                        return hardlimit::present(learner, *skipping_, begin, work_limit);
                return hardlimit::present(learner, begin, work_limit);
            });
        });
    }

    // From now on rows of these examples that provably call for nothing are not visited, where the
    // rule allows that: whether it does. `epochs` are those that will certainly be run, or 0.
    // Nothing but presentations may move the weights until the end.
    bool begin_skipping(const ExamplesHandle &handle, bool always, std::int64_t epochs) {
        if (!may_skip(*rule_, state_)) return false;
        skipping_ = std::make_unique<Skipping>(always, epochs);
        skipped_ = &handle;
        return true;
    }
    void end_skipping() { skipping_.reset(); }
    // Products with weights since they were taken last, where rows may be skipped.
    std::optional<std::int64_t> take_products() {
        return skipping_ ? std::optional(skipping_->take_products()) : std::nullopt;
    }

    // The same at fixed weights, for a batch: violators are gathered from begin = 0 on.
    std::int64_t gather(ExamplesHandle &handle, std::int64_t begin, std::int64_t work_limit) {
        return learn_with_lock([&] {
            prepare(handle);
            if (begin == 0) batch_.violators.assign(state_.counters.size(), {});
            return on_rows(handle.rows, [&](const auto &rows) {
                ViolatorGathering learner(rows, handle.examples, state_, *rule_, batch_);
                return hardlimit::present(learner, begin, work_limit);
            });
        });
    }

    // Adds the corrections that were gathered: violators and whether the weights moved, for each
    // counter.
    std::vector<std::tuple<std::int64_t, bool>> apply(ExamplesHandle &handle,
                                                      const std::string &combine) {
        const Combine how = parse_combine(combine);
        return learn_with_lock([&] {
            prepare(handle);
            std::vector<std::tuple<std::int64_t, bool>> found;
            on_rows(handle.rows, [&](const auto &rows) {
                ViolatorGathering learner(rows, handle.examples, state_, *rule_, batch_);
                for (std::int64_t k = 0; k < state_.n_counters(); ++k) {
                    const auto n = batch_.violators.at(static_cast<std::size_t>(k)).size();
                    found.emplace_back(n, n > 0 && learner.apply(k, how));
                }
                return 0;
            });
            ++state_.presentations;
            return found;
        });
    }

    // Begins a search for the worst example, with so many bytes for rows of the Gram matrix.
    void begin_worst(const ExamplesHandle &handle, std::size_t bytes) {
        worst_ = {};
        worst_.room = bytes / (8 * static_cast<std::size_t>(handle.rows.set().n_rows) + 64);
    }

    // Up to `steps` steps of it: how many were made, and whether it has come to its end.
    std::tuple<std::int64_t, bool> search(ExamplesHandle &handle, std::int64_t steps,
                                          std::int64_t work_limit) {
        return learn_with_lock([&] {
            prepare(handle);
            return on_rows(handle.rows, [&](const auto &rows) {
                Worst learner(rows, handle.examples, state_, *rule_, worst_);
                const std::int64_t made = learner.search(steps, work_limit);
                return std::make_tuple(made, made < steps && work_limit > 0);
            });
        });
    }

    // The largest eigenvalue of sum x x' / ||x||^2 over the rows that are present.
    double largest_eigenvalue(ExamplesHandle &handle) {
        return with_lock([&] {
            check(handle);
            return on_rows(handle.rows, [&](const auto &rows) {
                return hardlimit::largest_eigenvalue(rows, handle.examples);
            });
        });
    }

    std::vector<CounterTally> take_tally() {
        std::vector<CounterTally> tally;
        for (Counter &counter : state_.counters) {
            tally.emplace_back(counter.tally.mistakes, counter.tally.corrections,
                               counter.tally.unmet);
            counter.tally = {};
        }
        return tally;
    }

    // For each counter: rows whose margin is at most 0, and rows short of what the rule requires,
    // its noise guards left out.
    std::vector<std::tuple<std::int64_t, std::int64_t>> verify(ExamplesHandle &handle) {
        return learn_with_lock([&] {
            prepare(handle);
            const Rule &rule = rule_->unguarded();
            return with_learner(handle, rule,
                                [&](auto &learner) { return verify_all(learner, rule); });
        });
    }

    Matrix scores(const RowsHandle &rows, double of_last, double of_sum, double divisor) {
        std::vector<double> found;
        std::size_t n_outputs = 0;
        with_lock([&] {
            if (rows.set().n_columns != state_.n_columns)
                throw nb::value_error("the rows have another number of columns");
            n_outputs = static_cast<std::size_t>(state_.n_outputs);
            found.resize(static_cast<std::size_t>(rows.set().n_rows) * n_outputs);
            on_rows(rows, [&](const auto &given) {
                mix_scores(given, state_, {of_last, of_sum, divisor}, found.data());
                return 0;
            });
        });
        Matrix result = make_matrix<double>(static_cast<std::size_t>(rows.set().n_rows), n_outputs);
        std::copy(found.begin(), found.end(), result.data());
        return result;
    }

    // The mixture as (n_columns + 1, n_outputs), in double or single precision.
    nb::object weights(double of_last, double of_sum, double divisor, bool single_precision) {
        const Mixture mixture{of_last, of_sum, divisor};
        const auto cell = [this](std::size_t j, const Factors &of) { return of.at(state_, j); };
        return single_precision ? nb::cast(filled<float>(mixture, cell))
                                : nb::cast(filled<double>(mixture, cell));
    }

    // The same for some columns only; the bias is column n_columns.
    Matrix weights_of(const std::vector<std::int64_t> &columns, double of_last, double of_sum,
                      double divisor) {
        std::vector<double> found;
        std::size_t n_outputs = 0;
        with_lock([&] {
            n_outputs = static_cast<std::size_t>(state_.n_outputs);
            const Factors of(state_, {of_last, of_sum, divisor});
            for (const std::int64_t column : columns) {
                if (column < 0 || column > state_.n_columns)
                    throw nb::index_error("there is no such column");
                for (std::size_t k = 0; k < n_outputs; ++k)
                    found.push_back(
                        of.at(state_, static_cast<std::size_t>(column) * n_outputs + k));
            }
        });
        Matrix result = make_matrix<double>(columns.size(), n_outputs);
        std::copy(found.begin(), found.end(), result.data());
        return result;
    }

    // A kept hypothesis, in double or single precision: longest, pocket, pocket-ratchet or random.
    nb::object hypothesis(const std::string &name, bool single_precision) {
        const Readout *readout = state_.hypotheses ? state_.hypotheses->find(name) : nullptr;
        if (!readout || !readout->weights() || readout->weights()->size() != state_.w.size())
            throw nb::value_error("nothing was kept under that name");
        const Zeroed &w = *readout->weights();
        const auto cell = [&w](std::size_t j, const Factors &) { return w[j]; };
        return single_precision ? nb::cast(filled<float>({1, 0, 1}, cell))
                                : nb::cast(filled<double>({1, 0, 1}, cell));
    }

    // From now on, and before the first presentation: remember hypotheses of these kinds.
    void watch(const std::vector<std::string> &names, std::uint64_t seed) {
        auto hypotheses = std::make_unique<Hypotheses>(state_.n_counters());
        for (const auto &name : names) {
            auto readout = make_readout(name, state_.n_counters(), seed);
            if (!readout)
                throw nb::value_error(("a kept hypothesis is one of " + readout_names()).c_str());
            hypotheses->add(name, std::move(readout));
        }
        hypotheses->begin(state_);
        state_.hypotheses = std::move(hypotheses);
    }

    // The last hypothesis ends its life; nothing is learnt after that.
    void close(ExamplesHandle &handle) {
        if (!state_.hypotheses) return;
        with_lock([&] {
            check(handle);
            on_rows(handle.rows, [&](const auto &rows) {
                const ErrorsOfRows errors(rows, handle.examples, state_);
                for (std::int64_t k = 0; k < state_.n_counters(); ++k)
                    state_.hypotheses->end_life(state_, k, state_.presentations + 1, errors);
            });
        });
    }

    // The logged hypotheses, to vote; of the rows that were learnt from only those that corrected.
    Votes votes(ExamplesHandle &handle) {
        if (const Needs needs = rule_->needs(); needs.kind != Kind::additive || needs.linked)
            throw nb::value_error("votes are for rules that add examples to the weights");
        return with_lock([&] {
            check(handle);
            return on_rows(handle.rows, [&](const auto &rows) { return votes_of(rows, state_); });
        });
    }

    void set_rule(std::shared_ptr<Rule> rule) {
        with_lock([&] { std::swap(rule_, rule); });
    }
    void rest(std::int64_t counter) {
        state_.counters.at(static_cast<std::size_t>(counter)).resting = true;
    }
    void wake() {
        for (Counter &counter : state_.counters) counter.resting = false;
    }
    void grow_columns(std::int64_t n) {
        with_lock([&] {
            if (n > state_.n_columns && state_.has_blocks())
                throw nb::value_error("a full covariance cannot take further columns");
            state_.grow_columns(n);
        });
    }

    void rearrange_outputs(const std::vector<std::int64_t> &sources,
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
            state_.rearrange_outputs(sources, factors);
            state_.scheme = named;
            if (rule_->needs().wsq) state_.recompute_lengths();
        });
    }

    // One of the arrays of the state as it stands: w, u, theta or sigma; None where it is not kept.
    nb::object array(const std::string &name) {
        const Zeroed &source = find_array(name);
        if (source.empty()) return nb::none();
        auto *cells = new_cells<double>(source.size());
        with_lock([&] { std::copy(source.data(), source.data() + source.size(), cells); });
        const auto rows = source.size() / static_cast<std::size_t>(state_.n_outputs);
        return nb::cast(own_matrix(cells, rows, static_cast<std::size_t>(state_.n_outputs)));
    }

    std::vector<std::string> array_names() {
        std::vector<std::string> names;
        for (const char *name : {"w", "u", "theta", "sigma"})
            if (!find_array(name).empty()) names.emplace_back(name);
        return names;
    }

    // An array read from a file or a copy; its shape was checked by the caller.
    void set_array(const std::string &name, const Array &source) {
        Zeroed &target = find_array(name);
        if (source.dtype() != nb::dtype<double>() || source.size() != target.size())
            throw nb::value_error("the weights do not fit the state");
        std::memcpy(target.data(), source.data(), target.size() * sizeof(double));
    }

    using Lengths = std::vector<std::tuple<double, double, std::int64_t>>;
    using Shrinkages = std::vector<std::tuple<double, double, std::int64_t, std::int64_t>>;

    void restore_counts(std::int64_t presentations, const std::vector<std::int64_t> &corrections,
                        const Lengths &lengths) {
        if (corrections.size() != state_.counters.size() || lengths.size() != corrections.size())
            throw nb::value_error("there must be counts for each counter");
        for (std::size_t k = 0; k < corrections.size(); ++k) {
            Counter &counter = state_.counters[k];
            counter.corrections = corrections[k];
            std::tie(counter.wsq, counter.added, counter.since_recomputed) = lengths[k];
        }
        state_.presentations = presentations;
    }

    Lengths lengths() const {
        Lengths lengths;
        for (const Counter &counter : state_.counters)
            lengths.emplace_back(counter.wsq, counter.added, counter.since_recomputed);
        return lengths;
    }

    // shrinkage, clock, clock_at and since_folded of each counter, for rules that shrink.
    Shrinkages shrinkages() const {
        Shrinkages shrinkages;
        for (const Counter &counter : state_.counters)
            shrinkages.emplace_back(counter.shrinkage, counter.clock, counter.clock_at,
                                    counter.since_folded);
        return shrinkages;
    }
    void set_shrinkages(const Shrinkages &shrinkages) {
        if (shrinkages.size() != state_.counters.size())
            throw nb::value_error("there must be a shrinkage for each counter");
        for (std::size_t k = 0; k < shrinkages.size(); ++k) {
            Counter &counter = state_.counters[k];
            std::tie(counter.shrinkage, counter.clock, counter.clock_at, counter.since_folded) =
                shrinkages[k];
        }
    }

    State &state() { return state_; }
    const State &state() const { return state_; }
    Rule *rule() const { return rule_.get(); }
    std::vector<std::int64_t> corrections() const {
        std::vector<std::int64_t> counts;
        for (const Counter &counter : state_.counters) counts.push_back(counter.corrections);
        return counts;
    }

    std::vector<bool> resting() const {
        std::vector<bool> resting;
        for (const Counter &counter : state_.counters) resting.push_back(counter.resting);
        return resting;
    }

  protected:
    // Without the interpreter's lock and with ours. Never waits for ours while holding the other.
    template <class Do>
    auto with_lock(Do work) -> decltype(work()) {
        if (busy_) throw busy_error();
        nb::gil_scoped_release release;
        const std::lock_guard guard(mutex_);
        return work();
    }

    // Learning. A rule written in Python is asked under the interpreter's lock; meanwhile whoever
    // else comes, and the rule itself, are told that the model is busy.
    template <class Do>
    auto learn_with_lock(Do work) -> decltype(work()) {
        if (!rule_->is_python()) return with_lock(work);
        if (busy_) throw busy_error();
        const std::shared_ptr<Rule> kept = rule_;
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

  private:
    template <class Number, class Cell>
    MatrixOf<Number> filled(const Mixture &mixture, Cell cell) {
        std::unique_ptr<Number[]> cells;
        std::size_t rows = 0, outputs = 0;
        with_lock([&] {
            rows = static_cast<std::size_t>(state_.n_columns + 1);
            outputs = static_cast<std::size_t>(state_.n_outputs);
            const Factors of(state_, mixture);
            cells.reset(new_cells<Number>(rows * outputs));
            for (std::size_t j = 0; j < rows * outputs; ++j)
                cells[j] = static_cast<Number>(cell(j, of));
        });
        return own_matrix(cells.release(), rows, outputs);
    }

    Zeroed &find_array(const std::string &name) {
        if (name == "w") return state_.w;
        if (name == "u") return state_.u;
        if (name == "theta") return state_.theta;
        if (name == "sigma") return state_.sigma;
        throw nb::value_error("an array is w, u, theta or sigma");
    }

    void check(const ExamplesHandle &handle) const {
        if (handle.rows.set().n_columns != state_.n_columns)
            throw nb::value_error("the rows have another number of columns");
        if (!handle.fits(state_.scheme, state_.n_outputs))
            throw nb::value_error("a target has no output");
    }

    void prepare(ExamplesHandle &handle) const {
        check(handle);
        make_room(handle);
    }

  protected:
    std::shared_ptr<Rule> rule_;
    State state_;

  private:
    Batch batch_;
    WorstScores worst_;
    std::unique_ptr<Skipping> skipping_;
    const ExamplesHandle *skipped_ = nullptr;  // whose rows these are
    std::mutex mutex_;
    bool busy_ = false;  // read and written under the interpreter's lock
};

}  // namespace hardlimit
