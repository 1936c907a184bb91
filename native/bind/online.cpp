// The names under which Python asks the training state.
#include "bind/answers.hpp"
#include "bind/online_handle.hpp"
#include "bind/snapshot.hpp"
#include "bind/vectors.hpp"
#include "rows/grain.hpp"

namespace hardlimit {
namespace {

int state_traverse(PyObject *self, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE(self));
    if (!nb::inst_ready(self)) return 0;
    nb::handle rule = nb::find(nb::inst_ptr<TrainingState>(self)->rule());
    Py_VISIT(rule.ptr());
    return 0;
}

PyType_Slot state_slots[] = {{Py_tp_traverse, reinterpret_cast<void *>(state_traverse)},
                             {0, nullptr}};

bool has_cells(const State &state, const double *then) {
    std::vector<double> now(static_cast<std::size_t>(state.n_outputs));
    for (std::int64_t c = 0; c <= state.n_columns; ++c, then += state.n_outputs) {
        std::fill(now.begin(), now.end(), 0.0);
        state.visit_column(
            c, [&](std::int64_t k, double w, double) { now[static_cast<std::size_t>(k)] = w; });
        if (!std::equal(now.begin(), now.end(), then)) return false;
    }
    return true;
}

// Whether the weights are these, number for number. The bias first: it moves most often.
bool has_weights(TrainingState &online, const Array &weights) {
    const bool of_doubles = weights.dtype() == nb::dtype<double>();
    const std::size_t given = weights.size();
    const auto *then = static_cast<const double *>(weights.data());
    return online.with_lock([&] {
        const State &state = online.state();
        if (!of_doubles || given != State::cells(state.n_columns, state.n_outputs))
            throw nb::value_error("the weights do not fit the state");
        if (state.touched) return has_cells(state, then);
        const double *now = state.w.data();
        const std::size_t size = state.w.size(), bias = state.bias_cell();
        return std::equal(now + bias, now + size, then + bias) && std::equal(now, now + bias, then);
    });
}

// A number of the state, as it is now.
template <class Get>
auto now(Get get) {
    return [get](const TrainingState &online) { return online.look([&] { return get(online); }); };
}

// How fine the values of the rows are that take part, see grain.hpp.
std::optional<std::tuple<int, double>> grain_of(const ExamplesHandle &handle, int most) {
    Unlocked release;
    return measure_grain(*any_rows(handle.rows.storage), handle.examples, most);
}

// ||w||^2 for each counter, computed anew.
std::vector<double> squared_lengths(TrainingState &online) {
    return online.with_lock([&] {
        std::vector<double> found;
        for (std::int64_t k = 0; k < online.state().n_counters(); ++k)
            found.push_back(online.state().squared_length(k));
        return found;
    });
}

}  // namespace

void bind_online(nb::module_ &module) {
    module.def(
        "lies_in_cells",
        [](const Rule &rule, const std::string &scheme, std::int64_t columns,
           std::int64_t outputs) {
            return rule.needs().only_adds() &&
                   State::is_worth_cells(parse_scheme(scheme), columns, outputs);
        },
        nb::arg("rule"), nb::arg("scheme"), nb::arg("n_columns"), nb::arg("n_outputs"),
        "Whether the weights of such a state lie in cells: the memory of what is touched.");
    nb::class_<ExamplesHandle>(module, "Examples",
                               "Examples as they are presented, epoch after epoch.")
        .def(nb::init<const RowsHandle &, Targets, std::optional<ExampleWeights>, double>(),
             nb::arg("rows"), nb::arg("targets").noconvert(), nb::arg("weights").noconvert().none(),
             nb::arg("tol") = 0.0, nb::keep_alive<1, 2>())
        .def("set_present", &ExamplesHandle::set_present, nb::arg("present").noconvert())
        .def("set_order", &ExamplesHandle::set_order, nb::arg("order").noconvert().none())
        // What is kept of each example, a row of counters after another; empty where nobody asks.
        .def("n_i",
             [](ExamplesHandle &handle) {
                 const InUse use(handle);
                 return own_vector(handle.examples.n_i);
             })
        .def("alpha_i",
             [](ExamplesHandle &handle) {
                 const InUse use(handle);
                 return own_vector(handle.examples.alpha_i);
             })
        .def("grain", &grain_of, nb::arg("most"))
        .def("rows_at", &ExamplesHandle::rows_at, nb::arg("begin"), nb::arg("end"))
        .def("present_at", &ExamplesHandle::present_at, nb::arg("begin"), nb::arg("end"))
        .def_prop_ro("n_present",
                     [](const ExamplesHandle &handle) { return handle.examples.n_present; })
        .def_prop_ro("length", [](const ExamplesHandle &handle) { return handle.examples.length; });
    nb::class_<TrainingState>(module, "TrainingState", nb::type_slots(state_slots),
                              "What partial_fit continues; Online and Dual know how it is moved.")
        .def("set_initial_weights", &TrainingState::set_initial_weights, nb::arg("of_column"),
             nb::arg("of_bias"))
        .def("take_tally", &TrainingState::take_tally)
        .def("scores", &score_mixture, nb::arg("rows"), nb::arg("of_last"), nb::arg("of_sum"),
             nb::arg("divisor"))
        .def("weights", &weights, nb::arg("of_last"), nb::arg("of_sum"), nb::arg("divisor"),
             nb::arg("single_precision") = false)
        .def("weights_of", &weights_of, nb::arg("columns"), nb::arg("of_last"), nb::arg("of_sum"),
             nb::arg("divisor"))
        .def("watch", &watch, nb::arg("names"), nb::arg("seed"))
        .def("hypothesis", &hypothesis, nb::arg("name"), nb::arg("single_precision") = false)
        .def("set_rule", &TrainingState::set_rule, nb::arg("rule"))
        .def("rest", &TrainingState::rest, nb::arg("counter"))
        .def("wake", &TrainingState::wake)
        .def("grow_columns", &TrainingState::grow_columns, nb::arg("n_columns"))
        .def("rearrange_outputs", &TrainingState::rearrange_outputs, nb::arg("sources"),
             nb::arg("factors"), nb::arg("scheme"))
        .def("array", &array, nb::arg("name"))
        .def("has_weights", &has_weights, nb::arg("weights").noconvert())
        .def("squared_lengths", &squared_lengths)
        .def_prop_ro("array_names", &array_names)
        .def("set_array", &set_array, nb::arg("name"), nb::arg("source").noconvert())
        .def("copy_outputs", &copy_outputs, nb::arg("source"), nb::arg("begin"), nb::arg("place"),
             nb::arg("count"))
        .def("restore_counts", &restore_counts, nb::arg("presentations"), nb::arg("corrections"),
             nb::arg("lengths"))
        .def_prop_rw("shrinkages", &shrinkages, &set_shrinkages)
        .def_prop_ro("presentations",
                     now([](const TrainingState &o) { return o.state().presentations; }))
        .def_prop_ro("n_columns", now([](const TrainingState &o) { return o.state().n_columns; }))
        .def_prop_ro("n_outputs", now([](const TrainingState &o) { return o.state().n_outputs; }))
        .def_prop_ro("needs_example",
                     now([](const TrainingState &o) { return o.rule()->needs().example; }))
        .def_prop_ro("shrinks",
                     now([](const TrainingState &o) { return o.rule()->needs().shrinks; }))
        .def_prop_ro("lies_in_cells",
                     now([](const TrainingState &o) { return o.state().touched != nullptr; }))
        .def_prop_ro("is_worth_packing",
                     now([](const TrainingState &o) { return o.state().is_worth_packing(); }))
        .def_prop_ro("averaged", [](const TrainingState &o) { return o.state().averaged; })
        .def_prop_ro("finite", now([](const TrainingState &o) { return o.state().finite(); }))
        .def_prop_ro("collapse", now([](const TrainingState &o) {
                         return std::tuple(o.state().collapsed_row, o.state().collapsed_at);
                     }))
        .def_prop_ro("corrections", &TrainingState::corrections)
        .def_prop_ro("lengths", &lengths)
        .def_prop_rw(
            "common", now([](const TrainingState &o) { return o.state().common; }),
            [](TrainingState &o, double common) { o.look([&] { o.state().common = common; }); })
        .def_prop_ro("resting", &TrainingState::resting);
    nb::class_<Online, TrainingState>(module, "Online",
                                      "The training state of a linear classifier.")
        .def(nb::init<std::shared_ptr<Rule>, const std::string &, std::int64_t, std::int64_t,
                      bool>(),
             nb::arg("rule"), nb::arg("scheme"), nb::arg("n_columns"), nb::arg("n_outputs"),
             nb::arg("averaged"))
        .def("present", &Online::present, nb::arg("examples"), nb::arg("begin"),
             nb::arg("work_limit"))
        .def("begin_skipping", &Online::begin_skipping, nb::arg("examples"), nb::arg("always"),
             nb::arg("epochs"))
        .def("end_skipping", &Online::end_skipping)
        .def("take_products", &Online::take_products)
        .def("gather", &Online::gather, nb::arg("examples"), nb::arg("begin"),
             nb::arg("work_limit"))
        .def("apply", &Online::apply, nb::arg("examples"), nb::arg("combine"))
        .def("begin_worst", &Online::begin_worst, nb::arg("examples"), nb::arg("bytes"))
        .def("search", &Online::search, nb::arg("examples"), nb::arg("steps"),
             nb::arg("work_limit"))
        .def("largest_eigenvalue", &Online::largest_eigenvalue, nb::arg("examples"))
        .def("verify", &Online::verify, nb::arg("examples"))
        .def("close", &Online::close, nb::arg("examples"))
        .def(
            "spread_cells", [](Online &o) { o.with_lock([&] { o.state().spread_cells(); }); },
            "Weights that lie in cells become arrays.")
        .def(
            "gather_cells",
            [](Online &o) {
                if (!o.rule()->needs().only_adds() || o.state().scheme != SchemeName::coupled)
                    throw nb::value_error("the weights of this rule lie in arrays");
                o.with_lock([&] {
                    if (!o.state().touched) o.state().gather_cells();
                });
            },
            "Weights in arrays become cells.")
        .def("votes", &Online::votes, nb::arg("examples"));
}

}  // namespace hardlimit
