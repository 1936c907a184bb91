// Rules for the loops: the compiled ones by name, and any Python object with the same two answers.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <array>
#include <stdexcept>

#include "bind/containers.hpp"
#include "bind/rows_handle.hpp"
#include "bind/shared_pointer.hpp"
#include "guards/guard.hpp"
#include "rules/rule.hpp"
#include "rules/scheduled.hpp"

namespace hardlimit {
namespace {

const std::vector<std::string> scalar_names{"margin", "sqnorm", "step",    "wsq",     "weight",
                                            "y",      "n_i",    "alpha_i", "variance"};

PyObject *scalar(const Scalars &s, int which) {
    switch (which) {
        case 0:
            return PyFloat_FromDouble(s.margin);
        case 1:
            return PyFloat_FromDouble(s.sqnorm);
        case 2:
            return PyLong_FromLongLong(s.step);
        case 3:
            return PyFloat_FromDouble(s.wsq);
        case 4:
            return PyFloat_FromDouble(s.weight);
        case 5:
            return PyFloat_FromDouble(s.y);
        case 6:
            return PyLong_FromLongLong(s.n_i);
        case 7:
            return PyFloat_FromDouble(s.alpha_i);
        default:
            return PyFloat_FromDouble(s.variance);
    }
}

// A Python method that is asked with the scalars it names, in its own order.
struct Question {
    nb::object method;
    std::vector<int> arguments;

    nb::object answer(const Scalars &s) const {
        std::array<PyObject *, 10> values{};
        for (std::size_t a = 0; a < arguments.size(); ++a) values[a + 1] = scalar(s, arguments[a]);
        PyObject *answer =
            PyObject_Vectorcall(method.ptr(), values.data() + 1,
                                arguments.size() | PY_VECTORCALL_ARGUMENTS_OFFSET, nullptr);
        for (std::size_t a = 0; a < arguments.size(); ++a) Py_DECREF(values[a + 1]);
        if (!answer) throw nb::python_error();
        return nb::steal(answer);
    }

    double ask(const Scalars &s) const { return number(answer(s).ptr()); }

    std::pair<double, double> ask_pair(const Scalars &s) const {
        const nb::object pair = answer(s);
        if (!PyTuple_Check(pair.ptr()) || PyTuple_Size(pair.ptr()) != 2)
            throw nb::type_error("the rule's tau must answer a pair");
        return {number(PyTuple_GetItem(pair.ptr(), 0)), number(PyTuple_GetItem(pair.ptr(), 1))};
    }

    static double number(PyObject *object) {
        const double value = PyFloat_AsDouble(object);
        if (value == -1.0 && PyErr_Occurred()) throw nb::python_error();
        return value;
    }
};

std::vector<int> scalar_numbers(const std::vector<std::string> &names) {
    if (names.size() > scalar_names.size()) throw nb::value_error("a scalar is asked for twice");
    std::vector<int> numbers;
    for (const auto &name : names) {
        int which = 0;
        while (which < 9 && scalar_names[static_cast<std::size_t>(which)] != name) ++which;
        if (which == 9) throw nb::value_error(("no scalar is named '" + name + "'").c_str());
        numbers.push_back(which);
    }
    return numbers;
}

class PythonRule final : public Rule {
  public:
    PythonRule(nb::object tau, const std::vector<std::string> &tau_names, nb::object required,
               const std::vector<std::string> &required_names, bool equality,
               const std::string &answers, const Parameters &covariance)
        : tau_{std::move(tau), scalar_numbers(tau_names)}, equality_(equality) {
        needs_.shrinks = answers == "shrink, tau";
        needs_.linked = answers == "tau, linked";
        if (answers == "tau, beta") {
            needs_.kind = Kind::covariance;
            needs_.sqnorm = true;
            needs_.full = covariance.at("full") != 0;
            needs_.apart = covariance.at("apart") != 0;
            needs_.start = covariance.at("start");
        }
        if (answers == "factor") needs_.kind = Kind::multiplicative;
        if (PyCallable_Check(required.ptr())) {
            required_ = {std::move(required), scalar_numbers(required_names)};
            needs_.changing_required = true;
            for (const auto &name : required_names) needs_.variance |= name == "variance";
        } else {
            constant_ = nb::cast<double>(required);
        }
        for (const auto &names : {tau_names, required_names})
            for (const auto &name : names) {
                needs_.wsq |= name == "wsq";
                needs_.sqnorm |= name == "sqnorm" || name == "wsq";
                needs_.example |= name == "n_i" || name == "alpha_i";
            }
    }

    double required(const Scalars &s) const override {
        return needs_.changing_required ? required_.ask(s) : constant_;
    }
    Change change(const Scalars &s) const override {
        if (needs_.shrinks) {
            const auto [shrink, tau] = tau_.ask_pair(s);
            return {tau, shrink};
        }
        if (needs_.kind == Kind::covariance) {
            const auto [tau, beta] = tau_.ask_pair(s);
            return {tau, 1, beta};
        }
        return {tau_.ask(s)};
    }
    bool equality_violates() const override { return equality_; }
    Needs needs() const override { return needs_; }
    bool is_python() const override { return true; }

    int visit(visitproc visit, void *arg) const {
        Py_VISIT(tau_.method.ptr());
        Py_VISIT(required_.method.ptr());
        return 0;
    }
    void clear() {
        tau_.method = nb::none();
        required_.method = nb::none();
    }

  private:
    Question tau_, required_;
    double constant_ = 0;
    bool equality_;
    Needs needs_;
};

// eta(step), asked of any Python callable.
class PythonSchedule final : public Schedule {
  public:
    explicit PythonSchedule(nb::object eta) : eta_{std::move(eta), scalar_numbers({"step"})} {}
    double eta(const Scalars &s, double) const override { return eta_.ask(s); }
    bool is_python() const override { return true; }

    int visit(visitproc visit, void *arg) const {
        Py_VISIT(eta_.method.ptr());
        return 0;
    }
    void clear() { eta_.method = nb::none(); }

  private:
    Question eta_;
};

Scalars read_scalars(const std::map<std::string, double> &given) {
    Scalars s;
    for (const auto &[name, value] : given) {
        if (name == "margin")
            s.margin = value;
        else if (name == "sqnorm")
            s.sqnorm = value;
        else if (name == "step")
            s.step = static_cast<std::int64_t>(value);
        else if (name == "wsq")
            s.wsq = value;
        else if (name == "weight")
            s.weight = value;
        else if (name == "y")
            s.y = value;
        else if (name == "n_i")
            s.n_i = static_cast<std::int64_t>(value);
        else if (name == "alpha_i")
            s.alpha_i = value;
        else if (name == "variance")
            s.variance = value;
        else
            throw nb::value_error(("no scalar is named '" + name + "'").c_str());
    }
    return s;
}

int rule_traverse(PyObject *self, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE(self));
    return nb::inst_ready(self) ? visit_rule(nb::inst_ptr<Rule>(self), visit, arg) : 0;
}

int rule_clear(PyObject *self) {
    if (nb::inst_ready(self)) clear_rule(nb::inst_ptr<Rule>(self));
    return 0;
}

PyType_Slot rule_slots[] = {{Py_tp_traverse, reinterpret_cast<void *>(rule_traverse)},
                            {Py_tp_clear, reinterpret_cast<void *>(rule_clear)},
                            {0, nullptr}};

int schedule_traverse(PyObject *self, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE(self));
    if (!nb::inst_ready(self)) return 0;
    const auto *python = dynamic_cast<const PythonSchedule *>(nb::inst_ptr<Schedule>(self));
    return python ? python->visit(visit, arg) : 0;
}

int schedule_clear(PyObject *self) {
    if (!nb::inst_ready(self)) return 0;
    if (auto *python = dynamic_cast<PythonSchedule *>(nb::inst_ptr<Schedule>(self)))
        python->clear();
    return 0;
}

PyType_Slot schedule_slots[] = {{Py_tp_traverse, reinterpret_cast<void *>(schedule_traverse)},
                                {Py_tp_clear, reinterpret_cast<void *>(schedule_clear)},
                                {0, nullptr}};

std::shared_ptr<Rule> guarded(std::shared_ptr<Rule> rule, const std::string &name,
                              const Parameters &parameters) {
    auto guard = make_guard(name, parameters);
    if (!guard) throw nb::value_error(("no guard is named '" + name + "'").c_str());
    return std::make_shared<Guarded>(std::move(rule), std::move(guard));
}

}  // namespace

// Each shared pointer that came from Python holds one reference to its wrapper, and no other way
// leads to it: what is visited here is what was counted.
int visit_rule(const Rule *rule, visitproc visit, void *arg) {
    if (!rule) return 0;
    if (const auto *python = dynamic_cast<const PythonRule *>(rule))
        return python->visit(visit, arg);
    if (const Rule *inner = rule->inner()) {
        const nb::handle wrapper = nb::find(inner);
        Py_VISIT(wrapper.ptr());
    }
    if (const Schedule *schedule = rule->schedule()) {
        const nb::handle wrapper = nb::find(schedule);
        Py_VISIT(wrapper.ptr());
    }
    return 0;
}

void clear_rule(Rule *rule) {
    if (auto *python = dynamic_cast<PythonRule *>(rule)) python->clear();
}

void bind_rules(nb::module_ &module) {
    nb::class_<Rule>(module, "Rule", nb::type_slots(rule_slots), "A rule as the loops see it.")
        .def(
            "required",
            [](const Rule &rule, const std::map<std::string, double> &s) {
                return rule.required(read_scalars(s));
            },
            nb::arg("scalars"))
        .def(
            "change",
            [](const Rule &rule, const std::map<std::string, double> &s) {
                const Change change = rule.change(read_scalars(s));
                return std::make_tuple(change.tau, change.shrink, change.beta);
            },
            nb::arg("scalars"), "tau, shrink and beta of a correction.")
        .def_prop_ro("equality_violates", &Rule::equality_violates)
        .def_prop_ro("is_python", &Rule::is_python)
        .def_prop_ro("needs_example", [](const Rule &rule) { return rule.needs().example; })
        .def_prop_ro("needs_sqnorm", [](const Rule &rule) { return rule.needs().sqnorm; })
        .def_prop_ro("needs_wsq", [](const Rule &rule) { return rule.needs().wsq; })
        .def_prop_ro("shrinks", [](const Rule &rule) { return rule.needs().shrinks; });
    module.def("compiled_rule", &make_rule, nb::arg("name"), nb::arg("parameters"));
    module.def(
        "python_rule",
        [](nb::object tau, std::vector<std::string> tau_names, nb::object required,
           std::vector<std::string> required_names, bool equality, std::string answers,
           const Parameters &covariance) -> std::shared_ptr<Rule> {
            return std::make_shared<PythonRule>(std::move(tau), tau_names, std::move(required),
                                                required_names, equality, answers, covariance);
        },
        nb::arg("tau"), nb::arg("tau_names"), nb::arg("required"), nb::arg("required_names"),
        nb::arg("equality_violates"), nb::arg("answers") = "tau",
        nb::arg("covariance") = Parameters{});
    nb::class_<Schedule>(module, "Schedule", nb::type_slots(schedule_slots),
                         "A schedule as the loops see it.")
        .def(
            "eta",
            [](const Schedule &schedule, const std::map<std::string, double> &s, double required) {
                return schedule.eta(read_scalars(s), required);
            },
            nb::arg("scalars"), nb::arg("required") = 0.0);
    module.def("compiled_schedule", &make_schedule, nb::arg("name"), nb::arg("parameters"));
    module.def(
        "python_schedule",
        [](nb::object eta) -> std::shared_ptr<Schedule> {
            return std::make_shared<PythonSchedule>(std::move(eta));
        },
        nb::arg("eta"));
    module.def(
        "scheduled",
        [](std::shared_ptr<Rule> rule,
           std::shared_ptr<Schedule> schedule) -> std::shared_ptr<Rule> {
            return std::make_shared<Scheduled>(std::move(rule), std::move(schedule));
        },
        nb::arg("rule"), nb::arg("schedule"));
    module.def("guarded", &guarded, nb::arg("rule"), nb::arg("name"), nb::arg("parameters"),
               "The rule behind a guard. Several are put around it in the order of guard_names().");
    module.def("guard_names", &guard_names, "The compiled guards, the innermost first.");
}

}  // namespace hardlimit
