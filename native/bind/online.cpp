// The training state as Python holds it: rounds are presented to it, scores are read from it.
#include "online.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <mutex>
#include <optional>
#include <tuple>

#include "bind/rows_handle.hpp"

namespace hardlimit {
namespace {

enum class SchemeName { single, independent, coupled };

SchemeName scheme_named(const std::string &name) {
    if (name == "single") return SchemeName::single;
    if (name == "independent") return SchemeName::independent;
    if (name == "coupled") return SchemeName::coupled;
    throw nb::value_error("a scheme is single, independent or coupled");
}

using Targets = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using ExampleWeights = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using OrderArray = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// One round of examples: rows, what they should be, how much they weigh, in which order they come.
class RoundHandle {
  public:
    RoundHandle(const RowsHandle &rows, Targets targets, std::optional<ExampleWeights> weights,
                double tol)
        : rows(rows), targets_(std::move(targets)), weights_(std::move(weights)) {
        const auto n = static_cast<std::size_t>(rows.set().n_rows);
        if (targets_.size() != n || (weights_ && weights_->size() != n))
            throw nb::value_error("there must be a target (and a weight) for each row");
        round.targets = targets_.data();
        round.weights = weights_ ? weights_->data() : nullptr;
        round.length = rows.set().n_rows;
        round.tol = tol;
        for (std::size_t i = 0; i < n; ++i) {
            if (round.targets[i] < 0) throw nb::value_error("targets must not be negative");
            highest_target = std::max(highest_target, round.targets[i]);
        }
    }

    void set_order(std::optional<OrderArray> order) {
        order_ = std::move(order);
        round.order = order_ ? order_->data() : nullptr;
        round.length = order_ ? static_cast<std::int64_t>(order_->size()) : rows.set().n_rows;
        for (std::int64_t p = 0; order_ && p < round.length; ++p)
            if (round.order[p] < 0 || round.order[p] >= rows.set().n_rows)
                throw nb::value_error("the order names a row that is not there");
    }

    const RowsHandle &rows;
    Round round;
    std::int32_t highest_target = 0;

  private:
    Targets targets_;
    std::optional<ExampleWeights> weights_;
    std::optional<OrderArray> order_;
};

// A size that cannot wrap when sizes are multiplied.
std::int64_t sound(std::int64_t size, std::int64_t most) {
    if (size < 0 || size > most) throw nb::value_error("a state of that size is not possible");
    return size;
}

using CounterTally = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

class Online {
  public:
    Online(std::shared_ptr<Rule> rule, const std::string &scheme, std::int64_t n_columns,
           std::int64_t n_outputs, bool averaged)
        : rule_(std::move(rule)),
          scheme_(scheme_named(scheme)),
          state_(sound(n_columns, std::int64_t{1} << 40), sound(n_outputs, std::int64_t{1} << 20),
                 scheme_ == SchemeName::independent ? n_outputs : 1, averaged) {
        if (n_outputs < 1 || (scheme_ == SchemeName::single && n_outputs != 1))
            throw nb::value_error("that many columns and outputs do not fit the scheme");
    }

    std::int64_t present(RoundHandle &handle, std::int64_t begin, std::int64_t budget) {
        if (begin < 0) throw nb::value_error("a round begins at 0");
        return entered([&] {
            check(handle);
            if (rule_->needs().example) keep_examples(handle.round, handle.rows.set().n_rows);
            return present_now(handle, begin, budget);
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

    // For each counter: rows whose margin is at most 0, and rows short of what the rule requires.
    std::vector<std::tuple<std::int64_t, std::int64_t>> verify(RoundHandle &handle) {
        return entered([&] {
            check(handle);
            if (rule_->needs().example) keep_examples(handle.round, handle.rows.set().n_rows);
            return verify_now(handle);
        });
    }

    Matrix scores(const RowsHandle &rows, double of_w, double of_u) {
        std::vector<double> found;
        std::size_t n_outputs = 0;
        alone([&] {
            if (rows.set().n_columns != state_.n_columns)
                throw nb::value_error("the rows have another number of columns");
            n_outputs = static_cast<std::size_t>(state_.n_outputs);
            found.resize(static_cast<std::size_t>(rows.set().n_rows) * n_outputs);
            scores_now(rows, of_w, of_u, found.data());
        });
        Matrix result = make_matrix<double>(static_cast<std::size_t>(rows.set().n_rows), n_outputs);
        std::copy(found.begin(), found.end(), result.data());
        return result;
    }

    // of_w * w - of_u * u, as (n_columns + 1, n_outputs), in double or single precision.
    nb::object weights(double of_w, double of_u, bool single_precision) {
        return single_precision ? nb::cast(mixed<float>(of_w, of_u))
                                : nb::cast(mixed<double>(of_w, of_u));
    }

    // The same for some columns only; the bias is column n_columns.
    Matrix weights_of(const std::vector<std::int64_t> &columns, double of_w, double of_u) {
        std::vector<double> found;
        std::size_t n_outputs = 0;
        alone([&] {
            n_outputs = static_cast<std::size_t>(state_.n_outputs);
            for (const std::int64_t column : columns) {
                if (column < 0 || column > state_.n_columns)
                    throw nb::index_error("there is no such column");
                for (std::size_t k = 0; k < n_outputs; ++k)
                    found.push_back(
                        mixed_at(static_cast<std::size_t>(column) * n_outputs + k, of_w, of_u));
            }
        });
        Matrix result = make_matrix<double>(columns.size(), n_outputs);
        std::copy(found.begin(), found.end(), result.data());
        return result;
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
        alone([&] { state_.grow_columns(n); });
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
            scheme_ = named;
            if (rule_->needs().wsq) state_.recompute_lengths();
        });
    }

    using Lengths = std::vector<std::tuple<double, double, std::int64_t>>;

    // A state read from a file or a copy: shapes were checked by the caller.
    void restore(const Array &w, std::optional<Array> u, std::int64_t presentations,
                 const std::vector<std::int64_t> &corrections, const Lengths &lengths) {
        fill(w, state_.w);
        if (state_.averaged != u.has_value()) throw nb::value_error("u does not fit the state");
        if (u) fill(*u, state_.u);
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

    double mixed_at(std::size_t i, double of_w, double of_u) const {
        return state_.averaged && of_u != 0 ? of_w * state_.w[i] - of_u * state_.u[i]
                                            : of_w * state_.w[i];
    }

    template <class Number>
    MatrixOf<Number> mixed(double of_w, double of_u) {
        std::unique_ptr<Number[]> cells;
        std::size_t rows = 0, outputs = 0;
        alone([&] {
            rows = static_cast<std::size_t>(state_.n_columns + 1);
            outputs = static_cast<std::size_t>(state_.n_outputs);
            cells.reset(new Number[rows * outputs]);
            for (std::size_t i = 0; i < rows * outputs; ++i)
                cells[i] = static_cast<Number>(mixed_at(i, of_w, of_u));
        });
        return own_matrix(cells.release(), rows, outputs);
    }

    void check(const RoundHandle &handle) const {
        if (handle.rows.set().n_columns != state_.n_columns)
            throw nb::value_error("the rows have another number of columns");
        const std::int64_t classes = scheme_ == SchemeName::single ? 2 : state_.n_outputs;
        if (handle.highest_target >= classes) throw nb::value_error("a target has no output");
    }

    void keep_examples(Round &round, std::int64_t n_rows) const {
        const std::size_t places = static_cast<std::size_t>(n_rows) * state_.counters.size();
        if (round.n_i.size() >= places) return;
        round.n_i.assign(places, 0);
        round.alpha_i.assign(places, 0.0);
    }

    std::int64_t present_now(RoundHandle &handle, std::int64_t begin, std::int64_t budget) {
        return std::visit(
            [&](const auto &rows) {
                using Rows = std::decay_t<decltype(rows)>;
                Learner<Rows> learner(rows, handle.round, state_, *rule_);
                if (scheme_ == SchemeName::single)
                    return hardlimit::present(learner, Single<Rows>{learner}, begin, budget);
                Scores scores(state_.n_outputs);
                if (scheme_ == SchemeName::independent)
                    return hardlimit::present(learner, Independent<Rows>{learner, scores}, begin,
                                              budget);
                return hardlimit::present(learner, Coupled<Rows>{learner, scores}, begin, budget);
            },
            handle.rows.storage);
    }

    std::vector<std::tuple<std::int64_t, std::int64_t>> verify_now(RoundHandle &handle) {
        std::vector<std::tuple<std::int64_t, std::int64_t>> found(state_.counters.size(), {0, 0});
        std::visit(
            [&](const auto &rows) {
                using Rows = std::decay_t<decltype(rows)>;
                // Only looks: the rule is asked what it requires, nothing moves.
                const Learner<Rows> learner(rows, handle.round, state_, *rule_);
                visit_margins(learner, rows, handle.round, [&](std::size_t counter, Scalars s) {
                    auto &[mistakes, unmet] = found[counter];
                    mistakes += s.margin <= 0;
                    unmet += s.margin < rule_->required(s) - handle.round.tol;
                });
            },
            handle.rows.storage);
        return found;
    }

    template <class Rows, class See>
    void visit_margins(const Learner<Rows> &learner, const Rows &rows, const Round &round,
                       See see) const {
        Scores scores(state_.n_outputs);
        const auto look = [&](std::int64_t i, std::size_t k, double margin, double y,
                              std::size_t moves) {
            see(k, learner.scalars(i, margin, state_.counters[k], static_cast<std::int64_t>(k), y,
                                   moves));
        };
        for (std::int64_t p = 0; p < round.length; ++p) {
            const std::int64_t i = round.order ? round.order[p] : p;
            const auto &s = scores.of(rows, i, state_.w.data(), state_.outputs());
            const std::int64_t right = round.targets[i];
            if (scheme_ == SchemeName::coupled) {
                if (state_.n_outputs < 2) continue;
                const auto rival = static_cast<std::size_t>(best_rival(s, right));
                look(i, 0, s[static_cast<std::size_t>(right)] - s[rival], 1.0, 2);
                continue;
            }
            for (std::size_t k = 0; k < s.size(); ++k) {
                const bool positive = scheme_ == SchemeName::single
                                          ? right == 1
                                          : right == static_cast<std::int64_t>(k);
                look(i, k, positive ? s[k] : -s[k], positive ? 1.0 : -1.0, 1);
            }
        }
    }

    void scores_now(const RowsHandle &handle, double of_w, double of_u, double *out) const {
        std::visit(
            [&](const auto &rows) {
                Scores of_last(state_.n_outputs), of_sum(state_.n_outputs);
                const bool both = of_u != 0 && state_.averaged;
                for (std::int64_t i = 0; i < rows.n_rows; ++i) {
                    const auto &last = of_last.of(rows, i, state_.w.data(), state_.outputs());
                    for (const double score : last) *out++ = of_w * score;
                    if (!both) continue;
                    out -= state_.n_outputs;
                    const auto &sum = of_sum.of(rows, i, state_.u.data(), state_.outputs());
                    for (const double score : sum) *out++ -= of_u * score;
                }
            },
            handle.storage);
    }

    static void fill(const Array &source, Zeroed &target) {
        if (source.dtype() != nb::dtype<double>() || source.size() != target.size())
            throw nb::value_error("the weights do not fit the state");
        std::memcpy(target.data(), source.data(), target.size() * sizeof(double));
    }

    std::shared_ptr<Rule> rule_;
    SchemeName scheme_;
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
        .def("scores", &Online::scores, nb::arg("rows"), nb::arg("of_w"), nb::arg("of_u"))
        .def("weights", &Online::weights, nb::arg("of_w"), nb::arg("of_u"),
             nb::arg("single_precision") = false)
        .def("weights_of", &Online::weights_of, nb::arg("columns"), nb::arg("of_w"),
             nb::arg("of_u"))
        .def("set_rule", &Online::set_rule, nb::arg("rule"))
        .def("rest", &Online::rest, nb::arg("counter"))
        .def("wake", &Online::wake)
        .def("grow_columns", &Online::grow_columns, nb::arg("n_columns"))
        .def("rearrange_outputs", &Online::rearrange_outputs, nb::arg("sources"),
             nb::arg("factors"), nb::arg("scheme"))
        .def("restore", &Online::restore, nb::arg("w").noconvert(), nb::arg("u").noconvert().none(),
             nb::arg("presentations"), nb::arg("corrections"), nb::arg("lengths"))
        .def_prop_ro("presentations", [](const Online &o) { return o.state().presentations; })
        .def_prop_ro("n_columns", [](const Online &o) { return o.state().n_columns; })
        .def_prop_ro("n_outputs", [](const Online &o) { return o.state().n_outputs; })
        .def_prop_ro("averaged", [](const Online &o) { return o.state().averaged; })
        .def_prop_ro("finite", [](const Online &o) { return o.state().finite(); })
        .def_prop_ro("corrections", &Online::corrections)
        .def_prop_ro("lengths", &Online::lengths)
        .def_prop_ro("resting", &Online::resting);
}

}  // namespace hardlimit
