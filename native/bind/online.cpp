// The training state as Python holds it: rounds are presented to it, scores are read from it.
#include "online.hpp"

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

#include "additive.hpp"
#include "bind/round_handle.hpp"
#include "bind/rows_handle.hpp"
#include "covariance.hpp"
#include "multiplicative.hpp"

namespace hardlimit {
namespace {

SchemeName scheme_named(const std::string &name) {
    if (name == "single") return SchemeName::single;
    if (name == "independent") return SchemeName::independent;
    if (name == "coupled") return SchemeName::coupled;
    throw nb::value_error("a scheme is single, independent or coupled");
}

// A size that cannot wrap when sizes are multiplied.
std::int64_t sound(std::int64_t size, std::int64_t most) {
    if (size < 0 || size > most) throw nb::value_error("a state of that size is not possible");
    return size;
}

using CounterTally = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

// A read-out as (of_last * w_n + of_sum * (w_0 + ... + w_{n-1})) / divisor.
struct Mixture {
    double of_last, of_sum, divisor;
};

class Online {
    // Calls work with the learner that a rule of this kind needs, over the rows of the round.
    template <class Work>
    auto with_learner(RoundHandle &handle, const Rule &rule, Work work) {
        return std::visit(
            [&](const auto &rows) {
                using Rows = std::decay_t<decltype(rows)>;
                const Needs needs = rule.needs();
                const auto with = [&](auto learner) { return work(learner); };
                if (needs.kind == Kind::multiplicative)
                    return with(Multiplicative<Rows>(rows, handle.round, state_, rule));
                if (needs.kind == Kind::additive)
                    return with(Additive<Rows>(rows, handle.round, state_, rule));
                if (needs.full)
                    return with(Covariance<Rows, Full<Rows>>(rows, handle.round, state_, rule));
                return with(Covariance<Rows, Diagonal<Rows>>(rows, handle.round, state_, rule));
            },
            handle.rows.storage);
    }

  public:
    Online(std::shared_ptr<Rule> rule, const std::string &scheme, std::int64_t n_columns,
           std::int64_t n_outputs, bool averaged)
        : rule_(std::move(rule)),
          state_(scheme_named(scheme), sound(n_columns, std::int64_t{1} << 40),
                 sound(n_outputs, std::int64_t{1} << 20), averaged) {
        if (n_outputs < 1 || (state_.scheme == SchemeName::single && n_outputs != 1))
            throw nb::value_error("that many columns and outputs do not fit the scheme");
        if (rule_->needs().linked) state_.theta.resize(state_.w.size());
        if (rule_->needs().kind == Kind::covariance) make_covariance(rule_->needs().full);
    }

    std::int64_t present(RoundHandle &handle, std::int64_t begin, std::int64_t budget) {
        if (begin < 0) throw nb::value_error("a round begins at 0");
        return entered([&] {
            prepare(handle);
            return with_learner(handle, *rule_, [&](auto &learner) {
                return hardlimit::present(learner, begin, budget);
            });
        });
    }

    std::vector<CounterTally> take_tally() {
        std::vector<CounterTally> tally;
        for (Counter &counter : state_.counters) {
            tally.emplace_back(counter.round_mistakes, counter.round_corrections,
                               counter.round_unmet);
            counter.round_mistakes = counter.round_corrections = counter.round_unmet = 0;
        }
        return tally;
    }

    // For each counter: rows whose margin is at most 0, and rows short of what the rule requires,
    // its noise guards left out.
    std::vector<std::tuple<std::int64_t, std::int64_t>> verify(RoundHandle &handle) {
        return entered([&] {
            prepare(handle);
            return verify_now(handle);
        });
    }

    Matrix scores(const RowsHandle &rows, double of_last, double of_sum, double divisor) {
        std::vector<double> found;
        std::size_t n_outputs = 0;
        alone([&] {
            if (rows.set().n_columns != state_.n_columns)
                throw nb::value_error("the rows have another number of columns");
            n_outputs = static_cast<std::size_t>(state_.n_outputs);
            found.resize(static_cast<std::size_t>(rows.set().n_rows) * n_outputs);
            scores_now(rows, factors({of_last, of_sum, divisor}), found.data());
        });
        Matrix result = make_matrix<double>(static_cast<std::size_t>(rows.set().n_rows), n_outputs);
        std::copy(found.begin(), found.end(), result.data());
        return result;
    }

    // The mixture as (n_columns + 1, n_outputs), in double or single precision.
    nb::object weights(double of_last, double of_sum, double divisor, bool single_precision) {
        const Mixture mixture{of_last, of_sum, divisor};
        const auto cell = [this](std::size_t j, const Factors &of) { return mixed_at(j, of); };
        return single_precision ? nb::cast(filled<float>(mixture, cell))
                                : nb::cast(filled<double>(mixture, cell));
    }

    // The same for some columns only; the bias is column n_columns.
    Matrix weights_of(const std::vector<std::int64_t> &columns, double of_last, double of_sum,
                      double divisor) {
        std::vector<double> found;
        std::size_t n_outputs = 0;
        alone([&] {
            n_outputs = static_cast<std::size_t>(state_.n_outputs);
            const Factors of = factors({of_last, of_sum, divisor});
            for (const std::int64_t column : columns) {
                if (column < 0 || column > state_.n_columns)
                    throw nb::index_error("there is no such column");
                for (std::size_t k = 0; k < n_outputs; ++k)
                    found.push_back(mixed_at(static_cast<std::size_t>(column) * n_outputs + k, of));
            }
        });
        Matrix result = make_matrix<double>(columns.size(), n_outputs);
        std::copy(found.begin(), found.end(), result.data());
        return result;
    }

    // A kept hypothesis, in double or single precision: longest, pocket, pocket-ratchet or random.
    nb::object kept(const std::string &name, bool single_precision) {
        const Zeroed &w = kept_named(name).w;
        if (w.size() != state_.w.size()) throw nb::value_error("nothing was kept under that name");
        const auto cell = [&w](std::size_t j, const Factors &) { return w[j]; };
        return single_precision ? nb::cast(filled<float>({1, 0, 1}, cell))
                                : nb::cast(filled<double>({1, 0, 1}, cell));
    }

    // From now on, and before the first presentation: remember hypotheses of these kinds.
    void watch(const std::vector<std::string> &names, std::uint64_t seed) {
        state_.hypotheses = std::make_unique<Hypotheses>(state_.n_counters(), seed);
        for (const auto &name : names) {
            if (name == "voted")
                state_.hypotheses->logged = true;
            else
                kept_named(name).wanted = true;
        }
    }

    // The last hypothesis ends its life; nothing is learnt after that.
    void close(RoundHandle &handle) {
        if (!state_.hypotheses) return;
        alone([&] {
            check(handle);
            const auto errors = [&](std::int64_t k) { return errors_now(handle, k); };
            for (std::int64_t k = 0; k < state_.n_counters(); ++k)
                end_of_life(state_, k, state_.presentations + 1, errors);
        });
    }

    void set_rule(std::shared_ptr<Rule> rule) {
        alone([&] { std::swap(rule_, rule); });
    }
    void rest(std::int64_t counter) {
        state_.counters.at(static_cast<std::size_t>(counter)).resting = true;
    }
    void wake() {
        for (Counter &counter : state_.counters) counter.resting = false;
    }
    void grow_columns(std::int64_t n) {
        alone([&] {
            if (n > state_.n_columns && state_.has_blocks())
                throw nb::value_error("a full covariance cannot take further columns");
            state_.grow_columns(n);
        });
    }

    void rearrange_outputs(const std::vector<std::int64_t> &sources,
                           const std::vector<double> &factors, const std::string &scheme) {
        const SchemeName named = scheme_named(scheme);
        if (sources.empty() || sources.size() != factors.size())
            throw nb::value_error("a factor is needed for each output");
        if (named == SchemeName::independent || (named == SchemeName::single && sources.size() > 1))
            throw nb::value_error("outputs cannot be rearranged into that scheme");
        alone([&] {
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
        const Zeroed &source = array_named(name);
        if (source.empty()) return nb::none();
        auto *cells = new double[source.size()];
        alone([&] { std::copy(source.data(), source.data() + source.size(), cells); });
        const auto rows = source.size() / static_cast<std::size_t>(state_.n_outputs);
        return nb::cast(own_matrix(cells, rows, static_cast<std::size_t>(state_.n_outputs)));
    }

    std::vector<std::string> array_names() {
        std::vector<std::string> names;
        for (const char *name : {"w", "u", "theta", "sigma"})
            if (!array_named(name).empty()) names.emplace_back(name);
        return names;
    }

    // An array read from a file or a copy; its shape was checked by the caller.
    void set_array(const std::string &name, const Array &source) {
        Zeroed &target = array_named(name);
        if (source.dtype() != nb::dtype<double>() || source.size() != target.size())
            throw nb::value_error("the weights do not fit the state");
        std::memcpy(target.data(), source.data(), target.size() * sizeof(double));
    }

    using Lengths = std::vector<std::tuple<double, double, std::int64_t>>;
    using Scales = std::vector<std::tuple<double, double, std::int64_t, std::int64_t>>;

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

    // scale, clock, clock_at and since_folded of each counter, for rules that shrink.
    Scales scales() const {
        Scales scales;
        for (const Counter &counter : state_.counters)
            scales.emplace_back(counter.scale, counter.clock, counter.clock_at,
                                counter.since_folded);
        return scales;
    }
    void set_scales(const Scales &scales) {
        if (scales.size() != state_.counters.size())
            throw nb::value_error("there must be a scale for each counter");
        for (std::size_t k = 0; k < scales.size(); ++k) {
            Counter &counter = state_.counters[k];
            std::tie(counter.scale, counter.clock, counter.clock_at, counter.since_folded) =
                scales[k];
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

  private:
    // Without the interpreter's lock and with ours. Never waits for ours while holding the other.
    template <class Do>
    auto alone(Do work) -> decltype(work()) {
        if (busy_) throw busy();
        nb::gil_scoped_release release;
        const std::lock_guard guard(mutex_);
        return work();
    }

    // Learning. A rule written in Python is asked under the interpreter's lock; meanwhile whoever
    // else comes, and the rule itself, are told that the model is busy.
    template <class Do>
    auto entered(Do work) -> decltype(work()) {
        if (!rule_->is_python()) return alone(work);
        if (busy_) throw busy();
        const std::shared_ptr<Rule> kept = rule_;
        struct Mark {
            bool &flag;
            explicit Mark(bool &flag) : flag(flag) { flag = true; }
            ~Mark() { flag = false; }
        } mark(busy_);
        return work();
    }

    static nb::builtin_exception busy() {
        return nb::value_error("the model is learning with a rule written in Python: it is busy");
    }

    // A mixture in terms of the two arrays, for each output: of_w * w - of_u * u.
    struct Factors {
        std::vector<double> of_w;
        double of_u;
    };

    Factors factors(const Mixture &mixture) const {
        Factors of{{}, mixture.of_sum / mixture.divisor};
        for (std::int64_t k = 0; k < state_.n_outputs; ++k) {
            const Counter &count = state_.counter_of(k);
            of.of_w.push_back(
                (mixture.of_sum * state_.clock_before(count) + mixture.of_last * count.scale) /
                mixture.divisor);
        }
        return of;
    }

    double mixed_at(std::size_t j, const Factors &of) const {
        const double last = of.of_w[j % of.of_w.size()] * state_.w[j];
        return state_.averaged && of.of_u != 0 ? last - of.of_u * state_.u[j] : last;
    }

    template <class Number, class Cell>
    MatrixOf<Number> filled(const Mixture &mixture, Cell cell) {
        std::unique_ptr<Number[]> cells;
        std::size_t rows = 0, outputs = 0;
        alone([&] {
            rows = static_cast<std::size_t>(state_.n_columns + 1);
            outputs = static_cast<std::size_t>(state_.n_outputs);
            const Factors of = factors(mixture);
            cells.reset(new Number[rows * outputs]);
            for (std::size_t j = 0; j < rows * outputs; ++j)
                cells[j] = static_cast<Number>(cell(j, of));
        });
        return own_matrix(cells.release(), rows, outputs);
    }

    // One variance a weight, or a block of (n_columns + 1)^2 numbers an output.
    void make_covariance(bool full) {
        if (!full) return state_.sigma.resize(state_.w.size());
        const auto size = static_cast<std::size_t>(sound(state_.n_columns, 1 << 20) + 1);
        state_.sigma.resize(size * size * static_cast<std::size_t>(state_.n_outputs));
    }

    Zeroed &array_named(const std::string &name) {
        if (name == "w") return state_.w;
        if (name == "u") return state_.u;
        if (name == "theta") return state_.theta;
        if (name == "sigma") return state_.sigma;
        throw nb::value_error("an array is w, u, theta or sigma");
    }

    Kept &kept_named(const std::string &name) {
        if (!state_.hypotheses) throw nb::value_error("no hypotheses were kept");
        Hypotheses &h = *state_.hypotheses;
        if (name == "longest") return h.longest;
        if (name == "pocket") return h.pocket;
        if (name == "pocket-ratchet") return h.ratchet;
        if (name == "random") return h.random;
        throw nb::value_error("a kept hypothesis is longest, pocket, pocket-ratchet or random");
    }

    void check(const RoundHandle &handle) const {
        if (handle.rows.set().n_columns != state_.n_columns)
            throw nb::value_error("the rows have another number of columns");
        const std::int64_t classes = state_.scheme == SchemeName::single ? 2 : state_.n_outputs;
        if (handle.highest_target >= classes) throw nb::value_error("a target has no output");
    }

    // Checks a round, and makes room for what a rule asks about single examples.
    void prepare(RoundHandle &handle) const {
        check(handle);
        if (!rule_->needs().example) return;
        const auto places =
            static_cast<std::size_t>(handle.rows.set().n_rows * state_.n_counters());
        if (handle.round.n_i.size() >= places) return;
        handle.round.n_i.assign(places, 0);
        handle.round.alpha_i.assign(places, 0.0);
    }

    // Only looks: the rule is asked what it requires, nothing moves.
    std::vector<std::tuple<std::int64_t, std::int64_t>> verify_now(RoundHandle &handle) {
        std::vector<std::tuple<std::int64_t, std::int64_t>> found(state_.counters.size(), {0, 0});
        const Rule &rule = rule_->plain();
        const Round &round = handle.round;
        with_learner(handle, rule, [&](auto &learner) {
            Scores scores(state_.n_outputs);
            for (std::int64_t p = 0; p < round.n_present; ++p) {
                const std::int64_t i = round.present_row(p);
                const auto &s = scores.of(learner.rows(), i, state_.w.data(), state_.outputs());
                margins_of(s.data(), round.targets[i], state_,
                           [&](std::int64_t k, double margin, double y, const Moves &moves) {
                               auto &[mistakes, unmet] = found[static_cast<std::size_t>(k)];
                               const Scalars seen = learner.seen(i, margin, k, y, moves);
                               mistakes += margin <= 0;
                               unmet += margin < rule.required(seen) - round.tol;
                           });
            }
            return 0;
        });
        return found;
    }

    std::int64_t errors_now(const RoundHandle &handle, std::int64_t k) const {
        return std::visit(
            [&](const auto &rows) {
                return mistakes_now(rows, handle.round, state_)[static_cast<std::size_t>(k)];
            },
            handle.rows.storage);
    }

    void scores_now(const RowsHandle &handle, const Factors &of, double *out) const {
        std::visit(
            [&](const auto &rows) {
                Scores of_last(state_.n_outputs), of_sum(state_.n_outputs);
                const bool both = of.of_u != 0 && state_.averaged;
                const auto outputs = static_cast<std::size_t>(state_.n_outputs);
                for (std::int64_t i = 0; i < rows.n_rows; ++i, out += outputs) {
                    const auto &last = of_last.of(rows, i, state_.w.data(), state_.outputs());
                    for (std::size_t k = 0; k < outputs; ++k) out[k] = of.of_w[k] * last[k];
                    if (!both) continue;
                    const auto &sum = of_sum.of(rows, i, state_.u.data(), state_.outputs());
                    for (std::size_t k = 0; k < outputs; ++k) out[k] -= of.of_u * sum[k];
                }
            },
            handle.storage);
    }

    std::shared_ptr<Rule> rule_;
    State state_;
    std::mutex mutex_;
    bool busy_ = false;  // read and written under the interpreter's lock
};

int online_traverse(PyObject *self, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE(self));
    if (!nb::inst_ready(self)) return 0;
    nb::handle rule = nb::find(nb::inst_ptr<Online>(self)->rule());
    Py_VISIT(rule.ptr());
    return 0;
}

PyType_Slot online_slots[] = {{Py_tp_traverse, reinterpret_cast<void *>(online_traverse)},
                              {0, nullptr}};

}  // namespace

void bind_online(nb::module_ &module) {
    nb::class_<RoundHandle>(module, "Round", "Examples as they are presented, round after round.")
        .def(nb::init<const RowsHandle &, Targets, std::optional<ExampleWeights>, double>(),
             nb::arg("rows"), nb::arg("targets").noconvert(), nb::arg("weights").noconvert().none(),
             nb::arg("tol") = 0.0, nb::keep_alive<1, 2>())
        .def("set_present", &RoundHandle::set_present, nb::arg("present").noconvert())
        .def("set_order", &RoundHandle::set_order, nb::arg("order").noconvert().none())
        .def_prop_ro("length", [](const RoundHandle &handle) { return handle.round.length; });
    nb::class_<Online>(module, "Online", nb::type_slots(online_slots),
                       "The training state of a linear classifier.")
        .def(nb::init<std::shared_ptr<Rule>, const std::string &, std::int64_t, std::int64_t,
                      bool>(),
             nb::arg("rule"), nb::arg("scheme"), nb::arg("n_columns"), nb::arg("n_outputs"),
             nb::arg("averaged"))
        .def("present", &Online::present, nb::arg("round"), nb::arg("begin"), nb::arg("budget"))
        .def("take_tally", &Online::take_tally)
        .def("verify", &Online::verify, nb::arg("round"))
        .def("scores", &Online::scores, nb::arg("rows"), nb::arg("of_last"), nb::arg("of_sum"),
             nb::arg("divisor"))
        .def("weights", &Online::weights, nb::arg("of_last"), nb::arg("of_sum"), nb::arg("divisor"),
             nb::arg("single_precision") = false)
        .def("weights_of", &Online::weights_of, nb::arg("columns"), nb::arg("of_last"),
             nb::arg("of_sum"), nb::arg("divisor"))
        .def("watch", &Online::watch, nb::arg("names"), nb::arg("seed"))
        .def("close", &Online::close, nb::arg("round"))
        .def("kept", &Online::kept, nb::arg("name"), nb::arg("single_precision") = false)
        .def("set_rule", &Online::set_rule, nb::arg("rule"))
        .def("rest", &Online::rest, nb::arg("counter"))
        .def("wake", &Online::wake)
        .def("grow_columns", &Online::grow_columns, nb::arg("n_columns"))
        .def("rearrange_outputs", &Online::rearrange_outputs, nb::arg("sources"),
             nb::arg("factors"), nb::arg("scheme"))
        .def("array", &Online::array, nb::arg("name"))
        .def_prop_ro("array_names", &Online::array_names)
        .def("set_array", &Online::set_array, nb::arg("name"), nb::arg("source").noconvert())
        .def("restore_counts", &Online::restore_counts, nb::arg("presentations"),
             nb::arg("corrections"), nb::arg("lengths"))
        .def_prop_rw("scales", &Online::scales, &Online::set_scales)
        .def_prop_ro("presentations", [](const Online &o) { return o.state().presentations; })
        .def_prop_ro("n_columns", [](const Online &o) { return o.state().n_columns; })
        .def_prop_ro("n_outputs", [](const Online &o) { return o.state().n_outputs; })
        .def_prop_ro("shrinks", [](const Online &o) { return o.rule()->needs().shrinks; })
        .def_prop_ro("averaged", [](const Online &o) { return o.state().averaged; })
        .def_prop_ro("finite", [](const Online &o) { return o.state().finite(); })
        .def_prop_ro("corrections", &Online::corrections)
        .def_prop_ro("lengths", &Online::lengths)
        .def_prop_rw(
            "common", [](const Online &o) { return o.state().common; },
            [](Online &o, double common) { o.state().common = common; })
        .def_prop_ro("resting", &Online::resting);
}

}  // namespace hardlimit
