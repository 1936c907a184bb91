"""Parameters of every odd kind: used where they mean something, else refused by name."""

from fractions import Fraction

import numpy as np
import pytest

import hardlimit as hl
from hardlimit import (
    LinearClassifier,
    budgets,
    criteria,
    guards,
    kernels,
    maps,
    orders,
    rules,
    schedules,
    textbook,
)
from hardlimit.exceptions import HardlimitError, InputError, KindError, abbreviate

X, Y = [[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [1.0, 3.0]], [0, 1, 1, 0]
HUGE = 10**400


def fit(**settings):
    return LinearClassifier(**settings).fit(X, Y)


@pytest.mark.parametrize(
    "make",
    [
        *[lambda v, n=name: guards.GUARDS.get(n, **dict.fromkeys(GUARD_OF[n], v)) for name in
          ("lambda-trick", "alpha-bound", "margin")],
        lambda v: schedules.Constant(v),
        lambda v: schedules.Power(v),
        lambda v: schedules.Inverse(a=v),
        lambda v: schedules.Inverse(b=v),
        lambda v: criteria.RelaxationCriterion(b=v),
        lambda v: rules.PassiveAggressive(C=v),
        lambda v: rules.PAUM(tau_minus=v),
        lambda v: rules.Relaxation(eta=v),
        lambda v: fit(bias_feature=v),
        lambda v: fit(tol=v),
        lambda v: fit(max_iter=v),
        lambda v: fit(schedule=v),
        lambda v: fit(class_weight={0: v}),
        lambda v: LinearClassifier(class_weight={0: v}).partial_fit(X, Y),
        lambda v: LinearClassifier().fit(X, Y, sample_weight=[1, 1, 1, v]),
        lambda v: setattr(fit(), "threshold_", v),
        lambda v: kernels.RBF(gamma=v),
        lambda v: kernels.Polynomial(degree=v),
        lambda v: kernels.Polynomial(c=v),
        lambda v: maps.Polynomial(c=v).fit_transform(X),
        lambda v: budgets.RemoveOldest(v),
        lambda v: budgets.Projectron(eta=v),
        lambda v: textbook.trace([[v], [0]], [0, 1], exact=False),
    ],
)  # fmt: skip
@pytest.mark.parametrize("value", [HUGE, 10**5000, Fraction(HUGE), float("nan"), "a", None, 1j],
                         ids=abbreviate)  # fmt: skip
def test_what_no_float_can_hold_is_refused(make, value):
    if value is None and make is not None:
        try:  # None is a schedule, and elsewhere nothing
            make(value)
        except HardlimitError:
            pass
        return
    with pytest.raises(HardlimitError):
        make(value)


GUARD_OF = {"lambda-trick": ["lam"], "alpha-bound": ["alpha"], "margin": ["b"]}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"max_iter": float("inf")}, "max_iter: got inf, wanted a whole number"),
        ({"tol": float("inf"), "until": "margin"}, "tol: got inf, wanted a finite number >= 0"),
        ({"order": {"x": 1}}, "order: got {'x': 1}, wanted {'name'"),
        ({"order": {"name": "cyclic", "parameters": 3}}, "order: got .*wanted {'name'"),
        ({"order": {"name": "batch", "parameters": {"name": 3}}}, "got the parameter 'name'"),
        ({"schedule": {}}, "schedule: got {}, wanted {'name'"),
        ({"guard": {"x": 1}}, "guard: got {'x': 1}, wanted {'name'"),
        ({"class_weight": {0: "a"}}, "class_weight: got 'a' for 0, wanted a finite number"),
        ({"class_weight": {0: None}}, "class_weight: got None for 0, wanted a finite number"),
        ({"class_weight": [1]}, r"class_weight: got \[1\], wanted None"),
        ({"class_weight": {0: 0, 1: 0}}, "every example has the weight 0"),
    ],
)
def test_settings_are_refused_by_name(settings, message):
    with pytest.raises(InputError, match=message):
        fit(**settings)


def test_a_choice_without_parameters_needs_none():
    assert orders.resolve({"name": "cyclic"}) == orders.Cyclic()


def test_what_is_no_list_and_no_function_is_refused():
    for call in (
        lambda: LinearClassifier().partial_fit(X, Y, classes=3),
        lambda: LinearClassifier().fit(X, 3),
        lambda: LinearClassifier().fit(X, Y, callback=3),
    ):
        with pytest.raises(KindError, match="got 3, wanted"):
            call()
    with pytest.raises(InputError, match=r"class_weight: got \[1\]"):
        LinearClassifier(class_weight=[1]).partial_fit(X, Y)
    started = LinearClassifier().partial_fit(X, Y)
    started.class_weight = [1]
    with pytest.raises(InputError, match=r"class_weight: got \[1\]"):
        started.partial_fit(X, Y)
    with pytest.raises(InputError, match="for every example|weight 0"):
        LinearClassifier().fit(X, Y, sample_weight=[0] * 4)


def test_inner_parameters_are_set_where_there_are_any():
    L = LinearClassifier
    assert L(schedule="1/step").set_params(schedule__exponent=0.5).schedule == schedules.Power(0.5)
    both = (guards.AlphaBound(2), guards.Margin(2))
    clf = L(guard=both).set_params(guard__alpha=3, guard__b=1.0)
    assert clf.guard == (guards.AlphaBound(3), guards.Margin(1.0))
    assert clf.get_params()["guard__alpha"] == 3
    assert L("foo").get_params()["rule"] == "foo"
    assert L(order="bar", schedule="foo").get_params()["order"] == "bar"


@pytest.mark.parametrize(
    ("settings", "params", "message"),
    [
        ({}, {"guard__alpha": 2}, "'guard__alpha': guard=None has no parameters"),
        ({"rule": "foo"}, {"rule__C": 1}, "rule='foo' has no parameters"),
        ({}, {"rule__C": 1}, "rule='perceptron' has no parameters"),
        ({}, {"order__combine": "sum"}, "order='shuffled' has no parameters"),
        ({"guard": guards.Margin()}, {"guard__foo": 1}, r"guard=Margin\(b=1.0\) has guard__b;"),
        ({"guard": (guards.Margin(),)}, {"guard__foo": 1}, "has guard__b;"),
        ({"rule": rules.Relaxation()}, {"rule__C": 1}, "has rule__eta, rule__b;"),
    ],
)
def test_inner_parameters_that_are_not_there_are_refused(settings, params, message):
    with pytest.raises(InputError, match=message):
        LinearClassifier(**settings).set_params(**params)


def own(**members):
    return type("Own", (rules.Rule,), {"required": 0, "tau": lambda self: 1.0} | members)()


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (own(required="a"), "rule Own: got required='a', wanted a finite number"),
        (own(required=float("nan")), "rule Own: got required=nan"),
        (own(required=HUGE), "rule Own: got required=1000"),
        (own(required=lambda self, step: "a"), "required: got 'a', wanted a number"),
        (own(tau=lambda self: None), "tau: got None, wanted a finite number"),
        (own(tau=lambda self: (1, 2)), r"tau: got \(1, 2\), wanted a finite number"),
        (own(tau=lambda self: float("nan")), "tau: got nan, wanted a finite number"),
        (own(tau=lambda self: HUGE), "tau: got 1000.*, wanted a finite number"),
        (own(answers="shrink, tau"), r"tau: got 1.0, wanted the pair \(shrink, tau\)"),
        (own(tau=3), "rule Own: got no method 'tau'"),
        (own(answers="factor"), "wanted a method 'initial_weights"),
        (own(answers="bogus"), "got answers='bogus', wanted one of 'tau'"),
        (own(answers=["tau"]), r"got answers=\['tau'\], wanted one of"),
        (own(batch="weird"), "got batch='weird', wanted one of"),
        (own(answers="tau, beta", covariance="half"), "got covariance='half'"),
        (own(answers="tau, beta", initial_variance=0), "got initial_variance=0"),
        (rules.Rule(), "rule Rule: got no method 'tau'"),
    ],
)
def test_rules_of_ones_own_say_what_is_missing(rule, message):
    with pytest.raises(HardlimitError, match=message):
        LinearClassifier(rule, keep="last", readout="last").fit(X, Y)


@pytest.mark.parametrize(
    ("eta", "message"),
    [
        (lambda self: 1, r"cannot be asked as eta\(step\)"),
        (3, r"cannot be asked as eta\(step\)"),
        (lambda self, step: "a", r"eta\(1\)='a', wanted a finite number"),
        (lambda self, step: None, r"eta\(1\)=None"),
        (lambda self, step: HUGE, r"eta\(1\)=1000"),
    ],
)
@pytest.mark.parametrize("rule", ["perceptron", "relaxation"])
def test_schedules_of_ones_own_say_what_is_missing(rule, eta, message):
    schedule = type("Own", (), {"eta": eta})()
    with pytest.raises(HardlimitError, match=message):
        fit(rule=rule, schedule=schedule)


def test_seeds_of_the_trace():
    for order in ("shuffled", "random"):
        with pytest.raises(InputError, match="random_state: got -1"):
            textbook.trace(X, Y, order=order, random_state=-1)
        assert textbook.trace(X, Y, order=order, random_state=None).steps


@pytest.mark.parametrize("Z", [[[1j]], [["a"]], [[HUGE, 0.5]], [[None]]])
def test_criteria_refuse_what_is_no_real_number(Z):
    with pytest.raises(HardlimitError, match=r"criteria: got"):
        criteria.get("squared-criterion").gradient(Z, [1] * len(Z[0]))
    with pytest.raises(HardlimitError):
        criteria.get("squared-criterion").value(np.array(Z), [1] * len(Z[0]))


def test_huge_ints_alone_stay_exact():
    assert criteria.get("squared-criterion").value([[HUGE]], [-1]) == HUGE**2


@pytest.mark.parametrize(
    "settings",
    [
        {"tol": Fraction(1, 2)},
        {"class_weight": {Fraction(0): 1, np.int64(1): np.float32(0.5)}},
        {"class_weight": {0: Fraction(1, 2)}},
        {"order": orders.Batch(np.str_("sum")), "keep": ("last",), "readout": np.str_("last")},
        {"rule": rules.AROW(covariance=np.str_("full")), "multiclass": np.str_("ovr")},
        {"max_iter": np.float64(3), "bias_feature": Fraction(1, 2)},
    ],
)
def test_what_fit_takes_can_be_saved(tmp_path, settings):
    clf = LinearClassifier(**settings).fit(X, Y)
    clf.save(tmp_path / "a")
    back = hl.load(tmp_path / "a")
    assert (back.decision_function(X) == clf.decision_function(X)).all()
    back.fit(X, Y)
    assert (back.decision_function(X) == clf.decision_function(X)).all()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"order": "batch"}, "order='batch': it needs all examples at once"),
        ({"order": "worst"}, "order='worst': it needs all examples at once"),
        ({"rule": "relaxation", "order": "batch", "schedule": "line-search"}, "partial_fit"),
    ],
)
def test_streams_refuse_what_they_would_ignore(settings, message):
    with pytest.raises(InputError, match=message):
        LinearClassifier(**settings).partial_fit(X, Y)
    fitted = LinearClassifier(**settings).fit(X, Y)
    with pytest.raises(InputError, match=message):
        fitted.partial_fit(X, Y)
    fitted.set_params(order="cyclic")
    if "schedule" in settings:
        with pytest.raises(InputError, match="looks for the step of a whole batch"):
            fitted.partial_fit(X, Y)
    else:
        fitted.partial_fit(X, Y)
    streaming = LinearClassifier().partial_fit(X, Y).set_params(order="batch")
    with pytest.raises(InputError, match="order='batch'"):
        streaming.partial_fit(X, Y)


def test_a_margin_goes_on_in_streams():
    guarded = LinearClassifier(guard=guards.Margin(2.0)).partial_fit(X, Y)
    margin = LinearClassifier(rules.MarginPerceptron(b=2.0)).partial_fit(X, Y)
    assert (guarded.coef_ == margin.coef_).all() and guarded.n_corrections_ > 0
    with pytest.raises(InputError, match="AlphaBound.*knows each training example"):
        LinearClassifier(guard=(guards.Margin(), guards.AlphaBound())).partial_fit(X, Y)
